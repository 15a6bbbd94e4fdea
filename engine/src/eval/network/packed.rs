//! Network files in half the bytes: what the games come with.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `FAUVENNP` |
//! | 52 | as in the [plain file](super::file) from its 8th byte to the weights |
//! | 1 to 3 each | every 16 bits of what follows there, as a signed number: 0, -1, 1, -2, … are 0, 1, 2, 3, … (zigzag), 7 bits a byte, the lowest first, all bytes but the last with their top bit set (LEB128) |
//!
//! Nearly all weights are between -64 and 63, and take one byte of the two. This is read as quickly as the plain file, because the
//! checksum, which is that of the plain file, takes longer than the rest.

use super::NetworkError;
use super::file::{CHECKSUM_AT, Checksum, HEADER, MAGIC};
use std::slice;

/// How a packed file begins.
pub const PACKED_MAGIC: [u8; 8] = *b"FAUVENNP";

/// Packs a plain file.
pub(super) fn pack(plain: &[u8]) -> Vec<u8> {
    let (header, numbers) = plain.split_at(HEADER);
    let mut packed = Vec::with_capacity(plain.len() / 2 + HEADER);
    packed.extend(PACKED_MAGIC);
    packed.extend(&header[MAGIC.len()..]);
    for &number in numbers.as_chunks().0 {
        let number = i16::from_le_bytes(number);
        let mut rest = (number << 1 ^ number >> 15).cast_unsigned();
        while rest >= 0x80 {
            packed.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        packed.push(rest as u8);
    }
    packed
}

/// The length of the plain file of a packed one, whose numbers these are.
///
/// # Errors
/// The last number is cut.
pub(super) fn plain_length(numbers: &[u8]) -> Result<usize, NetworkError> {
    if numbers.last().is_some_and(|last| last & 0x80 != 0) {
        let found = HEADER + numbers.len();
        let expected = found + 1;
        return Err(NetworkError::Cut { expected, found });
    }
    // Each number has one byte without the top bit.
    Ok(HEADER + 2 * numbers.iter().filter(|&byte| byte & 0x80 == 0).count())
}

/// The numbers of a packed file, one after the other, and the checksum of the plain file as far as it was read.
pub(super) struct Unpacker<'a> {
    bytes: slice::Iter<'a, u8>,
    pub(super) sum: Checksum,
}

impl<'a> Unpacker<'a> {
    /// Reads a packed file that has a whole header.
    pub(super) fn new(packed: &'a [u8]) -> Self {
        let mut sum = Checksum::default();
        sum.add(&MAGIC);
        sum.add(&packed[MAGIC.len()..CHECKSUM_AT]);
        let bytes = packed[HEADER..].iter();
        Self { bytes, sum }
    }

    /// The next `count` numbers.
    ///
    /// # Errors
    /// The file ends before them, or one of them is not in the bytes that [`pack`] writes.
    pub(super) fn take(&mut self, count: usize) -> Result<Vec<i16>, NetworkError> {
        let mut numbers = Vec::with_capacity(count);
        for _ in 0..count {
            let number = self.number().ok_or(NetworkError::WrongChecksum)?;
            // Beside the unpacking this takes no time of its own: each of its steps waits for the one before.
            self.sum.add(&number.to_le_bytes());
            numbers.push(number);
        }
        Ok(numbers)
    }

