//! The networks that the games come with: part of the library (feature `networks`), or [given](give) to it.
//!
//! Without its network a game can be played and searched all the same. The evaluation is then what is left: that by hand where a game has one
//! (Cubes 4D), every position is even elsewhere. A program that gives networks does so before the first search of a game, which keeps the one that
//! it began with.

use super::file::game_of;
use super::{HasNetwork, Network, NetworkError};
use crate::rules::chess::Chess;
use crate::rules::cubes::Cubes4d;
use crate::rules::dice::DiceChess;
use crate::rules::superchess::Superchess;
use crate::rules::twomove::TwoMove;
use std::error::Error;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Where the network is that a game comes with.
#[derive(Debug)]
pub struct ShippedNetwork<G> {
    /// The file, where it is part of the library.
    file: Option<&'static [u8]>,
    /// What was read of it, or was given.
    network: OnceLock<Arc<Network<G>>>,
}

impl<G: HasNetwork> ShippedNetwork<G> {
    /// The network of a file, which is read when it is first asked for, or of none.
    pub(in crate::eval) const fn new(file: Option<&'static [u8]>) -> Self {
        let network = OnceLock::new();
        Self { file, network }
    }

    pub(super) fn get(&self) -> Option<Arc<Network<G>>> {
        let Some(file) = self.file else {
            return self.network.get().cloned();
        };
        // A test reads all of them.
        let read = || Arc::new(Network::from_bytes(file).expect("a network that was tested"));
        Some(Arc::clone(self.network.get_or_init(read)))
    }

    fn is_there(&self) -> bool {
        self.file.is_some() || self.network.get().is_some()
    }

    fn give(&self, file: &[u8]) -> Result<(), GiveError> {
        if self.is_there() {
            return Err(GiveError::Twice(G::NAME));
        }
        let network = Network::from_bytes(file).map_err(GiveError::Damaged)?;
        let given = self.network.set(Arc::new(network));
        given.map_err(|_| GiveError::Twice(G::NAME))
    }
}

/// Implements [`HasNetwork::place`] of a game by the file of its name in `engine/nets`.
macro_rules! shipped_network {
    ($game:ty, $name:literal) => {
        fn place() -> &'static $crate::eval::network::ShippedNetwork<Self> {
            const FILE: Option<&[u8]> = {
                #[cfg(feature = "networks")]
                {
                    Some(include_bytes!(concat!(
                        env!("CARGO_MANIFEST_DIR"),
                        "/nets/",
                        $name,
                        ".nn"
                    )))
                }
                #[cfg(not(feature = "networks"))]
                None
            };
            static PLACE: $crate::eval::network::ShippedNetwork<$game> =
                $crate::eval::network::ShippedNetwork::new(FILE);
            &PLACE
        }
    };
}
pub(in crate::eval) use shipped_network;

/// Why a network is not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GiveError {
    /// The game of this name has its network already.
    Twice(&'static str),
    /// No game of this name has a network.
    UnknownGame(String),
    /// It is no network, or not a whole one, or one of another shape.
    Damaged(NetworkError),
}

impl fmt::Display for GiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Twice(game) => write!(f, "there is a network for {game} already"),
            Self::UnknownGame(game) => {
                write!(
                    f,
                    "the network is for {game:?}, and no game of this name uses networks"
                )
            }
            Self::Damaged(why) => why.fmt(f),
        }
    }
}

impl Error for GiveError {}

/// A game that comes with a network, whichever it is.
struct Owner {
    name: &'static str,
    is_there: fn() -> bool,
    give: fn(&[u8]) -> Result<(), GiveError>,
}

impl Owner {
    const fn of<G: HasNetwork>() -> Self {
        Self {
            name: G::NAME,
            is_there: || G::place().is_there(),
            give: |file| G::place().give(file),
        }
    }
}

const OWNERS: [Owner; 5] = [
    Owner::of::<Superchess>(),
    Owner::of::<TwoMove>(),
    Owner::of::<DiceChess>(),
    Owner::of::<Cubes4d>(),
    Owner::of::<Chess>(),
];

/// The names of the games whose networks are neither part of the library nor given yet.
pub fn missing() -> impl Iterator<Item = &'static str> {
    let missing = OWNERS.iter().filter(|owner| !(owner.is_there)());
    missing.map(|owner| owner.name)
}

/// Gives the file of a game's network to a program that it is not part of; gives the game's name, which the file says. From then on it is the
/// one that the game [comes with](HasNetwork::shipped).
///
/// # Errors
/// When the game has its network already, when no game of this name has one, and when it is not whole; nothing changes then.
pub fn give(file: &[u8]) -> Result<&'static str, GiveError> {
    let name = game_of(file).map_err(GiveError::Damaged)?;
    let owner = OWNERS.iter().find(|owner| owner.name == name);
    let owner = owner.ok_or(GiveError::UnknownGame(name))?;
    (owner.give)(file)?;
    Ok(owner.name)
}

