use encoding_rs::{Encoding, WINDOWS_1252};
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::io::{self, Read};

/// How a file that was packed by gzip begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The most that a packed file may hold, in bytes.
const MOST_UNPACKED: u64 = 4 << 30;

/// Whether a file was packed by gzip, from its first bytes.
pub fn is_packed(beginning: &[u8]) -> bool {
    beginning.starts_with(&GZIP)
}

/// The content of a file, unpacked if it was packed by gzip.
///
/// # Errors
/// A packed file that is damaged, or holds more than 4 GB.
pub fn unpack(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    if !is_packed(&bytes) {
        return Ok(bytes);
    }
    let mut content = Vec::new();
    let mut unpacked = MultiGzDecoder::new(&*bytes).take(MOST_UNPACKED);
    unpacked.read_to_end(&mut content)?;
    if content.len() as u64 == MOST_UNPACKED {
        let error = "unpacked it has more than 4 GB";
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, error));
    }
    Ok(content)
}

/// Decodes a PGN file: by its byte order mark as UTF-8 or UTF-16, else as UTF-8 if valid, else as Windows-1252, which
/// includes the Latin-1 that the PGN standard prescribes.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

#[cfg(test)]
mod tests {
    use super::{decode, unpack};
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    #[test]
    fn packed_files_are_unpacked_and_damaged_ones_refused() {
        let packed = |text: &[u8]| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(text).expect("memory");
            encoder.finish().expect("memory")
        };
        // Files are packed in parts and joined.
        let whole = [packed(b"1. e4 "), packed(b"e5 *")].concat();
        assert_eq!(unpack(whole.clone()).expect("a file"), b"1. e4 e5 *");
        assert!(unpack(whole[..whole.len() - 5].to_vec()).is_err());
        assert_eq!(unpack(b"1. e4 *".to_vec()).expect("a file"), b"1. e4 *");
        assert_eq!(unpack(Vec::new()).expect("a file"), b"");
    }

    #[test]
    fn names_of_older_files_are_read() {
        assert_eq!(decode("Müller".as_bytes()), "Müller");
        assert_eq!(decode(b"\xef\xbb\xbfM\xc3\xbcller"), "Müller");
        assert_eq!(decode(b"M\xfcller \x96 Kr\xe1l"), "Müller \u{2013} Král");
        assert_eq!(decode(b"\xff\xfeM\0\xfc\0"), "Mü");
    }
}
