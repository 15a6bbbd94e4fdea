//! One game under the referee: clocks, dice, legality, ends, forfeits, adjudication.

use crate::matches::luck::total;
use crate::plan::openings::{Opening, random_turn};
use crate::plan::schedule::{Plan, Purpose, Random, derive};
use crate::player::spec::{EngineSpec, Protocol};
use crate::player::{Driver, Failure, STOPPING, Task, Thought, start};
use crate::record::{GameRecord, GameResult, Header, Termination, TurnRecord, today};
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::{DiceSeed, Game, Outcome, Turn, legal_steps, parse_turn, turn_token};
use fauve_engine::search::Engine;
use std::time::Duration;

/// Longer games are drawn by adjudication, also where the user has switched the draws of the rules off.
const LONGEST_GAME: u64 = 10_000;
/// The value that stands for a mate in adjudication, in centipawns.
const MATE_VALUE: i32 = 30_000;
/// The most of an answer that is quoted in a reason, in letters.
const QUOTE: usize = 60;

/// A player's place at a board: the program is started when it is needed, and again after it has died.
pub struct Seat<'a> {
    spec: &'a EngineSpec,
    variant: Variant,
    rules: &'a [(String, String)],
    driver: Option<Box<dyn Driver>>,
}

impl<'a> Seat<'a> {
    /// An empty place.
    pub const fn new(
        spec: &'a EngineSpec,
        variant: Variant,
        rules: &'a [(String, String)],
    ) -> Self {
        Self {
            spec,
            variant,
            rules,
            driver: None,
        }
    }

    /// Starts the program if it does not run, and announces a new game. A program that dies over that is given one
    /// fresh start.
    ///
    /// # Errors
    /// When the program cannot be started or takes no part: the tournament cannot go on.
    pub fn prepare(&mut self) -> Result<(), Failure> {
        if self.spec.protocol == Protocol::Random {
            return Ok(());
        }
        if self.spec.restart {
            self.driver = None;
        }
        if let Some(driver) = &mut self.driver {
            if driver.new_game().is_ok() {
                return Ok(());
            }
            self.driver = None;
        }
        let mut driver = start(self.spec, self.variant, self.rules)?;
        driver.new_game()?;
        self.driver = Some(driver);
        Ok(())
    }

    fn think(&mut self, task: &Task<'_>) -> Result<Thought, Failure> {
        let driver = self
            .driver
            .as_mut()
            .ok_or_else(|| Failure::Crashed("not started".to_owned()))?;
        let result = driver.think(task);
        if matches!(result, Err(Failure::Crashed(_) | Failure::Stalled)) {
            self.driver = None;
        }
        result
    }
}

/// How a game ends, before it is put into words.
struct End {
    result: GameResult,
    termination: Termination,
    reason: String,
}

/// What the players have thought lately, for adjudication.
#[derive(Default)]
struct Agreement {
    white_wins: u32,
    black_wins: u32,
    draws: u32,
    turns: u32,
}

impl Agreement {
    /// Takes the value that the side which has just played saw for itself.
    fn note(&mut self, header: &Header, mover: Color, turn: &TurnRecord) {
        self.turns += 1;
        let value = match (turn.mate, turn.cp) {
            (Some(mate), _) if mate > 0 => Some(MATE_VALUE),
            (Some(_), _) => Some(-MATE_VALUE),
            (None, cp) => cp,
        };
        let white = value.map(|value| if mover == Color::White { value } else { -value });
        let extend = |count: u32, holds: bool| if holds { count + 1 } else { 0 };
        if let Some(rule) = header.resign {
            self.white_wins = extend(
                self.white_wins,
                white.is_some_and(|value| value >= rule.score),
            );
            self.black_wins = extend(
                self.black_wins,
                white.is_some_and(|value| value <= -rule.score),
            );
        }
        if let Some(rule) = header.draw {
            self.draws = extend(
                self.draws,
                white.is_some_and(|value| value.abs() <= rule.score),
            );
        }
    }

    fn end(&self, header: &Header) -> Option<End> {
        let end = |result, reason: &str| {
            Some(End {
                result,
                termination: Termination::Adjudication,
                reason: reason.to_owned(),
            })
        };
        if let Some(rule) = header.resign {
            if self.white_wins >= 2 * rule.turns {
                return end(GameResult::White, "White wins by adjudication");
            }
            if self.black_wins >= 2 * rule.turns {
                return end(GameResult::Black, "Black wins by adjudication");
            }
        }
        match header.draw {
            Some(rule) if self.draws >= 2 * rule.turns && self.turns >= 2 * rule.after => {
                end(GameResult::Draw, "draw by adjudication")
            }
            _ => None,
        }
    }
}

/// A game in progress.
struct Board<'a, 'b, G: Engine> {
    header: &'a Header,
    game: Game<G>,
    start: String,
    tokens: Vec<String>,
    left: [Duration; 2],
    seats: [&'a mut Seat<'b>; 2],
    random: Random,
}

