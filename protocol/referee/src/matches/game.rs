//! One game under the referee: clocks, dice, legality, ends, forfeits.

use crate::matches::adjudication::Agreement;
use crate::matches::seat::Seat;
use crate::matches::stop::Stop;
use crate::plan::openings::{Opening, random_turn};
use crate::plan::schedule::{Plan, Purpose, Random, derive};
use crate::player::failure::Failure;
use crate::player::greedy::greedy_turn;
use crate::player::spec::Protocol;
use crate::player::task::{Doubling, Task, Thought};
use crate::record::date::today;
use crate::record::{GameRecord, GameResult, Header, Termination, TurnRecord};
use fauve_engine::core::Color;
use fauve_engine::rules::printable;
use fauve_engine::rules::{DiceSeed, Game, Roll, Turn, legal_steps, parse_turn, turn_token};
use fauve_engine::search::{Cube, Engine};
use fauve_game::end::End;
use fauve_game::luck::total;
use std::time::Duration;

/// Longer games are drawn by adjudication, also where the user has switched the draws of the rules off.
const LONGEST_GAME: u64 = 10_000;

/// A game in progress.
struct Board<'a, 'b, G: Engine> {
    header: &'a Header,
    game: Game<G>,
    start: String,
    tokens: Vec<String>,
    left: [Duration; 2],
    seats: [&'a mut Seat<'b, G>; 2],
    random: Random,
    cube: Cube,
    /// After how many turns somebody doubled, each time.
    doubles: Vec<u64>,
}

