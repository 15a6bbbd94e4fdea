//! One game under the referee: clocks, dice, legality, ends, forfeits.

use crate::matches::live::Live;
use crate::matches::player_handle::PlayerHandle;
use crate::matches::stop::Stop;
use crate::plan::openings::{Opening, random_turn};
use crate::plan::schedule::{Random, RngStream, ScheduledGame, derive};
use crate::player::failure::Failure;
use crate::player::greedy::greedy_turn;
use crate::player::move_request::{Doubling as Question, MoveReply, MoveRequest, forced_pass};
use crate::player::spec::Protocol;
use crate::record::adjudication::Adjudicator;
use crate::record::live::LiveGame;
use crate::record::{GameRecord, GameResult, Header, Termination, TurnRecord};
use fauve_engine::core::Color;
use fauve_engine::rules::printable;
use fauve_engine::rules::{DiceSeed, Roll, parse_turn, turn_token};
use fauve_engine::search::Engine;
use fauve_game::clock::{Clock, TimeControl};
use fauve_game::cube::Doubling;
use fauve_game::date::today;
use fauve_game::end::End;
use fauve_game::luck::total;
use fauve_game::played::Played;
use std::time::Duration;

/// A game in progress.
struct RunningGame<'a, 'b, G: Engine> {
    header: &'a Header,
    played: Played<G>,
    clock: Clock,
    start: String,
    tokens: Vec<String>,
    seats: [&'a mut PlayerHandle<'b, G>; 2],
    random: Random,
    cube: Doubling,
    /// The turns that each side has finished, White's first.
    finished: [u32; 2],
    /// After how many turns somebody doubled, each time.
    doubles: Vec<u64>,
    /// The side that has just played, and what it expects of the other one.
    expected: Option<(Color, String)>,
}