/// Plays a game to its end. `seats` are prepared, White's first.
///
/// # Errors
/// When a program takes no part in the game at all.
pub fn play<G: Engine>(
    header: &Header,
    plan: Plan,
    opening: &Opening<G>,
    switches: &G::Options,
    seats: [&mut Seat<'_>; 2],
) -> GameRecord {
    let dice_seed = opening
        .dice_seed
        .unwrap_or_else(|| DiceSeed(derive(header.seed, Purpose::Dice, plan.round)));
    let names = seats.each_ref().map(|seat| seat.spec.name.clone());
    let left = seats
        .each_ref()
        .map(|seat| Duration::from_millis(seat.spec.limit.clock.map_or(0, |(base, _)| base)));
    let fen = opening.position.fen();
    let mut board = Board {
        header,
        game: Game::new(opening.position, *switches),
        start: if opening.is_start {
            "startpos".to_owned()
        } else {
            fen.clone()
        },
        tokens: Vec::new(),
        left,
        seats,
        random: Random::new(derive(header.seed, Purpose::Player, plan.game)),
    };
    let mut turns = Vec::new();
    let mut gifts: Vec<(G, _)> = Vec::new();
    let mut agreement = Agreement::default();
    let end = loop {
        if let Some(outcome) = board.game.outcome() {
            break by_rules(outcome);
        }
        if turns.len() as u64 >= header.max_turns.unwrap_or(LONGEST_GAME).min(LONGEST_GAME) {
            break End {
                result: GameResult::Draw,
                termination: Termination::Adjudication,
                reason: format!("draw by adjudication after {} turns", turns.len()),
            };
        }
        let mut record = TurnRecord::default();
        let position = *board.game.position();
        if position.awaits_roll() {
            let roll = dice_seed.roll(position.turn_index());
            record.roll = Some(roll.to_string());
            gifts.push((position, roll));
            board.game.set_roll(roll);
        }
        let mover = position.side_to_move();
        match board.turn(&mut record) {
            Ok(turn) => {
                for step in turn {
                    board.game.play(step);
                }
                board.tokens.push(record.token.clone());
                if record.ms.is_some() {
                    agreement.note(header, mover, &record);
                }
                turns.push(record);
            }
            Err((termination, reason)) => {
                break End {
                    result: GameResult::win(!mover),
                    termination,
                    reason: format!("{} {reason}", mover.name()),
                };
            }
        }
        if board.game.outcome().is_none()
            && let Some(end) = agreement.end(header)
        {
            break end;
        }
    };
    let [white, black] = names;
    GameRecord {
        game: plan.game,
        white,
        black,
        start: fen,
        dice_seed: G::HAS_CHANCE.then(|| format!("{dice_seed:016}")),
        turns,
        result: end.result,
        termination: end.termination,
        reason: end.reason,
        // Reckoned when the clocks stand.
        luck: (header.luck && G::HAS_CHANCE)
            .then(|| total(&gifts))
            .flatten(),
        date: today(),
    }
}

/// The end that the rules make.
pub fn by_rules_result(outcome: Outcome) -> (GameResult, String) {
    let result = match outcome {
        Outcome::Win(color, _) => GameResult::win(color),
        Outcome::Draw(_) => GameResult::Draw,
    };
    let reason = match outcome {
        Outcome::Win(color, reason) => format!("{} {}", color.name(), reason.brief),
        Outcome::Draw(_) => outcome.to_string(),
    };
    (result, reason)
}

fn by_rules(outcome: Outcome) -> End {
    let (result, reason) = by_rules_result(outcome);
    End {
        result,
        termination: Termination::Rules,
        reason,
    }
}

impl<G: Engine> Board<'_, '_, G> {
    /// The turn of the side to move, and what is noted about it; or why it loses.
    fn turn(&mut self, record: &mut TurnRecord) -> Result<Turn<G::Step>, (Termination, String)> {
        let position = *self.game.position();
        if let Some(pass) = forced_pass(&position) {
            record.token = turn_token(&position, &pass);
            return Ok(pass);
        }
        let turn = if self.seats[position.side_to_move().index()].spec.protocol == Protocol::Random
        {
            record.ms = Some(0);
            random_turn(&position, &mut self.random)
        } else {
            self.ask(record)?
        };
        record.token = turn_token(&position, &turn);
        Ok(turn)
    }

    /// Asks the player until its turn is whole: engines that give one move at a time are asked again on the same
    /// clock.
    fn ask(&mut self, record: &mut TurnRecord) -> Result<Turn<G::Step>, (Termination, String)> {
        let mut position = *self.game.position();
        let mover = position.side_to_move();
        let seat = mover.index();
        let limit = self.seats[seat].spec.limit.clone();
        let margin = Duration::from_millis(self.header.margin);
        let increments = self.seats.each_ref().map(|seat| {
            Duration::from_millis(seat.spec.limit.clock.map_or(0, |(_, increment)| increment))
        });
        let mut turn: Turn<G::Step> = Turn::new();
        let mut tokens = self.tokens.clone();
        let mut elapsed = Duration::ZERO;
        loop {
            let allowed = limit
                .time(self.left[seat])
                .map(|allowed| allowed.saturating_sub(elapsed));
            let patience = allowed.map_or(Duration::from_millis(self.header.stall), |allowed| {
                allowed + margin + STOPPING
            });
            let mut left = self.left;
            left[seat] = left[seat].saturating_sub(elapsed);
            let fen = position.fen();
            let task = Task {
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
                let quote: String = thought
                    .token
                    .chars()
                    .flat_map(char::escape_default)
                    .take(QUOTE)
                    .collect();
                (
                    Termination::IllegalTurn,
                    format!("makes an illegal turn: {quote}"),
                )
            })?;
            tokens.push(turn_token(&position, &steps));
            for step in steps {
                position.play(step);
                turn.push(step);
            }
            if !position.is_mid_turn() {
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
        Failure::Refused(what) => {
            let quote: String = what
                .chars()
                .flat_map(char::escape_default)
                .take(QUOTE)
                .collect();
            (Termination::Refusal, format!("refuses to go on: {quote}"))
        }
        Failure::Resigned => (Termination::Resignation, "resigns".to_owned()),
    }
}
