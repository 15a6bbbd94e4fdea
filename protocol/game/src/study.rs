//! A game that is looked into: positions anywhere in its tree of turns, and variations that are added, promoted and deleted.

use crate::played::{Made, Played, Ply, TurnFault};
use crate::tree::{Branch, DEEPEST, Line, Path};
use fauve_engine::rules::{Game, Notation, Outcome};

/// The most turns that the tree of a game may hold when variations are added to it by hand.
pub const LARGEST_TREE: usize = 20_000;

/// Why the tree of a game was not changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StudyError {
    /// The place is not in the game, or lies behind a turn that could not be read.
    #[error("the game has no such position")]
    NoPlace,
    /// A turn that is to be added.
    #[error(transparent)]
    Turn(#[from] TurnFault),
    /// A game in which nothing is played yet, and that is over, has no turn to which there could be a variation.
    #[error("the game ended before its first turn")]
    Empty,
    /// Too many turns.
    #[error("a game holds no more than {LARGEST_TREE} turns with its variations")]
    TooLarge,
    /// Variations in variations beyond measure.
    #[error("variations are nested more than {DEEPEST} deep")]
    TooDeep,
    /// A null move or an unread text, which stand in variations only, would become part of the game.
    #[error("a null move or an unreadable turn cannot be part of the game itself")]
    NotAGame,
    /// The rules would end the game before the turns do.
    #[error("the game would be over before: {0}")]
    Over(Outcome),
}

impl<G: Notation> Played<G> {
    /// The game as it would be if it had come to this place: its turns are those that lead there, and nothing has ended it but
    /// the rules. The dice are rolled as they were for the turn that follows there.
    pub fn at(&self, path: &Path) -> Option<Self> {
        let options = *self.game().options();
        let mut at = Self::new(*self.start(), options);
        for node in self.line().turns_to(path)? {
            let made = &node.turn;
            match &made.ply {
                Ply::Turn(turn) => {
                    // A variation says its roll only where it is another than that of the turn it replaces.
                    if at.position().awaits_roll() {
                        at.set_roll(made.dice()?);
                    }
                    at.play(turn);
                }
                // What came before a null move is no repetition.
                Ply::Null => at = Self::new(at.position().null_move()?, options),
                Ply::Unread(_) => return None,
            }
        }
        let next = self.line().line(&path.branches)?.turns.get(path.turns);
        let roll = match next {
            Some(node) => node.turn.dice(),
            None if path.is_main() => self.rolled(),
            None => None,
        };
        if let Some(roll) = roll
            && at.position().awaits_roll()
        {
            at.set_roll(roll);
        }
        Some(at)
    }

    /// Adds a turn as a variation at a place, unless it stands there. Behind the last turn of the game there is nothing to which it
    /// could be a variation: it is added to one that begins with that last turn. The answer is the place behind the turn.
    ///
    /// # Errors
    /// A place that the game does not have, or a tree that would grow beyond its bounds.
    pub fn vary(&mut self, path: &Path, mut made: Made<G>) -> Result<Path, StudyError> {
        if path.branches.len() + 2 >= DEEPEST {
            return Err(StudyError::TooDeep);
        }
        if self.line().count() >= LARGEST_TREE {
            return Err(StudyError::TooLarge);
        }
        let mut path = path.clone();
        if path.is_main() && path.turns == self.turns().len() {
            let turn = path.turns.checked_sub(1).ok_or(StudyError::Empty)?;
            let node = self.turn_mut(turn).ok_or(StudyError::NoPlace)?;
            let variation = node.variation(node.turn.clone());
            let branches = vec![Branch { turn, variation }];
            path = Path { branches, turns: 1 };
        }
        let line = self.line().line(&path.branches);
        if let Some(node) = line.and_then(|line| line.turns.get(path.turns))
            && node.turn.before == made.before
        {
            let is_same = node.turn.ply == made.ply;
            made.roll = node.turn.roll.filter(|_| is_same);
        }
        let added = self.line_mut().add(&path, made);
        added.ok_or(StudyError::NoPlace)
    }

    /// Exchanges a variation with the rest of the line that it leaves, which may be the game itself. The answer is where the place
    /// lies after that.
    ///
    /// # Errors
    /// A place in no variation; a variation that cannot be part of the game; variations that would be nested too deep.
    pub fn promote(&mut self, path: &Path) -> Result<Path, StudyError> {
        self.edit(path.leaves_the_game(), |line| line.promote(path))
    }