/// Plays a game to its end. `seats` are prepared, White's first; `live` hears of each turn. `None` if it was stopped before.
pub fn play<G: Engine>(
    header: &Header,
    plan: ScheduledGame,
    opening: &Opening<G>,
    options: &G::Options,
    seats: [&mut PlayerHandle<'_, G>; 2],
    live: &Live,
    stop: &Stop,
) -> Option<GameRecord> {
    let dice_seed = opening
        .dice_seed
        .unwrap_or_else(|| DiceSeed(derive(header.seed, RngStream::Dice, plan.opening)));
    let [white, black] = seats.each_ref().map(|seat| seat.spec().name.clone());
    let start = opening.position.fen();
    let dice_text = G::HAS_CHANCE.then(|| format!("{dice_seed:016}"));
    let live = live.begin(|| LiveGame {
        game: plan.game,
        white: white.clone(),
        black: black.clone(),
        start: start.clone(),
        dice_seed: dice_text.clone(),
        turns: Vec::new(),
    });
    let mut board = RunningGame::new(header, plan, opening, options, seats);
    board.played.seed = G::HAS_CHANCE.then_some(dice_seed);
    let mut turns = Vec::new();
    let mut rolls: Vec<(G, Roll)> = Vec::new();
    let mut adjudicator = Adjudicator::default();
    let end = loop {
        if stop.is_set() {
            return None;
        }
        if let Some(end) = board.end(turns.len() as u64, &adjudicator) {
            break end;
        }
        let mut record = TurnRecord::default();
        let position = *board.played.position();
        if position.awaits_roll() {
            if header.doubling
                && let Some(end) = board.double(turns.len() as u64)
            {
                break end;
            }
            if let Some(roll) = board.played.roll() {
                record.roll = Some(roll.to_string());
                rolls.push((position, roll));
            }
        }
        let mover = position.side_to_move();
        if let Err((side, failure)) = board.ponder() {
            if stop.is_set() {
                return None;
            }
            break lost(side, forfeit(&failure, false));
        }
        match board.turn(&mut record) {
            Ok(()) => {
                if record.ms.is_some() {
                    adjudicator.note(header, mover, &record);
                }
                live.add(&record);
                turns.push(record);
            }
            // A program that was ended with the match is not to blame.
            Err(_) if stop.is_set() => return None,
            Err((Termination::Time, reason)) => break End::on_time(&position, mover, &reason),
            Err(why) => break lost(mover, why),
        }
    };
    for seat in &mut board.seats {
        seat.rest();
    }
    Some(GameRecord {
        game: plan.game,
        white,
        black,
        start,
        dice_seed: dice_text,
        turns,
        result: end.result,
        termination: end.termination,
        reason: end.reason,
        // Computed when the clocks stand.
        luck: (header.luck && G::HAS_CHANCE)
            .then(|| total(&rolls))
            .flatten(),
        stakes: header.doubling.then(|| board.cube.stakes()),
        doubles: board.doubles,
        scale: None,
        date: today(),
    })
}

impl<'a, 'b, G: Engine> RunningGame<'a, 'b, G> {
    fn new(
        header: &'a Header,
        plan: ScheduledGame,
        opening: &Opening<G>,
        options: &G::Options,
        seats: [&'a mut PlayerHandle<'b, G>; 2],
    ) -> Self {
        let controls = seats.each_ref().map(|seat| {
            let (base, increment) = seat.spec().limit.clock.unwrap_or_default();
            TimeControl {
                base: Duration::from_millis(base),
                increment: Duration::from_millis(increment),
            }
        });
        Self {
            header,
            played: Played::new(opening.position, *options),
            clock: Clock::of_each(controls),
            start: if opening.is_start {
                "startpos".to_owned()
            } else {
                opening.position.fen()
            },
            tokens: Vec::new(),
            seats,
            random: Random::new(derive(header.seed, RngStream::Player, plan.game)),
            cube: Doubling::default(),
            finished: [0; 2],
            doubles: Vec::new(),
            expected: None,
        }
    }

    /// The end by the rules, by agreement or by length, after this many turns.
    fn end(&self, turns: u64, adjudicator: &Adjudicator) -> Option<End> {
        match self.played.outcome() {
            Some(outcome) => Some(End::by_rules(outcome)),
            None => adjudicator.end(self.header, turns),
        }
    }

    /// Lets the side to move double before it rolls; the end of the game, if the other side gives up. Their clocks stand
    /// meanwhile.
    fn double(&mut self, turns: u64) -> Option<End> {
        let side = self.played.side();
        if !self.cube.cube().is_free_for(side) {
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
                Err(failure) => return Some(lost(asked, forfeit(&failure, false))),
            }
        }
        self.cube.take(self.played.position().game_ply(), side);
        None
    }

    fn decide(&mut self, asked: Color, is_offered: bool) -> Result<bool, Failure> {
        self.seats[asked.index()].decide(&Question {
            game: self.played.game(),
            cube: self.cube.cube(),
            is_offered,
            timeout: Duration::from_millis(self.header.stall),
        })
    }

    /// After how many turns of a player its clock gains time again, where it does.
    fn turns_to_go(&self, seat: usize) -> Option<u32> {
        let session = self.seats[seat].spec().limit.session?;
        Some(session - self.finished[seat] % session)
    }

    /// Lets the side that has just played think about the turn that it expects, if its player ponders and the game is not over behind
    /// that turn.
    ///
    /// # Errors
    /// The side, and why its player cannot think.
    fn ponder(&mut self) -> Result<(), (Color, Failure)> {
        let Some((side, expected)) = self.expected.take() else {
            return Ok(());
        };
        let seat = side.index();
        let spec = self.seats[seat].spec();
        let mut game = self.played.game().clone();
        let turn = parse_turn(game.position(), &expected).unwrap_or_default();
        let token = turn_token(game.position(), &turn);
        turn.iter().for_each(|&step| game.play(step));
        if turn.is_empty() || game.position().side_to_move() != side || game.outcome().is_some() {
            return Ok(());
        }
        let limit = spec.limit.clone();
        let mut tokens = self.tokens.clone();
        tokens.push(token);
        let request = MoveRequest {
            game: &game,
            start: &self.start,
            tokens: &tokens,
            white_to_move: side == Color::White,
            left: Color::ALL.map(|side| self.clock.left(side)),
            increments: Color::ALL.map(|side| self.clock.control(side).increment),
            turns_to_go: self.turns_to_go(seat),
            limit: &limit,
            timeout: limit.timeout(Duration::from_millis(self.header.stall)),
        };
        self.seats[seat]
            .ponder(&request)
            .map_err(|failure| (side, failure))
    }

    /// Plays the turn of the side to move, and notes what there is about it; or why it loses.
    fn turn(&mut self, record: &mut TurnRecord) -> Result<(), (Termination, String)> {
        let position = *self.played.position();
        let protocol = self.seats[position.side_to_move().index()].spec().protocol;
        let turn = match (forced_pass(&position), protocol) {
            (Some(pass), _) => Some(pass),
            (None, Protocol::Random) => Some(random_turn(&position, &mut self.random)),
            (None, Protocol::Greedy) => Some(greedy_turn(&position)),
            (None, _) => None,
        };
        let told = self.tokens.len();
        match &turn {
            Some(turn) => {
                self.played.play(turn);
                let is_pass = turn.first().is_some_and(|&step| G::is_pass(step));
                record.ms = (!is_pass).then_some(0);
            }
            None => self.ask(record)?,
        }
        self.tokens.truncate(told);
        if let Some(node) = self.played.turns().last() {
            record.token = node.turn.token();
            self.tokens.push(record.token.clone());
        }
        Ok(())
    }

    /// Asks the player until its turn is whole: engines that give one move at a time are asked again on the same
    /// clock. The tokens of its replies are behind those of the finished turns then.
    fn ask(&mut self, record: &mut TurnRecord) -> Result<(), (Termination, String)> {
        let mover = self.played.side();
        let seat = mover.index();
        let spec = self.seats[seat].spec();
        let limit = spec.limit.clone();
        let margin = Duration::from_millis(spec.margin.unwrap_or(self.header.margin));
        let stall = Duration::from_millis(self.header.stall);
        let increments = Color::ALL.map(|side| self.clock.control(side).increment);
        let (mut elapsed, mut used) = (Duration::ZERO, Duration::ZERO);
        loop {
            let mut left = Color::ALL.map(|side| self.clock.left(side));
            left[seat] = left[seat].saturating_sub(elapsed);
            // Only a clock runs through the whole turn. A time per turn is given for each question, like nodes: a program spends all of
            // it on the first, for it cannot know that another question comes.
            let allowed = limit.time(left[seat]);
            let timeout = allowed.map_or_else(|| limit.timeout(stall), |allowed| allowed + margin);
            let position = *self.played.position();
            let request = MoveRequest {
                game: self.played.game(),
                start: &self.start,
                tokens: &self.tokens,
                white_to_move: mover == Color::White,
                left,
                increments,
                turns_to_go: self.turns_to_go(seat),
                limit: &limit,
                timeout,
            };
            let thought = self.seats[seat]
                .think(&request)
                .map_err(|failure| forfeit(&failure, allowed.is_some()))?;
            elapsed += thought.elapsed;
            if let Some(allowed) = allowed {
                if thought.elapsed > allowed + margin {
                    return Err((
                        Termination::Time,
                        late_by(thought.elapsed.saturating_sub(allowed)),
                    ));
                }
            } else if thought.elapsed > timeout {
                return Err((Termination::Stall, "stalls".to_owned()));
            }
            // Time is that of the clock that limits the player.
            used += match thought.used {
                Some(used) if limit.cputime.is_some() => used,
                _ => thought.elapsed,
            };
            note(record, &thought, used);
            let expected = thought.expected.clone().filter(|_| spec.ponder);
            self.expected = expected.map(|expected| (mover, expected));
            let steps = thought.turn(&position).ok_or_else(|| {
                (
                    Termination::IllegalTurn,
                    format!("makes an illegal turn: {}", printable(&thought.token)),
                )
            })?;
            self.tokens.push(turn_token(&position, &steps));
            if self.played.play(&steps) {
                self.clock.spend(mover, elapsed);
                self.clock.add_increment(mover);
                self.finished[seat] += 1;
                if limit
                    .session
                    .is_some_and(|turns| self.finished[seat].is_multiple_of(turns))
                {
                    let again = self.clock.control(mover).base;
                    let left = self.clock.left(mover).saturating_add(again);
                    self.clock.set_left(mover, left);
                }
                if limit.clock.is_some() {
                    record.left = Some(self.clock.left(mover).as_millis() as u64);
                }
                return Ok(());
            }
        }
    }
}

