//! Network files: reading what may be anything, writing what the trainer made.
//!
//! All numbers are little endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `FAUVENN1` |
//! | 16 | the game's name, padded with zero bytes |
//! | 3 × 4 | inputs, hidden neurons, output buckets |
//! | 8, 8 | how it was made: the seed of the training, the positions trained on |
//! | 8 | checksum: FNV-1a, 64 bits, of all other bytes of the file |
//! | 2 × inputs × hidden | weights of the inputs, those of one input side by side |
//! | 2 × hidden | biases of the hidden neurons |
//! | 2 × buckets × 2 × hidden | weights of the outputs: per bucket the side to move's half, then the other's |
//! | 4 × buckets | biases of the outputs |
//!
//! The networks that the games come with are [packed].
//!
//! The sums of the hidden neurons are of 16 bits and wrap around. They never do where a neuron's bias and its 32 largest
//! weights (those of a piece's threats with that of the piece) and those of the reserves stay below 32,768 together: weights of up to 330, say.

use super::HasNetwork;
use super::features::BUCKETS;
use super::packed::{self, PACKED_MAGIC};
use std::error::Error;
use std::fmt;
use std::marker::PhantomData;

/// How a file begins.
pub const MAGIC: [u8; 8] = *b"FAUVENN1";
/// The longest file that is read.
pub const MAX_BYTES: usize = 1 << 20;
/// The fewest hidden neurons, and what their number is a multiple of.
pub const HIDDEN_STEP: usize = 32;
/// The most hidden neurons.
pub const MAX_HIDDEN: usize = 256;
/// The largest amount of an output weight: its product with a clamped accumulator fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;

const NAME_BYTES: usize = 16;
pub(super) const CHECKSUM_AT: usize = 52;
pub(super) const HEADER: usize = 60;

/// Why parameters are refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// The game is not evaluated by networks.
    NoNetworks,
    /// The bytes do not begin as a network file does.
    NotANetwork,
    /// The file ends too early.
    Cut {
        /// The bytes that there should be (at least, if the header is cut).
        expected: usize,
        /// The bytes that there are.
        found: usize,
    },
    /// The file has extra bytes at its end.
    TooLong {
        /// The bytes that there should be (at most).
        expected: usize,
        /// The bytes that there are.
        found: usize,
    },
    /// The network is for another game.
    WrongGame {
        /// The game's name.
        expected: &'static str,
        /// The name in the file.
        found: String,
    },
    /// The dimensions of the network do not fit the game or this program.
    WrongShape {
        /// What there is a wrong number of.
        what: &'static str,
        /// The number in the file.
        found: u64,
    },
    /// The bytes are not those that were written.
    WrongChecksum,
    /// An output weight is too large for the arithmetic.
    OutputWeight(i16),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNetworks => f.write_str("this game is not evaluated by networks"),
            Self::NotANetwork => f.write_str("not a network file"),
            Self::Cut { expected, found } => {
                write!(f, "cut off: {found} bytes where {expected} are needed")
            }
            Self::TooLong { expected, found } => {
                write!(f, "too long: {found} bytes where {expected} are enough")
            }
            Self::WrongGame { expected, found } => {
                write!(f, "a network for {found:?}, not for {expected}")
            }
            Self::WrongShape { what, found } => {
                write!(f, "a network of another shape: {found} {what}")
            }
            Self::WrongChecksum => f.write_str("damaged: the checksum is wrong"),
            Self::OutputWeight(weight) => {
                write!(
                    f,
                    "an output weight of {weight}, beyond ±{MAX_OUTPUT_WEIGHT}"
                )
            }
        }
    }
}

impl Error for NetworkError {}

/// How a network was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The seed of the training.
    pub seed: u64,
    /// The number of positions trained on.
    pub positions: u64,
}

/// The numbers of a network for a game, quantised, of a shape that fits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters<G> {
    hidden: usize,
    origin: Origin,
    weights: Vec<i16>,
    biases: Vec<i16>,
    output: Vec<i16>,
    output_biases: Vec<i32>,
    game: PhantomData<G>,
}