#[cfg(test)]
mod tests {
    use super::super::test_support::random_parameters;
    use super::*;

    #[test]
    fn a_network_is_taken_once_and_whole() {
        let place = ShippedNetwork::<Chess>::new(None);
        assert!(place.get().is_none() && !place.is_there());
        let parameters = random_parameters::<Chess>(32, 1);
        let file = parameters.to_packed_bytes();
        for half in [&file[..0], &file[..70], &file[..file.len() / 2]] {
            assert!(matches!(place.give(half), Err(GiveError::Damaged(_))));
        }
        let other = random_parameters::<Superchess>(32, 1).to_packed_bytes();
        assert!(matches!(place.give(&other), Err(GiveError::Damaged(_))));
        assert!(place.get().is_none(), "nothing has changed");
        assert_eq!(place.give(&file), Ok(()));
        let network = place.get().expect("the one that was given");
        assert_eq!(network.origin(), parameters.origin());
        assert_eq!(place.give(&file), Err(GiveError::Twice("chess")));
    }

    #[test]
    fn a_network_of_no_game_is_refused() {
        let mut file = random_parameters::<Chess>(32, 1).to_bytes();
        file[8..13].copy_from_slice(b"chezz");
        assert_eq!(give(&file), Err(GiveError::UnknownGame("chezz".into())));
        assert!(matches!(
            give(b"FAUVE"),
            Err(GiveError::Damaged(NetworkError::Cut { .. }))
        ));
        assert_eq!(
            give(b"network"),
            Err(GiveError::Damaged(NetworkError::NotANetwork))
        );
    }

    /// Every file of `engine/nets` is the network of a game in the list, and every game in the list has one.
    #[test]
    fn every_file_has_its_game() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/nets");
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).expect("the folder of networks") {
            let path = entry.expect("a file").path();
            let name = game_of(&std::fs::read(&path).expect("a file"));
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            assert_eq!(name.as_deref().ok(), stem);
            names.extend(name);
        }
        let mut owners = OWNERS.map(|owner| owner.name);
        names.sort_unstable();
        owners.sort_unstable();
        assert_eq!(names, owners);
    }

    #[cfg(feature = "networks")]
    #[test]
    fn networks_of_the_library_are_there() {
        assert_eq!(missing().count(), 0);
        let file = random_parameters::<Chess>(32, 1).to_bytes();
        assert_eq!(give(&file), Err(GiveError::Twice("chess")));
    }

    /// Nothing else gives networks in tests.
    #[cfg(not(feature = "networks"))]
    #[test]
    fn without_networks_positions_are_even() {
        use super::super::test_support::position;
        use crate::eval::Evaluate;
        use crate::rules::Notation;
        use crate::rules::dice::Options;
        assert_eq!(missing().count(), OWNERS.len());
        let ahead = "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 5";
        assert!(Chess::shipped().is_none());
        assert_eq!(position::<Chess>(ahead).evaluate(), 0);
        assert_eq!(DiceChess::start(&Options::default()).evaluate(), 0);
    }
}

#[cfg(all(test, feature = "networks"))]
mod sums {
    use super::super::features::{Features, MAX_PIECES, View};
    use super::super::file::Parameters;
    use super::*;
    use crate::core::{Color, Kind, Square};

    /// The most that the sum of any hidden neuron can be, whatever stands on the board.
    fn largest_sum<G: Features>() -> i32 {
        let file = G::place().file.expect("the feature is on");
        let parameters = Parameters::<G>::from_bytes(file).expect("a network that was tested");
        let (weights, hidden) = (parameters.weights(), parameters.hidden());
        let view = View::with(Color::White, false);
        let sums = (0..hidden).map(|neuron| {
            let weight = |input: usize| i32::from(weights[input * hidden + neuron]).abs();
            let mut pieces = Vec::new();
            let mut sum = i32::from(parameters.biases()[neuron]).abs();
            for owner in Color::ALL {
                for kind in Kind::ALL.into_iter().take(G::KINDS) {
                    pieces.extend(Square::all().map(|square| {
                        let threat = |set| weight(view.threat::<G>(set, owner, kind, square));
                        weight(view.piece::<G>(owner, kind, square))
                            + (0..G::THREATS).map(threat).sum::<i32>()
                    }));
                }
                let reserve = |bit| weight(view.reserve::<G>(owner, bit));
                sum += (0..G::RESERVE).map(reserve).sum::<i32>();
            }
            pieces.sort_unstable();
            sum + pieces.iter().rev().take(MAX_PIECES).sum::<i32>()
        });
        sums.max().expect("a neuron")
    }

    #[test]
    fn no_sum_wraps_around() {
        for sum in [
            largest_sum::<Chess>(),
            largest_sum::<Superchess>(),
            largest_sum::<TwoMove>(),
            largest_sum::<DiceChess>(),
        ] {
            assert!((1..1 << 15).contains(&sum), "{sum}");
        }
    }
}