/// Plays a game to its end. `seats` are prepared, White's first. `None` if it was stopped before.
pub fn play<G: Engine>(
    header: &Header,
    plan: Plan,
    opening: &Opening<G>,
    options: &G::Options,
    seats: [&mut Seat<'_, G>; 2],
    stop: &Stop,
) -> Option<GameRecord> {
    let dice_seed = opening
        .dice_seed
        .unwrap_or_else(|| DiceSeed(derive(header.seed, Purpose::Dice, plan.round)));
    let [white, black] = seats.each_ref().map(|seat| seat.spec().name.clone());
    let start = opening.position.fen();
    let mut board = Board::new(header, plan, opening, options, seats);
    let mut turns = Vec::new();
    let mut rolls: Vec<(G, Roll)> = Vec::new();
    let mut agreement = Agreement::default();
    let end = loop {
        if stop.is_set() {
            return None;
        }
        if let Some(end) = board.end(turns.len() as u64, &agreement) {
            break end;
        }
        let mut record = TurnRecord::default();
        let position = *board.game.position();
        if position.awaits_roll() {
            if header.doubling
                && let Some(end) = board.double(turns.len() as u64)
            {
                break end;
            }
            let roll = dice_seed.roll(position.turn_index());
            record.roll = Some(roll.to_string());
            rolls.push((position, roll));
            board.game.set_roll(roll);
        }
        let mover = position.side_to_move();
        match board.turn(&mut record) {
            Ok(turn) => {
                board.play(&turn, &record.token);
                if record.ms.is_some() {
                    agreement.note(header, mover, &record);
                }
                turns.push(record);
            }
            // A program that was ended with the match is not to blame.
            Err(_) if stop.is_set() => return None,
            Err((termination, reason)) => {
                break End {
                    result: GameResult::win(!mover),
                    termination,
                    reason: format!("{} {reason}", mover.name()),
                };
            }
        }
    };
    Some(GameRecord {
        game: plan.game,
        white,
        black,
        start,
        dice_seed: G::HAS_CHANCE.then(|| format!("{dice_seed:016}")),
        turns,
        result: end.result,
        termination: end.termination,
        reason: end.reason,
        // Reckoned when the clocks stand.
        luck: (header.luck && G::HAS_CHANCE)
            .then(|| total(&rolls))
            .flatten(),
        stakes: header.doubling.then(|| board.cube.value()),
        doubles: board.doubles,
        date: today(),
    })
}

impl<'a, 'b, G: Engine> Board<'a, 'b, G> {
    fn new(
        header: &'a Header,
        plan: Plan,
        opening: &Opening<G>,
        options: &G::Options,
        seats: [&'a mut Seat<'b, G>; 2],
    ) -> Self {
        let base = |seat: &&mut Seat<'_, G>| seat.spec().limit.clock.map_or(0, |(base, _)| base);
        Self {
            header,
            game: Game::new(opening.position, *options),
            start: if opening.is_start {
                "startpos".to_owned()
            } else {
                opening.position.fen()
            },
            tokens: Vec::new(),
            left: seats
                .each_ref()
                .map(|seat| Duration::from_millis(base(seat))),
            seats,
            random: Random::new(derive(header.seed, Purpose::Player, plan.game)),
            cube: Cube::default(),
            doubles: Vec::new(),
        }
    }

    /// The end by the rules, by agreement or by length, after so many turns.
    fn end(&self, turns: u64, agreement: &Agreement) -> Option<End> {
        if let Some(outcome) = self.game.outcome() {
            return Some(End::by_rules(outcome));
        }
        let longest = self.header.max_turns.unwrap_or(LONGEST_GAME);
        agreement.end(self.header).or_else(|| {
            (turns >= longest.min(LONGEST_GAME)).then(|| End {
                result: GameResult::Draw,
                termination: Termination::Adjudication,
                reason: format!("draw by adjudication after {turns} turns"),
            })
        })
    }

    /// Lets the side to move double before it rolls; the end of the game, if the other side gives up. Their clocks stand
    /// meanwhile.
    fn double(&mut self, turns: u64) -> Option<End> {
        let side = self.game.position().side_to_move();
        if !self.cube.is_free_for(side) {
            return None;
        }
        for (asked, is_offered) in [(side, false), (!side, true)] {
            let decided = self.decide(asked, is_offered);
            match decided {
                Ok(false) if is_offered => {
                    return Some(End::passed_double(asked));
                }
                Ok(false) => return None,
                Ok(true) if !is_offered => self.doubles.push(turns),
                Ok(true) => {}
                Err(failure) => {
                    let (termination, reason) = forfeit(&failure, false);
                    return Some(End {
                        result: GameResult::win(!asked),
                        termination,
                        reason: format!("{} {reason}", asked.name()),
                    });
                }
            }
        }
        self.cube = self.cube.doubled(side);
        None
    }

    fn decide(&mut self, asked: Color, is_offered: bool) -> Result<bool, Failure> {
        self.seats[asked.index()].decide(&Doubling {
            game: &self.game,
            fen: &self.game.position().fen(),
            cube: self.cube,
            is_offered,
            patience: Duration::from_millis(self.header.stall),
        })
    }

    fn play(&mut self, turn: &Turn<G::Step>, token: &str) {
        for &step in turn {
            self.game.play(step);
        }
        self.tokens.push(token.to_owned());
    }

    /// The turn of the side to move, and what is noted about it; or why it loses.
    fn turn(&mut self, record: &mut TurnRecord) -> Result<Turn<G::Step>, (Termination, String)> {
        let position = *self.game.position();
        if let Some(pass) = forced_pass(&position) {
            record.token = turn_token(&position, &pass);
            return Ok(pass);
        }
        let mover = position.side_to_move().index();
        let turn = match self.seats[mover].spec().protocol {
            Protocol::Random => random_turn(&position, &mut self.random),
            Protocol::Greedy => greedy_turn(&position),
            _ => self.ask(record)?,
        };
        record.ms.get_or_insert(0);
        record.token = turn_token(&position, &turn);
        Ok(turn)
    }

    /// Asks the player until its turn is whole: engines that give one move at a time are asked again on the same
    /// clock.
    fn ask(&mut self, record: &mut TurnRecord) -> Result<Turn<G::Step>, (Termination, String)> {
        let mut game = self.game.clone();
        let mover = game.position().side_to_move();
        let seat = mover.index();
        let limit = self.seats[seat].spec().limit.clone();
        let margin = Duration::from_millis(self.header.margin);
        let increments = self.seats.each_ref().map(|seat| {
            Duration::from_millis(
                seat.spec()
                    .limit
                    .clock
                    .map_or(0, |(_, increment)| increment),
            )
        });
        let mut turn: Turn<G::Step> = Turn::new();
        let mut tokens = self.tokens.clone();
        let mut elapsed = Duration::ZERO;
        loop {
            let allowed = limit
                .time(self.left[seat])
                .map(|allowed| allowed.saturating_sub(elapsed));
            let stall = Duration::from_millis(self.header.stall);
            let patience =
                allowed.map_or_else(|| limit.patience(stall), |allowed| allowed + margin);
            let mut left = self.left;
            left[seat] = left[seat].saturating_sub(elapsed);
            let position = *game.position();
            let fen = position.fen();
            let task = Task {
                game: &game,
                start: &self.start,
                tokens: &tokens,
                fen: &fen,
                has_dice: G::HAS_CHANCE,
                white_to_move: mover == Color::White,
                left,
                increments,
                limit: &limit,
                patience,
            };
            let thought = self.seats[seat]
                .think(&task)
                .map_err(|failure| forfeit(&failure, allowed.is_some()))?;
            elapsed += thought.elapsed;
            if let Some(allowed) = allowed {
                if thought.elapsed > allowed + margin {
                    let over = thought.elapsed.saturating_sub(allowed).as_millis();
                    return Err((Termination::Time, format!("loses on time ({over} ms over)")));
                }
            } else if thought.elapsed > patience {
                return Err((Termination::Stall, "stalls".to_owned()));
            }
            note(record, &thought, elapsed);
            let steps = read_turn(&position, &thought.token).ok_or_else(|| {
                (
                    Termination::IllegalTurn,
                    format!("makes an illegal turn: {}", printable(&thought.token)),
                )
            })?;
            tokens.push(turn_token(&position, &steps));
            for step in steps {
                game.play(step);
                turn.push(step);
            }
            if !game.position().is_mid_turn() {
                if limit.clock.is_some() {
                    self.left[seat] = self.left[seat].saturating_sub(elapsed) + increments[seat];
                }
                return Ok(turn);
            }
        }
    }
}

/// The pass of a position in which nothing else can be played.
fn forced_pass<G: Engine>(position: &G) -> Option<Turn<G::Step>> {
    let steps = legal_steps(position);
    match steps.as_slice() {
        [step] if G::is_pass(*step) => Some(Turn::from_slice(&[*step])),
        _ => None,
    }
}

/// Reads a player's answer. CECP programs may castle as `O-O`.
fn read_turn<G: Engine>(position: &G, token: &str) -> Option<Turn<G::Step>> {
    if let Ok(turn) = parse_turn(position, token) {
        return (!turn.is_empty()).then_some(turn);
    }
    let castling = token.replace('0', "O");
    if !castling.starts_with("O-O") {
        return None;
    }
    legal_steps(position)
        .into_iter()
        .find(|&step| position.step_san(step).trim_end_matches(['+', '#']) == castling)
        .map(|step| Turn::from_slice(&[step]))
}

fn note(record: &mut TurnRecord, thought: &Thought, elapsed: Duration) {
    record.cp = thought.cp;
    record.mate = thought.mate;
    record.depth = thought.depth;
    record.nodes = thought.nodes;
    record.ms = Some(elapsed.as_millis() as u64);
}

/// What a failure means for the game.
fn forfeit(failure: &Failure, has_time: bool) -> (Termination, String) {
    match failure {
        Failure::Crashed(how) => (Termination::Crash, format!("crashes: {how}")),
        Failure::Stalled if has_time => (
            Termination::Time,
            "loses on time and does not answer".to_owned(),
        ),
        Failure::Stalled => (Termination::Stall, "stalls".to_owned()),
        Failure::Refused(what) | Failure::Unfit(what) => (
            Termination::Refusal,
            format!("refuses to go on: {}", printable(what)),
        ),
        Failure::Resigned => (Termination::Resignation, "resigns".to_owned()),
    }
}
