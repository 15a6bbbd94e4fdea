use anyhow::{Context, Result, anyhow, bail};
use fauve_engine::rules::DiceSeed;
use fauve_referee::record::{Record, pgn};
use std::path::Path;

/// A game to be analysed, whatever its file's format.
pub(super) struct Source {
    /// The first position, where it is not the start position.
    pub(super) start: Option<String>,
    /// The seed of the dice.
    pub(super) seed: Option<DiceSeed>,
    /// The turns as they are written, each with its roll.
    pub(super) turns: Vec<(Option<String>, String)>,
}

impl Source {
    /// The game with this number, from 1, of a PGN, a match record or a list of tokens.
    pub(super) fn read(path: &Path, number: usize) -> Result<Self> {
        let hex = |text: &str| text.parse().ok();
        let text = std::fs::read(path).with_context(|| path.display().to_string())?;
        let text = String::from_utf8_lossy(&text);
        if text.trim_start().starts_with("{\"") {
            let record = Record::read(path).map_err(|why| anyhow!(why))?;
            let game = record
                .games
                .into_iter()
                .nth(number - 1)
                .context("too few games")?;
            return Ok(Self {
                start: Some(game.start),
                seed: game.dice_seed.as_deref().and_then(hex),
                turns: game
                    .turns
                    .into_iter()
                    .map(|turn| (turn.roll, turn.token))
                    .collect(),
            });
        }
        let game = pgn::parse(&text)
            .into_iter()
            .nth(number - 1)
            .context("too few games")?;
        if game.turns.is_empty() {
            bail!("the game has no turns");
        }
        Ok(Self {
            start: game.tag("FEN").map(str::to_owned),
            seed: game.tag("DiceSeed").and_then(hex),
            turns: game.turns,
        })
    }
}