impl<G: HasNetwork> Parameters<G> {
    /// Parameters from their parts, in the order of the file: `weights` by input, `biases`, `output` by bucket, and
    /// `output_biases`. The number of biases is that of the hidden neurons.
    ///
    /// # Errors
    /// Parts that do not fit each other or the game, and output weights beyond ±127.
    pub fn new(
        origin: Origin,
        weights: Vec<i16>,
        biases: Vec<i16>,
        output: Vec<i16>,
        output_biases: Vec<i32>,
    ) -> Result<Self, NetworkError> {
        let hidden = biases.len();
        check_hidden(hidden as u64)?;
        for (what, found, expected) in [
            ("weights", weights.len(), G::INPUTS * hidden),
            ("output weights", output.len(), BUCKETS * 2 * hidden),
            ("output biases", output_biases.len(), BUCKETS),
        ] {
            if found != expected {
                let found = found as u64;
                return Err(NetworkError::WrongShape { what, found });
            }
        }
        match output
            .iter()
            .find(|weight| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT.unsigned_abs())
        {
            Some(&weight) => Err(NetworkError::OutputWeight(weight)),
            None => Ok(Self {
                hidden,
                origin,
                weights,
                biases,
                output,
                output_biases,
                game: PhantomData,
            }),
        }
    }

    /// The smallest network by which every position is even: all numbers are 0.
    pub fn zero() -> Self {
        let hidden = HIDDEN_STEP;
        Self {
            hidden,
            origin: Origin::default(),
            weights: vec![0; G::INPUTS * hidden],
            biases: vec![0; hidden],
            output: vec![0; BUCKETS * 2 * hidden],
            output_biases: vec![0; BUCKETS],
            game: PhantomData,
        }
    }

    /// Reads a file, plain or packed.
    ///
    /// # Errors
    /// Everything that is not, byte for byte, what [`Parameters::to_bytes`] or [`Parameters::to_packed_bytes`] writes for this game, or
    /// wrote when networks had [`HasNetwork::FIRST_INPUTS`] alone.
    /// Numbers of bytes in the errors are those of the plain file, as far as a packed one can be unpacked.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let (header, mut payload) = split(bytes)?;
        if header.game != padded(G::NAME) {
            return Err(NetworkError::WrongGame {
                expected: G::NAME,
                found: readable(header.game),
            });
        }
        let (inputs, buckets) = (header.inputs as usize, header.buckets as usize);
        let sizes = [G::INPUTS, G::FIRST_INPUTS];
        for (what, found, fits) in [
            ("inputs", inputs, sizes.contains(&inputs)),
            ("output buckets", buckets, buckets == BUCKETS),
        ] {
            if !fits {
                let found = found as u64;
                return Err(NetworkError::WrongShape { what, found });
            }
        }
        let hidden = check_hidden(u64::from(header.hidden))?;
        let expected = HEADER + payload_bytes(inputs, hidden);
        let found = if header.is_packed {
            packed::plain_length(payload)?
        } else {
            bytes.len()
        };
        if found < expected {
            return Err(NetworkError::Cut { expected, found });
        }
        if found > expected {
            return Err(NetworkError::TooLong { expected, found });
        }
        let counts = [inputs * hidden, hidden, BUCKETS * 2 * hidden];
        let (weights, output_biases, sum);
        if header.is_packed {
            let mut numbers = packed::Unpacker::new(bytes);
            weights = counts.map(|count| numbers.take(count));
            output_biases = halves(&numbers.take(2 * BUCKETS)?);
            sum = numbers.sum.0;
        } else {
            weights = counts.map(|count| Ok(take(&mut payload, count, i16::from_le_bytes)));
            output_biases = take(&mut payload, BUCKETS, i32::from_le_bytes);
            sum = checksum(bytes);
        }
        let [weights, biases, output] = weights;
        let (mut weights, biases, output) = (weights?, biases?, output?);
        if sum != header.checksum {
            return Err(NetworkError::WrongChecksum);
        }
        weights.resize(G::INPUTS * hidden, 0);
        Self::new(header.origin, weights, biases, output, output_biases)
    }

    /// The plain file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + payload_bytes(G::INPUTS, self.hidden));
        bytes.extend(MAGIC);
        bytes.extend(padded(G::NAME));
        for number in [G::INPUTS, self.hidden, BUCKETS] {
            bytes.extend((number as u32).to_le_bytes());
        }
        bytes.extend(self.origin.seed.to_le_bytes());
        bytes.extend(self.origin.positions.to_le_bytes());
        bytes.extend([0; HEADER - CHECKSUM_AT]);
        for part in [&self.weights, &self.biases, &self.output] {
            bytes.extend(part.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(
            self.output_biases
                .iter()
                .flat_map(|bias| bias.to_le_bytes()),
        );
        let sum = checksum(&bytes);
        bytes[CHECKSUM_AT..HEADER].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// The file in about half the bytes, as long as most weights are below 64.
    pub fn to_packed_bytes(&self) -> Vec<u8> {
        packed::pack(&self.to_bytes())
    }

    /// The number of hidden neurons, a multiple of 32 up to 256.
    pub const fn hidden(&self) -> usize {
        self.hidden
    }

    /// How the network was made.
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// The weights of the inputs, [`Parameters::hidden`] numbers each.
    pub fn weights(&self) -> &[i16] {
        &self.weights
    }

    /// The biases of the hidden neurons.
    pub fn biases(&self) -> &[i16] {
        &self.biases
    }

    /// The weights of the outputs: per bucket the side to move's half, then the other's.
    pub fn output(&self) -> &[i16] {
        &self.output
    }

    /// The biases of the outputs.
    pub fn output_biases(&self) -> &[i32] {
        &self.output_biases
    }
}

/// The name of the game whose network a file is, which may be no game.
///
/// # Errors
/// What does not begin as a network file does.
pub fn game_of(file: &[u8]) -> Result<String, NetworkError> {
    split(file).map(|(header, _)| readable(header.game))
}

/// The fields before the weights.
struct Header {
    is_packed: bool,
    game: [u8; NAME_BYTES],
    inputs: u32,
    hidden: u32,
    buckets: u32,
    origin: Origin,
    checksum: u64,
}

/// Splits a file into header and payload without interpreting them.
fn split(bytes: &[u8]) -> Result<(Header, &[u8]), NetworkError> {
    let magic = &bytes[..bytes.len().min(MAGIC.len())];
    let is_packed = PACKED_MAGIC == *magic;
    if !is_packed && !MAGIC.starts_with(magic) {
        return Err(NetworkError::NotANetwork);
    }
    let found = bytes.len();
    if found > MAX_BYTES && !is_packed {
        let expected = MAX_BYTES;
        return Err(NetworkError::TooLong { expected, found });
    }
    let mut rest = bytes;
    let mut fields = || {
        next::<{ MAGIC.len() }>(&mut rest)?;
        Some(Header {
            is_packed,
            game: next(&mut rest)?,
            inputs: u32::from_le_bytes(next(&mut rest)?),
            hidden: u32::from_le_bytes(next(&mut rest)?),
            buckets: u32::from_le_bytes(next(&mut rest)?),
            origin: Origin {
                seed: u64::from_le_bytes(next(&mut rest)?),
                positions: u64::from_le_bytes(next(&mut rest)?),
            },
            checksum: u64::from_le_bytes(next(&mut rest)?),
        })
    };
    let expected = HEADER;
    let header = fields().ok_or(NetworkError::Cut { expected, found })?;
    Ok((header, rest))
}

/// Removes and returns the next `N` bytes, if there are that many.
fn next<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(*bytes)
}