    /// Takes the turn that leads to a place away, with all that follows it; the first of its variations takes its place. The answer
    /// is the place before it.
    ///
    /// # Errors
    /// A place without a turn before it; a variation that cannot be part of the game.
    pub fn delete(&mut self, path: &Path) -> Result<Path, StudyError> {
        self.edit(path.is_main(), |line| line.delete(path))
    }

    /// Changes the tree, and plays the game anew where that changes the game itself.
    fn edit(
        &mut self,
        changes_game: bool,
        change: impl FnOnce(&mut Line<Made<G>>) -> Option<Path>,
    ) -> Result<Path, StudyError> {
        let mut line = self.line().clone();
        let place = change(&mut line).ok_or(StudyError::NoPlace)?;
        // What stood in no variation is in one afterwards. Deeper than this it could not be read again.
        if line.is_nested_beyond(DEEPEST) {
            return Err(StudyError::TooDeep);
        }
        if let Some(first) = line.turns.first_mut()
            && self.start().awaits_roll()
        {
            first.turn.roll = first.turn.dice();
        }
        say_rolls(&mut line, None);
        if !changes_game {
            *self.line_mut() = line;
            return Ok(place);
        }
        let game = replay(&line, *self.start(), *self.game().options())?;
        self.take_line(line, game);
        Ok(place)
    }
}

/// Writes beside each turn the roll that its place asks for after lines have changed places: a variation says its own where it is
/// another than that of the turn it replaces; `rival` is the position of that turn.
fn say_rolls<G: Notation>(line: &mut Line<Made<G>>, rival: Option<G>) {
    let mut is_rolled = false;
    for (number, node) in line.turns.iter_mut().enumerate() {
        let made = &mut node.turn;
        let dice = made.dice();
        match rival {
            Some(rival) if number == 0 => made.roll = dice.filter(|_| made.before != rival),
            _ if is_rolled => made.roll = dice,
            _ => {}
        }
        is_rolled = G::HAS_CHANCE && matches!(made.ply, Ply::Turn(_));
        let before = made.before;
        for variation in &mut node.variations {
            say_rolls(variation, Some(before));
        }
    }
}

