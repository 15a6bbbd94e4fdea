use anyhow::{Error, Result, bail, ensure};
use fauve_engine::rules::RuleSettings;
use fauve_engine::{Variant, with_game};
use fauve_game::names;
use fauve_game::pgn::{self, PgnGame};
use fauve_referee::plan::openings;
use fauve_referee::record::lines::parse;
use fauve_referee::record::pgn::pgn_game;

/// What a file holds.
pub(super) enum Source {
    /// Positions, a line each.
    Positions(Vec<String>),
    /// Games.
    Games(Games),
}

/// The games of a file.
pub(super) struct Games {
    /// Those that can be analysed.
    pub(super) games: Vec<SourceGame>,
    /// The others, by number from 1: of a game that is not known here, for instance.
    pub(super) unread: Vec<(usize, Error)>,
}

impl Games {
    /// How many there are in the file.
    pub(super) fn count(&self) -> usize {
        self.games.len() + self.unread.len()
    }
}

/// A game to be analysed, whatever its file's format.
pub(super) struct SourceGame {
    /// Its number in the file, from 1.
    pub(super) number: usize,
    /// The game that it is of.
    pub(super) variant: Variant,
    /// The rule switches.
    pub(super) rules: RuleSettings,
    /// What the file says.
    pub(super) pgn: PgnGame,
}

impl Source {
    /// Reads a record, a PGN, a list of turns, or positions (FEN or EPD), whichever the text is; `variant` is the game, and `rules` are
    /// the rule switches, where the text names none.
    ///
    /// # Errors
    /// What cannot be read, or names a game that is not known; rules for a record, which has its own.
    pub(super) fn read(text: &[u8], variant: Variant, rules: &[(String, String)]) -> Result<Self> {
        let words = pgn::decode(text);
        let words = words.trim();
        if pgn::is_record(words) {
            ensure!(
                rules.is_empty(),
                "--rule cannot be combined with a record, which has its own rules"
            );
            return Ok(Self::Games(Games {
                games: games_of_record(text)?,
                unread: Vec::new(),
            }));
        }
        if openings::lines(words).next().is_some_and(is_position) {
            return Ok(Self::Positions(
                openings::lines(words).map(str::to_owned).collect(),
            ));
        }
        let mut games = Games {
            games: Vec::new(),
            unread: Vec::new(),
        };
        for (number, game) in (1..).zip(pgn::parse(words)) {
            match of_pgn(number, game, variant, rules) {
                Ok(game) => games.games.push(game),
                Err(error) => games.unread.push((number, error)),
            }
        }
        ensure!(
            games.count() > 0,
            "there is neither a game nor a position in it"
        );
        Ok(Self::Games(games))
    }
}

/// Whether a line looks like a position string and not like the moves of a game: ranks in its first word, and a side.
fn is_position(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let board = words.next().unwrap_or_default();
    let side = words.next().unwrap_or_default();
    !board.starts_with('[') && board.contains('/') && matches!(side, "w" | "b")
}

fn games_of_record(text: &[u8]) -> Result<Vec<SourceGame>> {
    let record = parse(text)?.record;
    let header = &record.header;
    let variant = names::variant(&header.variant)?;
    let rules = header.rule_settings()?;
    let games = record
        .games
        .iter()
        .enumerate()
        .map(|(place, game)| SourceGame {
            number: place + 1,
            variant,
            rules: rules.clone(),
            pgn: with_game!(variant, G => pgn_game::<G>(header, game, &rules.options())),
        });
    Ok(games.collect())
}

fn of_pgn(
    number: usize,
    mut pgn: PgnGame,
    variant: Variant,
    rules: &[(String, String)],
) -> Result<SourceGame> {
    let variant = names::variant_of_pgn(&pgn, variant)?;
    if pgn.line.turns.is_empty() && pgn.tags.is_empty() {
        bail!("there are no turns");
    }
    add_rules(&mut pgn, variant, rules);
    Ok(SourceGame {
        number,
        variant,
        rules: names::rules_of_pgn(&pgn)?,
        pgn,
    })
}

/// Writes rule switches to the tags of a game that says nothing about them, so that it is read by them and keeps them when it is written.
/// Those of other games mean nothing to it.
fn add_rules(pgn: &mut PgnGame, variant: Variant, rules: &[(String, String)]) {
    let named = names::rule_tags(&pgn.tags);
    for (name, value) in rules {
        let is_it = |other: &str| other.eq_ignore_ascii_case(name);
        let is_known = variant.options().iter().any(|option| is_it(option.name));
        if is_known && !named.iter().any(|(other, _)| is_it(other)) {
            names::set_rule_tag(&mut pgn.tags, name, value);
        }
    }
}