fn note(record: &mut TurnRecord, thought: &MoveReply, used: Duration) {
    record.cp = thought.cp;
    record.mate = thought.mate;
    record.bound = thought.bound;
    record.depth = thought.depth;
    record.seldepth = thought.seldepth;
    record.nodes = thought.nodes;
    // Where a program is asked for one move at a time, the first question was the one that it was prepared for.
    record.ponder_hit = record.ponder_hit.or(thought.ponder_hit);
    record.ms = Some(used.as_millis() as u64);
}

/// The end of a game that this side has lost, and why.
fn lost(side: Color, (termination, reason): (Termination, String)) -> End {
    End {
        result: GameResult::win(!side),
        termination,
        reason: format!("{} {reason}", side.name()),
    }
}

/// By how much a player has overstepped its time, rounded up: less than a millisecond is too much as well.
fn late_by(over: Duration) -> String {
    let over = over.as_nanos().div_ceil(1_000_000);
    format!("loses on time ({over} ms over)")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_loses_by_no_time_at_all() {
        for (over, text) in [
            (1, "(1 ms"),
            (999, "(1 ms"),
            (1000, "(1 ms"),
            (1001, "(2 ms"),
        ] {
            let said = late_by(Duration::from_micros(over));
            assert!(said.contains(text), "{said}");
        }
    }
}
