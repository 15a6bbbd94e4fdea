//! The first position of a game, as people and programs name it.

use fauve_engine::rules::{FenError, Notation, Parsed};

/// The start position that a text names: the usual one where it is empty or `startpos`, or one of the game's own; none where it names
/// none.
pub fn named<G: Notation>(text: &str, options: &G::Options) -> Option<G> {
    match text {
        "" | "startpos" => Some(G::start(options)),
        name => G::named_start(name, options),
    }
}

/// The position that a text names or describes: a start position by its name ([`named`]), any other by its position string.
///
/// ```
/// use fauve_engine::rules::chess::Chess;
/// use fauve_game::start::position;
///
/// let usual = position::<Chess>("startpos", &Default::default())?;
/// assert_eq!(usual.position, position::<Chess>(" ", &Default::default())?.position);
/// assert!(position::<Chess>("startpos-left", &Default::default()).is_err());
/// # Ok::<(), fauve_engine::rules::FenError>(())
/// ```
///
/// # Errors
/// The field of a position string that cannot be read or makes the position impossible.
pub fn position<G: Notation>(text: &str, options: &G::Options) -> Result<Parsed<G>, FenError> {
    let text = text.trim();
    match named(text, options) {
        Some(position) => Ok(Parsed::plain(position)),
        None => G::from_fen(text, options),
    }
}