    /// The next number; `None` if it is not what [`pack`] writes.
    #[inline(always)]
    fn number(&mut self) -> Option<i16> {
        let mut last = *self.bytes.next()?;
        let mut number = u32::from(last & 0x7f);
        let mut shift = 7;
        while last & 0x80 != 0 {
            last = *self.bytes.next()?;
            number |= u32::from(last & 0x7f) << shift;
            shift += 7;
            if last == 0 || shift > 21 {
                return None;
            }
        }
        let number = u16::try_from(number).ok()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Parameters;
    use super::super::file::checksum;
    use super::super::test_support::random_parameters;
    use super::*;
    use crate::rules::chess::Chess;
    use crate::rules::superchess::Superchess;

    /// A packed file with these bytes behind a header of zeros.
    fn file(numbers: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        bytes[..8].copy_from_slice(&PACKED_MAGIC);
        bytes.extend(numbers);
        bytes
    }

    fn refusal(bytes: &[u8]) -> NetworkError {
        Parameters::<Chess>::from_bytes(bytes).expect_err("must be refused")
    }

    #[test]
    fn every_number_comes_back_in_the_bytes_of_the_table() {
        for (number, bytes) in [
            (0i16, &[0u8][..]),
            (-1, &[1]),
            (1, &[2]),
            (63, &[126]),
            (-64, &[127]),
            (64, &[0x80, 1]),
            (i16::MAX, &[0xfe, 0xff, 3]),
            (i16::MIN, &[0xff, 0xff, 3]),
        ] {
            let mut plain = vec![0; HEADER];
            plain[..8].copy_from_slice(&MAGIC);
            plain.extend(number.to_le_bytes());
            assert_eq!(pack(&plain), file(bytes), "{number}");
        }
        let mut plain = vec![0; HEADER];
        plain[..8].copy_from_slice(&MAGIC);
        plain.extend((i16::MIN..=i16::MAX).flat_map(i16::to_le_bytes));
        let packed = pack(&plain);
        assert_eq!(plain_length(&packed[HEADER..]), Ok(plain.len()));
        let mut numbers = Unpacker::new(&packed);
        let all: Vec<_> = (i16::MIN..=i16::MAX).collect();
        assert_eq!(numbers.take(all.len()), Ok(all));
        assert_eq!(numbers.sum.0, checksum(&plain));
        assert_eq!(numbers.take(1), Err(NetworkError::WrongChecksum));
    }

    #[test]
    fn a_packed_network_is_the_network() {
        for hidden in [32, 256] {
            let parameters = random_parameters::<Superchess>(hidden, 1);
            let packed = parameters.to_packed_bytes();
            assert_eq!(&packed[..18], b"FAUVENNPsuperchess");
            assert_eq!(Parameters::from_bytes(&packed), Ok(parameters));
        }
    }

    #[test]
    fn damaged_packed_files_are_refused() {
        let whole = random_parameters::<Chess>(32, 7).to_packed_bytes();
        for length in (0..200).chain((200..whole.len()).step_by(997)) {
            let error = refusal(&whole[..length]);
            assert!(
                matches!(error, NetworkError::Cut { .. }),
                "{length}: {error}"
            );
        }
        let places = (0..HEADER + 40).chain((HEADER + 40..whole.len()).step_by(997));
        for at in places {
            for bit in 0..8 {
                let mut flipped = whole.clone();
                flipped[at] ^= 1 << bit;
                refusal(&flipped);
            }
        }
        let mut longer = whole;
        longer.extend([0, 0]);
        assert!(matches!(refusal(&longer), NetworkError::TooLong { .. }));
    }

    #[test]
    fn numbers_in_other_bytes_than_theirs_are_refused() {
        // Zero and one in two bytes, more than 16 bits, a fourth byte, and a number without its end.
        for bytes in [
            &[0x80, 0][..],
            &[0x82, 0x80, 0],
            &[0xff, 0xff, 4],
            &[0xff, 0xff, 0x83, 1],
        ] {
            let file = file(bytes);
            let read = Unpacker::new(&file).take(1);
            assert_eq!(read, Err(NetworkError::WrongChecksum), "{bytes:?}");
        }
        for bytes in [&[0x80][..], &[0, 0xff, 0xff]] {
            let (found, expected) = (HEADER + bytes.len(), HEADER + bytes.len() + 1);
            let cut = NetworkError::Cut { expected, found };
            assert_eq!(plain_length(bytes), Err(cut));
        }
    }
}