/// Takes `count` numbers off. The caller has checked the length.
fn take<const N: usize, T>(rest: &mut &[u8], count: usize, read: fn([u8; N]) -> T) -> Vec<T> {
    let (bytes, behind) = rest.split_at(count * N);
    *rest = behind;
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|&chunk| read(chunk))
        .collect()
}

/// Numbers of 32 bits from their halves, the lower first.
fn halves(numbers: &[i16]) -> Vec<i32> {
    numbers
        .as_chunks()
        .0
        .iter()
        .map(|&[low, high]| i32::from(high) << 16 | i32::from(low.cast_unsigned()))
        .collect()
}

fn check_hidden(hidden: u64) -> Result<usize, NetworkError> {
    let fits = hidden.is_multiple_of(HIDDEN_STEP as u64)
        && (HIDDEN_STEP as u64..=MAX_HIDDEN as u64).contains(&hidden);
    if fits {
        Ok(hidden as usize)
    } else {
        Err(NetworkError::WrongShape {
            what: "hidden neurons",
            found: hidden,
        })
    }
}

/// Returns the number of bytes after the header of a network with this number of inputs and of hidden neurons, at most [`MAX_HIDDEN`].
const fn payload_bytes(inputs: usize, hidden: usize) -> usize {
    2 * (inputs * hidden + hidden + BUCKETS * 2 * hidden) + 4 * BUCKETS
}

const fn padded(name: &str) -> [u8; NAME_BYTES] {
    let mut padded = [0; NAME_BYTES];
    let (name, space) = (name.as_bytes(), padded.split_at_mut(name.len()).0);
    space.copy_from_slice(name);
    padded
}

/// A name of a file that may be no name.
fn readable(name: [u8; NAME_BYTES]) -> String {
    let length = name
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(NAME_BYTES);
    String::from_utf8_lossy(&name[..length]).into_owned()
}

