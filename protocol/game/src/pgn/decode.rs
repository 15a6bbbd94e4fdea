use encoding_rs::{Encoding, WINDOWS_1252};
use std::borrow::Cow;

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
    use super::decode;

    #[test]
    fn names_of_older_files_are_read() {
        assert_eq!(decode("Müller".as_bytes()), "Müller");
        assert_eq!(decode(b"\xef\xbb\xbfM\xc3\xbcller"), "Müller");
        assert_eq!(decode(b"M\xfcller \x96 Kr\xe1l"), "Müller \u{2013} Král");
        assert_eq!(decode(b"\xff\xfeM\0\xfc\0"), "Mü");
    }
}
