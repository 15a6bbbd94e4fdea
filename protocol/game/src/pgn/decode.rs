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
    unpack_at_most(bytes, MOST_UNPACKED)
}

/// The content of a file that holds no more than `most` bytes, unpacked if it was packed by gzip.
///
/// # Errors
/// A packed file that is damaged; content that is longer.
pub fn unpack_at_most(bytes: Vec<u8>, most: u64) -> io::Result<Vec<u8>> {
    let content = if is_packed(&bytes) {
        let mut content = Vec::new();
        let mut unpacked = MultiGzDecoder::new(&*bytes).take(most + 1);
        unpacked.read_to_end(&mut content)?;
        content
    } else {
        bytes
    };
    if content.len() as u64 > most {
        let error = match most {
            MOST_UNPACKED => "unpacked it has more than 4 GB".to_owned(),
            _ => format!("longer than {} MB", most >> 20),
        };
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, error));
    }
    Ok(content)
}

/// The letters of Windows-1252 that are not those of Latin-1, by byte from 0x80 on
/// (<https://encoding.spec.whatwg.org/#windows-1252>).
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
    '\u{8f}', //
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Whether a text is the record of a match, whose lines are JSON, and not PGN, which may begin with a comment in braces.
pub fn is_record(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"type\"")
}

/// Decodes a PGN file: by its byte order mark as UTF-8 or UTF-16, else as UTF-8 if valid, else as Windows-1252, which
/// includes the Latin-1 that the PGN standard prescribes. A library would bring the tables of all encodings, which are a
/// tenth of what a page without a server loads before its first turn.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xef, 0xbb, 0xbf, text @ ..] => String::from_utf8_lossy(text),
        [0xff, 0xfe, text @ ..] => utf16(text, u16::from_le_bytes).into(),
        [0xfe, 0xff, text @ ..] => utf16(text, u16::from_be_bytes).into(),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => bytes.iter().map(|&byte| windows_1252(byte)).collect(),
        },
    }
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Decodes UTF-16; what is no letter, and a single byte at the end, become the replacement character.
fn utf16(text: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (units, rest) = text.as_chunks::<2>();
    let letters = char::decode_utf16(units.iter().map(|&bytes| unit(bytes)));
    let rest = (!rest.is_empty()).then_some(char::REPLACEMENT_CHARACTER);
    letters
        .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
        .chain(rest)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{decode, unpack, unpack_at_most};
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
        // What is unpacked is bounded, too, and not only what comes.
        let bomb = packed(&[b' '; 3 << 20]);
        assert!(unpack_at_most(bomb.clone(), 3 << 20).is_ok());
        let error = unpack_at_most(bomb, 2 << 20).expect_err("too long");
        assert_eq!(error.to_string(), "longer than 2 MB");
        assert!(unpack_at_most(vec![0; (2 << 20) + 1], 2 << 20).is_err());
    }

    #[test]
    fn names_of_older_files_are_read() {
        assert_eq!(decode("Müller".as_bytes()), "Müller");
        assert_eq!(decode(b"\xef\xbb\xbfM\xc3\xbcller"), "Müller");
        assert_eq!(decode(b"M\xfcller \x96 Kr\xe1l"), "Müller \u{2013} Král");
        assert_eq!(decode(b"\xff\xfeM\0\xfc\0"), "Mü");
        assert_eq!(decode(b"\xff\xfeM\0\xfc"), "M\u{fffd}");
    }

    /// Every byte, and random ones behind each mark, are what a library makes of them.
    #[test]
    fn letters_are_those_of_the_encodings() {
        let all: Vec<u8> = (0..=255).collect();
        let (letters, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&all);
        assert_eq!(decode(&all), letters);
        for (mark, encoding) in [
            (&[0xef, 0xbb, 0xbf][..], encoding_rs::UTF_8),
            (&[0xff, 0xfe], encoding_rs::UTF_16LE),
            (&[0xfe, 0xff], encoding_rs::UTF_16BE),
        ] {
            let mut random = 1u64;
            // Half a letter at the end is a matter of taste.
            for length in (0..800).step_by(2) {
                let text: Vec<u8> = (0..length % 60)
                    .map(|_| {
                        random = random
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(1);
                        // Halves of pairs of UTF-16 are common.
                        let byte = (random >> 56) as u8;
                        if random >> 40 & 3 == 0 {
                            0xd8 | byte & 7
                        } else {
                            byte
                        }
                    })
                    .collect();
                let (wanted, _) = encoding.decode_without_bom_handling(&text);
                assert_eq!(decode(&[mark, &text].concat()), wanted, "{mark:?} {text:?}");
            }
        }
    }
}