/// The hash FNV-1a of Fowler, Noll and Vo, with 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>).
pub(super) struct Checksum(pub(super) u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    #[inline(always)]
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    }
}

/// The checksum of a whole file but for the place of the checksum.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = Checksum::default();
    sum.add(&bytes[..CHECKSUM_AT]);
    sum.add(&bytes[HEADER..]);
    sum.0
}

#[cfg(test)]
mod tests {
    use super::super::test_support::random_parameters;
    use super::*;
    use crate::rules::chess::Chess;
    use crate::rules::superchess::Superchess;
    use crate::rules::twomove::TwoMove;

    fn chess() -> Vec<u8> {
        random_parameters::<Chess>(32, 7).to_bytes()
    }

    fn refusal(bytes: &[u8]) -> NetworkError {
        Parameters::<Chess>::from_bytes(bytes).expect_err("must be refused")
    }

    /// The same file with other bytes at a place, and the checksum that belongs to them.
    fn forged(at: usize, bytes: &[u8]) -> Vec<u8> {
        let mut file = chess();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        let sum = checksum(&file);
        file[CHECKSUM_AT..HEADER].copy_from_slice(&sum.to_le_bytes());
        file
    }

    #[test]
    fn written_and_read() {
        for hidden in [32, 64, 128, 256] {
            let parameters = random_parameters::<Superchess>(hidden, 1);
            let bytes = parameters.to_bytes();
            assert!(bytes.len() <= MAX_BYTES);
            assert_eq!(
                bytes.len(),
                HEADER + payload_bytes(Superchess::INPUTS, hidden)
            );
            let read = Parameters::<Superchess>::from_bytes(&bytes).expect("our own file");
            assert_eq!(read, parameters);
            assert_eq!(read.to_bytes(), bytes);
        }
    }

    #[test]
    fn the_bytes_are_where_the_table_says() {
        let parameters = random_parameters::<Chess>(32, 7);
        let bytes = parameters.to_bytes();
        assert_eq!(&bytes[..14], b"FAUVENN1chess\0");
        assert_eq!(&bytes[24..36], [0, 3, 0, 0, 32, 0, 0, 0, 8, 0, 0, 0]);
        assert_eq!(bytes[36..44], parameters.origin().seed.to_le_bytes());
        assert_eq!(bytes[44..52], parameters.origin().positions.to_le_bytes());
        assert_eq!(bytes[60..62], parameters.weights()[0].to_le_bytes());
        let last = parameters.output_biases()[BUCKETS - 1].to_le_bytes();
        assert_eq!(bytes[bytes.len() - 4..], last);
    }

    #[test]
    fn the_checksum_is_the_public_one() {
        // A file of which only one byte counts: the published hash of "a".
        let mut empty = vec![0; HEADER];
        empty[0] = b'a';
        let zeros =
            |hash: u64, n: usize| (0..n).fold(hash, |hash, _| hash.wrapping_mul(0x0100_0000_01b3));
        assert_eq!(
            checksum(&empty),
            zeros(0xaf63_dc4c_8601_ec8c, CHECKSUM_AT - 1)
        );
    }

    #[test]
    fn cut_anywhere() {
        let bytes = chess();
        let whole = bytes.len();
        for length in (0..200)
            .chain((200..whole).step_by(97))
            .chain(whole - 9..whole)
        {
            let expected = if length < HEADER { HEADER } else { whole };
            let found = length;
            let cut = NetworkError::Cut { expected, found };
            assert_eq!(refusal(&bytes[..length]), cut);
        }
    }

    #[test]
    fn too_long() {
        let mut bytes = chess();
        let expected = bytes.len();
        for more in [1, 2, 60, 4096] {
            bytes.resize(expected + more, 0);
            let found = expected + more;
            assert_eq!(refusal(&bytes), NetworkError::TooLong { expected, found });
        }
        bytes.resize(MAX_BYTES + 1, 0);
        let (expected, found) = (MAX_BYTES, MAX_BYTES + 1);
        assert_eq!(refusal(&bytes), NetworkError::TooLong { expected, found });
    }

    #[test]
    fn something_else() {
        for text in [&b"MZ"[..], b"FAUVENN2", b"\0", &[0xff; 5000]] {
            assert_eq!(refusal(text), NetworkError::NotANetwork);
        }
        let mut bytes = chess();
        bytes[7] = b'2';
        assert_eq!(refusal(&bytes), NetworkError::NotANetwork);
    }