/// Plays the turns of a line.
fn replay<G: Notation>(
    line: &Line<Made<G>>,
    start: G,
    options: G::Options,
) -> Result<Game<G>, StudyError> {
    let mut game = Game::new(start, options);
    for node in &line.turns {
        if let Some(outcome) = game.outcome() {
            return Err(StudyError::Over(outcome));
        }
        let Ply::Turn(turn) = &node.turn.ply else {
            return Err(StudyError::NotAGame);
        };
        if game.position().awaits_roll()
            && let Some(roll) = node.turn.dice()
        {
            game.set_roll(roll);
        }
        turn.iter().for_each(|&step| game.play(step));
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::end::End;
    use crate::pgn::{parse, text};
    use crate::replay::of_pgn;

    use fauve_engine::core::Color;
    use fauve_engine::rules::chess::{Chess, Options};
    use fauve_engine::rules::dice::{self, DiceChess};

    fn game(moves: &str) -> Played<Chess> {
        of_pgn(&parse(moves)[0], &Options::default()).expect("a game")
    }

    fn moves(played: &Played<Chess>) -> String {
        let written = text(played);
        let moves = written.split("\n\n").nth(1).expect("moves");
        moves.replace('\n', " ")
    }

    fn path(text: &str) -> Path {
        text.parse().expect(text)
    }

    /// Makes a turn at a place, as a variation.
    fn vary(played: &mut Played<Chess>, place: &str, turn: &str) -> Result<Path, StudyError> {
        let place = path(place);
        let mut at = played.at(&place).ok_or(StudyError::NoPlace)?;
        at.add(None, turn)?;
        let made = at.turns().last().expect("a turn").turn.clone();
        played.vary(&place, made)
    }

    #[test]
    fn positions_are_those_of_the_way_to_them() {
        let played = game("1. e4 e5 (1... c5 2. Nf3 (2. -- Nc6) d6) 2. Nf3 *");
        let fen = |place: &str| played.at(&path(place)).map(|at| at.position().fen());
        assert_eq!(fen("3").as_ref(), Some(&played.position().fen()));
        assert_eq!(
            fen("1.0.2").as_deref(),
            Some("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2")
        );
        let passed = fen("1.0.1.0.2").expect("after a null move");
        assert!(
            passed.starts_with("r1bqkbnr/pp1ppppp/2n5/2p5/4P3/8/PPPP1PPP/RNBQKBNR w"),
            "{passed}"
        );
        assert_eq!(fen("4"), None);
        assert_eq!(fen("1.1.1"), None);
    }

    #[test]
    fn variations_begin_at_any_position_and_are_written() {
        let mut played = game("1. e4 e5 2. Nf3 *");
        assert_eq!(vary(&mut played, "1", "e5"), Ok(path("2")));
        assert_eq!(vary(&mut played, "1", "c5"), Ok(path("1.0.1")));
        assert_eq!(vary(&mut played, "1.0.1", "Nf3"), Ok(path("1.0.2")));
        assert_eq!(vary(&mut played, "1.0.1", "Nc3"), Ok(path("1.0.1.0.1")));
        assert!(matches!(
            vary(&mut played, "1", "e4"),
            Err(StudyError::Turn(_))
        ));
        assert_eq!(
            moves(&played),
            "1. e4 e5 (1... c5 2. Nf3 (2. Nc3)) 2. Nf3 *"
        );
        assert_eq!(moves(&game(&text(&played))), moves(&played));
    }

    #[test]
    fn behind_the_end_of_a_game_a_variation_begins_with_its_last_turn() {
        let mut played = game("1. e4 e5 1-0");
        let place = vary(&mut played, "2", "Nf3").expect("a variation");
        assert_eq!(place, path("1.0.2"));
        assert_eq!(vary(&mut played, "2", "Nc3"), Ok(path("1.0.1.0.1")));
        assert_eq!(moves(&played), "1. e4 e5 (1... e5 2. Nf3 (2. Nc3)) 1-0");
        let mut empty = game("[Result \"1-0\"]\n\n1-0");
        assert_eq!(vary(&mut empty, "0", "e4"), Err(StudyError::Empty));
    }

    /// The seed gives the dice of the turn and of its first variation, not those of the second one.
    const DICE: &str =
        "[DiceSeed \"2a\"]\n\n1. d4,Nf3,Kd2 {PNK} (1. e4,Nf3,Ke2) (1. e4,d3,Nf3 {PPN}) *";

    #[test]
    fn a_game_with_other_dice_than_those_of_the_seed_has_no_seed() {
        let seeded = format!("[FEN \"{} seed:2a\"]\n", dice_start());
        let in_position = DICE.replace("[DiceSeed \"2a\"]\n", &seeded);
        for text_of_file in [DICE, &in_position] {
            let played: Played<DiceChess> =
                of_pgn(&parse(text_of_file)[0], &dice::Options::default()).expect("a game");
            assert!(played.seed.is_some());
            for (place, keeps) in [("0.0.1", true), ("0.1.1", false)] {
                let mut promoted = played.clone();
                promoted.promote(&path(place)).expect("a variation");
                assert_eq!(promoted.seed.is_some(), keeps, "{place}");
                let written = text(&promoted);
                let again: Played<DiceChess> =
                    of_pgn(&parse(&written)[0], &dice::Options::default()).expect(&written);
                assert_eq!(again.seed, promoted.seed, "{written}");
            }
        }
    }

    fn dice_start() -> String {
        use fauve_engine::rules::Notation;
        DiceChess::start(&dice::Options::default()).fen()
    }

    #[test]
    fn variations_with_the_same_dice_and_with_others_read_back() {
        let text_of = |played: &Played<DiceChess>| text(played);
        let game = DICE;
        let played: Played<DiceChess> =
            of_pgn(&parse(game)[0], &dice::Options::default()).expect("a game");
        let variations = &played.turns()[0].variations;
        let dice =
            |line: &Line<Made<DiceChess>>| line.turns[0].turn.dice().map(|roll| roll.to_string());
        assert_eq!(dice(&variations[0]).as_deref(), Some("PNK"));
        assert_eq!(dice(&variations[1]).as_deref(), Some("PPN"));
        let written = text_of(&played);
        let again: Played<DiceChess> =
            of_pgn(&parse(&written)[0], &dice::Options::default()).expect("a game");
        assert_eq!(again.line(), played.line(), "{written}");
        for place in ["0.0.1", "0.1.1"] {
            let mut promoted = played.clone();
            assert!(promoted.at(&path(place)).is_some(), "{place}");
            assert_eq!(promoted.promote(&path(place)), Ok(path("1")), "{place}");
            assert_eq!(
                promoted.turns()[0].turn.roll,
                promoted.turns()[0].turn.dice()
            );
            let written = text_of(&promoted);
            let again: Played<DiceChess> =
                of_pgn(&parse(&written)[0], &dice::Options::default()).expect(&written);
            assert_eq!(again.line(), promoted.line(), "{written}");
        }
    }

    #[test]
    fn a_promoted_variation_becomes_the_game() {
        let mut played = game("1. e4 e5 (1... c5 2. Nf3 d6) 2. Nc3 *");
        assert_eq!(played.promote(&path("1.0.2")), Ok(path("3")));
        assert_eq!(moves(&played), "1. e4 c5 (1... e5 2. Nc3) 2. Nf3 d6 *");
        assert_eq!(played.turns().len(), 4);
        assert_eq!(played.game().past().len(), 4, "the history for repetitions");
        assert!(played.position().fen().contains("rnbqkbnr/pp2pppp/3p4/2p5"));
        let mut strange = game("1. e4 e5 (1... -- 2. d4) (1... Kd3) 2. Nc3 *");
        assert_eq!(strange.promote(&path("1.0.1")), Err(StudyError::NotAGame));
        assert_eq!(strange.promote(&path("1.1.1")), Err(StudyError::NotAGame));
        assert_eq!(moves(&strange), "1. e4 e5 (1... -- 2. d4) (Kd3) 2. Nc3 *");
    }

    #[test]
    fn no_promotion_nests_deeper_than_can_be_read() {
        let turns = DEEPEST + 10;
        let mut text = "1. e4 (1. Nf3".to_owned();
        for number in 1..turns {
            let turn = ["Nf3", "Nf6", "Ng1", "Ng8"][number % 4];
            text += &format!(" {turn} ({})", if number % 2 == 1 { "a6" } else { "a3" });
        }
        let mut played = game(&(text + ") *"));
        let nested = |played: &Played<Chess>| parse(&moves(played))[0].is_too_deep;
        let promoted: Vec<_> = (1..turns)
            .rev()
            .map(|turn| played.promote(&path(&format!("0.0.{turn}.0.1"))))
            .collect();
        assert!(promoted[0].is_ok());
        assert!(promoted.contains(&Err(StudyError::TooDeep)));
        assert!(!nested(&played));
    }

    #[test]
    fn a_game_with_other_turns_has_not_ended_as_it_had() {
        let resigned = |moves: &str| {
            let mut played = game(moves);
            played.ended = Some(End::resignation(Color::White));
            played
        };
        for mut played in [resigned("1. e4 e5 *"), game("1. e4 e5 1-0")] {
            played.delete(&path("2")).expect("a turn");
            assert_eq!((played.end(), played.result_text()), (None, "*"));
        }
        let mut promoted = resigned("1. e4 e5 (1... c5) 2. Nf3 *");
        promoted.promote(&path("1.0.1")).expect("a variation");
        assert_eq!(promoted.end(), None);
        // What is no part of the game itself changes nothing.
        let mut beside = resigned("1. e4 e5 (1... c5) 2. Nf3 *");
        beside.delete(&path("1.0.1")).expect("a turn");
        assert!(beside.end().is_some());
    }

    #[test]
    fn turns_are_deleted_with_all_that_follows() {
        let mut played = game("1. e4 e5 (1... c5 2. Nf3) 2. Nc3 Nc6 *");
        assert_eq!(played.delete(&path("4")), Ok(path("3")));
        assert_eq!(played.delete(&path("1.0.1")), Ok(path("1")));
        assert_eq!(moves(&played), "1. e4 e5 2. Nc3 *");
        assert_eq!(played.delete(&path("0")), Err(StudyError::NoPlace));
        assert_eq!(played.delete(&path("1")), Ok(path("0")));
        assert_eq!(played.position(), played.start());
    }
}