    #[test]
    fn another_game() {
        let bytes = random_parameters::<Superchess>(32, 7).to_bytes();
        let found = "superchess".to_owned();
        let expected = "chess";
        assert_eq!(refusal(&bytes), NetworkError::WrongGame { expected, found });
        // Right letters, then something in the padding; and no letters at all.
        let found = "chess".to_owned();
        assert_eq!(
            refusal(&forged(8 + 15, b"x")),
            NetworkError::WrongGame { expected, found }
        );
        let found = "\u{fffd}".repeat(16);
        assert_eq!(
            refusal(&forged(8, &[0xff; 16])),
            NetworkError::WrongGame { expected, found }
        );
    }

    #[test]
    fn another_shape() {
        for (at, what) in [
            (24, "inputs"),
            (28, "hidden neurons"),
            (32, "output buckets"),
        ] {
            for wrong in [0, 1, 31, 33, 255, 288, 1024, u32::MAX / 2 + 1, u32::MAX] {
                let found = u64::from(wrong);
                assert_eq!(
                    refusal(&forged(at, &wrong.to_le_bytes())),
                    NetworkError::WrongShape { what, found }
                );
            }
        }
        // A shape that would do, but is not that of the bytes.
        let (expected, found) = (HEADER + payload_bytes(Chess::INPUTS, 64), chess().len());
        assert_eq!(
            refusal(&forged(28, &64u32.to_le_bytes())),
            NetworkError::Cut { expected, found }
        );
    }

    #[test]
    fn a_file_without_the_later_inputs() {
        let new = random_parameters::<TwoMove>(64, 9);
        let first = TwoMove::FIRST_INPUTS * 64;
        let mut bytes = new.to_bytes();
        bytes.drain(HEADER + 2 * first..HEADER + 2 * new.weights().len());
        bytes[24..28].copy_from_slice(&(TwoMove::FIRST_INPUTS as u32).to_le_bytes());
        let sum = checksum(&bytes).to_le_bytes();
        bytes[CHECKSUM_AT..HEADER].copy_from_slice(&sum);
        let old = Parameters::<TwoMove>::from_bytes(&bytes).expect("a network that sees less");
        assert_eq!(old.weights()[..first], new.weights()[..first]);
        assert_eq!(old.weights().len(), new.weights().len());
        assert!(old.weights()[first..].iter().all(|&weight| weight == 0));
        assert_eq!(old.biases(), new.biases());
        assert_eq!(old.output(), new.output());
        bytes.pop();
        let (expected, found) = (bytes.len() + 1, bytes.len());
        let refused = Parameters::<TwoMove>::from_bytes(&bytes);
        assert_eq!(refused, Err(NetworkError::Cut { expected, found }));
    }

    #[test]
    fn any_flipped_bit() {
        let bytes = chess();
        let places = (0..HEADER + 40).chain((HEADER + 40..bytes.len()).step_by(211));
        for at in places.chain([bytes.len() - 1]) {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                let error = refusal(&flipped);
                if at >= 36 {
                    assert_eq!(error, NetworkError::WrongChecksum);
                }
            }
        }
    }

    #[test]
    fn a_heavy_output_weight() {
        let at = HEADER + 2 * (Chess::INPUTS * 32 + 32 + 5);
        for weight in [128, -128, i16::MAX, i16::MIN] {
            assert_eq!(
                refusal(&forged(at, &weight.to_le_bytes())),
                NetworkError::OutputWeight(weight)
            );
        }
        for weight in [127i16, -127] {
            let bytes = forged(at, &weight.to_le_bytes());
            assert!(Parameters::<Chess>::from_bytes(&bytes).is_ok());
        }
    }

    #[test]
    fn parts_that_do_not_fit() {
        let good = random_parameters::<Chess>(64, 3);
        let build = |weights: usize, biases: usize, output: usize, last: usize| {
            let (weights, biases, output) = (vec![0; weights], vec![0; biases], vec![0; output]);
            Parameters::<Chess>::new(good.origin(), weights, biases, output, vec![0; last])
                .map(|_| ())
        };
        let error = |what, found| Err(NetworkError::WrongShape { what, found });
        assert_eq!(build(768 * 64, 64, 1024, 8), Ok(()));
        assert_eq!(build(768 * 64, 63, 1024, 8), error("hidden neurons", 63));
        assert_eq!(build(768 * 63, 64, 1024, 8), error("weights", 768 * 63));
        assert_eq!(build(768 * 64, 64, 1023, 8), error("output weights", 1023));
        assert_eq!(build(768 * 64, 64, 1024, 7), error("output biases", 7));
    }
}
