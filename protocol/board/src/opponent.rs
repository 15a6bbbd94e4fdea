//! Opponents that are other programs: engines of UCI, UGI and CECP, which the referee's code starts when a game needs them. One that
//! dies, hangs or answers nonsense ends in a sentence; none outlives the game that it plays or this program.

use crate::play::NoTurn;
use fauve_engine::core::Color;
use fauve_engine::rules::{printable, turn_token};
use fauve_engine::search::{Control, Engine};
use fauve_engine::{Variant, with_game};
use fauve_game::clock::Clock;
use fauve_game::played::Played;
use fauve_referee::player::failure::Failure;
use fauve_referee::player::limit::Limit;
use fauve_referee::player::move_request::{
    Interrupt, MoveReply, MoveRequest, Player, STOPPING, forced_pass,
};
use fauve_referee::player::spec::EngineSpec;
use fauve_referee::player::start::start;
use serde::Serialize;
use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The time that a program has for a turn where neither its limits nor a clock say anything, in milliseconds.
const USUAL_TIME: u64 = 1000;
/// Time by which an answer may come after the program's own limit.
const MARGIN: Duration = Duration::from_secs(5);
/// Time for the answer of a program that is limited by nodes or depth alone.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);
/// Interval at which it is checked whether a program that thinks must stop.
const TICK: Duration = Duration::from_millis(10);
/// How often a program is asked to answer at once.
const AGAIN: Duration = Duration::from_millis(200);

/// Why a program cannot be an opponent.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpponentError {
    /// It is none.
    #[error("{0}: the opponents of the board are programs; write cmd=PROGRAM")]
    NoProgram(String),
    /// It is to think on its opponent's time.
    #[error(
        "engine {0}: the opponents of the board think only when they are to move; leave ponder=on out"
    )]
    Ponders(String),
    /// Two have one name.
    #[error("two engines are called {0}: give one of them another name=")]
    SameName(String),
    /// The name is that of somebody else.
    #[error("an engine cannot be called {0}; give it another name=")]
    Name(String),
    /// It does not start, or plays none of the games.
    #[error("engine {name}: {failure}")]
    Failed {
        /// Its name.
        name: String,
        /// Why not.
        failure: Failure,
    },
}

/// A program that can be played against, and the games that it plays.
#[derive(Clone, Debug)]
struct Opponent {
    spec: EngineSpec,
    variants: Vec<Variant>,
}

/// The same, as the page lists it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Listed {
    name: String,
    variants: Vec<&'static str>,
}

/// All programs that can be played against.
#[derive(Clone, Debug, Default)]
pub(crate) struct Opponents(Vec<Opponent>);

impl Opponents {
    /// Starts each program for each game once, to see which it plays. One whose user names its game plays that with which the board
    /// opens.
    ///
    /// # Errors
    /// A program that plays none, or a name that two have.
    pub(crate) fn meet(specs: Vec<EngineSpec>, opening: Variant) -> Result<Self, OpponentError> {
        for (place, spec) in specs.iter().enumerate() {
            let name = || printable(&spec.name);
            if !spec.protocol.is_program() {
                return Err(OpponentError::NoProgram(name()));
            }
            if spec.ponder {
                return Err(OpponentError::Ponders(name()));
            }
            if specs[..place].iter().any(|other| other.name == spec.name) {
                return Err(OpponentError::SameName(name()));
            }
            if spec.name == crate::import::HUMAN
                || crate::import::engine_of(&spec.name).is_some()
                || spec.name.chars().count() > crate::games::LONGEST_NAME
            {
                return Err(OpponentError::Name(name()));
            }
        }
        thread::scope(|scope| {
            let met: Vec<_> = specs
                .into_iter()
                .map(|spec| scope.spawn(move || Opponent::meet(spec, opening)))
                .collect();
            let met = met.into_iter().map(|one| match one.join() {
                Ok(met) => met,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            Ok(Self(met.collect::<Result<_, _>>()?))
        })
    }

    /// As the page lists them.
    pub(crate) fn listed(&self) -> Vec<Listed> {
        let list = self.0.iter().map(|opponent| Listed {
            name: opponent.spec.name.clone(),
            variants: opponent.variants.iter().map(|game| game.name()).collect(),
        });
        list.collect()
    }

    fn find(&self, name: &str, variant: Variant) -> Option<&Opponent> {
        let fits = |one: &&Opponent| one.spec.name == name && one.variants.contains(&variant);
        self.0.iter().find(fits)
    }

    /// A program by its name, for a game that it plays.
    pub(crate) fn program(&self, name: &str, variant: Variant) -> Option<Program> {
        Some(Program {
            spec: self.find(name, variant)?.spec.clone(),
            player: None,
            tokens: Vec::new(),
        })
    }

    /// Whether there is such a program, and it plays this game.
    pub(crate) fn plays(&self, name: &str, variant: Variant) -> bool {
        self.find(name, variant).is_some()
    }
}

impl Opponent {
    fn meet(spec: EngineSpec, opening: Variant) -> Result<Self, OpponentError> {
        let mut variants = Vec::new();
        let mut refusal = Failure::Stalled;
        let is_named = spec.variant.is_some() || spec.game_option().is_some();
        for &variant in Variant::ALL
            .iter()
            .filter(|&&game| !is_named || game == opening)
        {
            match plays(&spec, variant) {
                // One that knows no games by name plays chess, unless its user says more.
                Ok(knows_games) if knows_games || is_named || variant == Variant::Chess => {
                    variants.push(variant);
                }
                // One that says nothing is not waited for once more.
                Ok(_) | Err(Failure::Stalled) => break,
                // That it does not play a game says less than why it does not start.
                Err(failure) if !matches!(refusal, Failure::Crashed(_)) => refusal = failure,
                Err(_) => {}
            }
        }
        if variants.is_empty() {
            let name = printable(&spec.name);
            return Err(OpponentError::Failed {
                name,
                failure: refusal,
            });
        }
        Ok(Self { spec, variants })
    }
}

/// Starts a program for a game; whether it knows games by their names.
fn plays(spec: &EngineSpec, variant: Variant) -> Result<bool, Failure> {
    with_game!(variant, G => start::<G>(spec, variant, &[], None).map(|player| player.knows_games()))
}

/// A program at a board: it is started when its first turn is due, and again after it has died.
pub(crate) struct Program {
    spec: EngineSpec,
    /// The `Box<dyn Player<G>>` of the game, while the program runs.
    player: Option<Box<dyn Any + Send>>,
    /// The turns that it has been told.
    tokens: Vec<String>,
}

impl Program {
    /// The turn that it makes now, as steps. Where `control` is stopped it is asked to answer at once, and killed where it does not.
    ///
    /// # Errors
    /// Why it makes none.
    pub(crate) fn turn<G: Engine>(
        &mut self,
        variant: Variant,
        rules: &[(String, String)],
        played: &Played<G>,
        control: &Control,
    ) -> Result<Vec<G::Step>, NoTurn> {
        let answer = self.ask(variant, rules, played, control);
        answer.map_err(|trouble| {
            if matches!(trouble, Trouble::Failed(Failure::Resigned)) {
                return NoTurn::Resigns;
            }
            // Whatever state it is in: another question begins with another process.
            self.player = None;
            let name = printable(&self.spec.name);
            NoTurn::Trouble(match trouble {
                Trouble::Failed(failure) => format!("{name} makes no turn: {failure}."),
                Trouble::Illegal(token) => {
                    format!("{name} makes an illegal turn: {}.", printable(&token))
                }
            })
        })
    }

    /// The program, started and told that a new game begins where that is due.
    fn player<G: Engine>(
        &mut self,
        variant: Variant,
        rules: &[(String, String)],
        tokens: &[String],
    ) -> Result<&mut dyn Player<G>, Failure> {
        let runs = self.player.as_ref();
        let goes_on = runs.is_some_and(|player| player.is::<Box<dyn Player<G>>>())
            && tokens.starts_with(&self.tokens);
        if !goes_on {
            // Also after turns were taken back: not every protocol has a word for that.
            self.player = None;
            let mut player = start::<G>(&self.spec, variant, rules, None)?;
            player.new_game()?;
            self.player = Some(Box::new(player));
        }
        let player = self.player.as_mut();
        let player = player.and_then(|player| player.downcast_mut::<Box<dyn Player<G>>>());
        Ok(&mut **player.ok_or(Failure::Stalled)?)
    }

    fn ask<G: Engine>(
        &mut self,
        variant: Variant,
        rules: &[(String, String)],
        played: &Played<G>,
        control: &Control,
    ) -> Result<Vec<G::Step>, Trouble> {
        if let Some(pass) = forced_pass(played.position()) {
            return Ok(pass.to_vec());
        }
        let mut played = played.clone();
        // A turn that somebody has begun is begun anew.
        while played.undo_step() {}
        let begin = played.start().fen();
        let is_usual = begin == G::start(played.game().options()).fen();
        let begin = if is_usual { "startpos" } else { &begin };
        let mut tokens = tokens_of(&played);
        let limit = limit(&self.spec.limit, played.clock.as_ref());
        let mover = played.side();
        let player = self.player::<G>(variant, rules, &tokens)?;
        let mut turn = Vec::new();
        loop {
            let left = |side| {
                played
                    .clock
                    .as_ref()
                    .map_or(Duration::ZERO, |clock| clock.left(side))
            };
            let left = Color::ALL.map(left);
            let increments =
                Duration::from_millis(limit.clock.map_or(0, |(_, increment)| increment));
            let position = *played.position();
            let timeout = limit
                .time(left[mover.index()])
                .map_or_else(|| limit.timeout(ANSWER_TIMEOUT), |allowed| allowed + MARGIN);
            let request = MoveRequest {
                game: played.game(),
                start: begin,
                tokens: &tokens,
                white_to_move: mover == Color::White,
                left,
                increments: [increments; 2],
                turns_to_go: None,
                limit: &limit,
                timeout,
            };
            let reply = think(player, &request, control)?;
            let illegal = || Trouble::Illegal(reply.token.clone());
            let steps = reply.turn(&position).ok_or_else(illegal)?;
            turn.extend(steps.iter().copied());
            tokens.push(turn_token(&position, &steps));
            if played.play(&steps) {
                break;
            }
        }
        // Includes the program's latest turn: if the game continues without it, the program is restarted.
        self.tokens = tokens_of(&played);
        Ok(turn)
    }
}

/// The turns of a game, as programs read them.
fn tokens_of<G: Engine>(played: &Played<G>) -> Vec<String> {
    played.turns().iter().map(|one| one.turn.token()).collect()
}

/// Why a program has no turn.
enum Trouble {
    Failed(Failure),
    Illegal(String),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// What a program may spend on a turn: its own limits, beside them the clock of the game, and a second where there is neither.
fn limit(own: &Limit, clock: Option<&Clock>) -> Limit {
    let ms = |time: Duration| time.as_millis() as u64;
    let clock = clock.map(|clock| {
        let control = clock.control(Color::White);
        (ms(control.base), ms(control.increment))
    });
    let mut limit = Limit {
        clock,
        session: None,
        ..own.clone()
    };
    if limit.is_empty() {
        limit.movetime = Some(USUAL_TIME);
    }
    limit
}

/// Asks a program for its turn; another thread looks whether it is to stop.
fn think<G: Engine>(
    player: &mut dyn Player<G>,
    request: &MoveRequest<'_, G>,
    control: &Control,
) -> Result<MoveReply, Failure> {
    let Some(interrupt) = player.interrupt() else {
        return player.think(request);
    };
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let hurry =
            thread::Builder::new().spawn_scoped(scope, || hurry(&interrupt, control, &is_done));
        // Without that thread the program thinks as long as its limit lets it.
        drop(hurry);
        let _done = Done(&is_done);
        player.think(request)
    })
}

/// Says that a program has answered when it is dropped, also by a panic: nobody is to wait for a thread that looks for ever.
struct Done<'a>(&'a AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Once a search is to stop, asks its program to answer, over and over, and kills it where it does not.
fn hurry(interrupt: &Interrupt, control: &Control, is_done: &AtomicBool) {
    let (mut deadline, mut asked) = (None, None);
    while !is_done.load(Ordering::SeqCst) {
        if control.is_stopped() {
            let deadline = *deadline.get_or_insert_with(|| Instant::now() + STOPPING);
            if Instant::now() > deadline {
                interrupt.kill();
                return;
            }
            // It may not have begun to think when it was asked first.
            if asked.is_none_or(|asked: Instant| asked.elapsed() > AGAIN) {
                asked = Some(Instant::now());
                interrupt.stop();
            }
        }
        thread::sleep(TICK);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use fauve_engine::rules::Notation;
    use fauve_engine::rules::chess::{Chess, Options};
    use fauve_game::clock::TimeControl;
    use std::sync::Arc;

    /// A program of UCI without options that does this when it is asked for a turn.
    fn spec(name: &str, go: &str) -> EngineSpec {
        let script = format!(
            "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; position*) at=$line;; go*) {go};; quit) exit;; \
             esac; done"
        );
        EngineSpec {
            name: name.to_owned(),
            command: "/bin/sh".to_owned(),
            arguments: vec!["-c".to_owned(), script],
            ..EngineSpec::default()
        }
    }

    fn program(go: &str) -> Program {
        let met =
            Opponents::meet(vec![spec("Tester", go)], Variant::Chess).expect("it plays chess");
        met.program("Tester", Variant::Chess).expect("chess")
    }

    fn game(turns: &[&str]) -> Played<Chess> {
        let mut played = Played::new(Chess::start(&Options::default()), Options::default());
        for turn in turns {
            played.add(None, turn).expect("a turn");
        }
        played
    }

    fn turn(program: &mut Program, played: &Played<Chess>) -> Result<String, NoTurn> {
        turn_of(program, played, &Control::default())
    }

    fn turn_of(
        program: &mut Program,
        played: &Played<Chess>,
        control: &Control,
    ) -> Result<String, NoTurn> {
        let steps = program.turn(Variant::Chess, &[], played, control)?;
        Ok(turn_token(played.position(), &steps))
    }

    const REPLIES: &str = "case $at in *e2e4) echo bestmove e7e5;; *g1f3) echo bestmove b8c6;; *d2d4) echo bestmove d7d5;; esac";

    #[test]
    fn a_program_follows_the_game_also_when_turns_are_taken_back() {
        let mut program = program(REPLIES);
        assert_eq!(turn(&mut program, &game(&["e2e4"])).as_deref(), Ok("e7e5"));
        let on = game(&["e2e4", "e7e5", "g1f3"]);
        assert_eq!(turn(&mut program, &on).as_deref(), Ok("b8c6"));
        assert_eq!(turn(&mut program, &game(&["d2d4"])).as_deref(), Ok("d7d5"));
    }

    #[test]
    fn a_program_whose_turn_was_discarded_is_started_again() {
        let once = "case $n in '') n=1; echo bestmove e7e5;; *) echo bestmove b8c6;; esac";
        let mut program = program(once);
        for _ in 0..2 {
            assert_eq!(turn(&mut program, &game(&["e2e4"])).as_deref(), Ok("e7e5"));
        }
        let on = game(&["e2e4", "e7e5", "g1f3"]);
        assert_eq!(turn(&mut program, &on).as_deref(), Ok("b8c6"), "it goes on");
    }

    #[test]
    fn a_program_that_dies_or_babbles_ends_in_a_sentence_and_can_be_asked_again() {
        for (go, why) in [
            (
                "echo oh dear >&2; exit 3",
                "Tester makes no turn: the program has ended (exit status: 3, oh dear).",
            ),
            ("echo bestmove e7e9", "Tester makes an illegal turn: e7e9."),
            ("echo bestmove", "Tester makes an illegal turn: ."),
            (
                "kill -9 $$",
                "Tester makes no turn: the program has ended (signal: 9 (SIGKILL)).",
            ),
        ] {
            let mut program = program(go);
            for _ in 0..2 {
                let said = turn(&mut program, &game(&["e2e4"]));
                assert_eq!(said, Err(NoTurn::Trouble(why.to_owned())));
            }
        }
    }

    #[test]
    fn a_program_that_is_asked_to_stop_answers_or_is_killed() {
        for (go, answer) in [
            (
                "while read -r word; do case $word in stop) echo bestmove e7e5; break;; esac; done",
                Some("e7e5"),
            ),
            ("sleep 1000", None),
        ] {
            let mut program = program(go);
            // Without a clock of this length it would be given up after some seconds.
            let mut played = game(&["e2e4"]);
            let hour = Duration::from_hours(1);
            played.clock = Some(Clock::new(TimeControl {
                base: hour,
                increment: Duration::ZERO,
            }));
            let control = Arc::new(Control::default());
            let stop = Arc::clone(&control);
            let begin = Instant::now();
            let stopping = thread::spawn(move || {
                thread::sleep(Duration::from_millis(300));
                stop.stop();
            });
            let said = turn_of(&mut program, &played, &control);
            stopping.join().expect("it stops");
            match answer {
                Some(token) => assert_eq!(said.as_deref(), Ok(token)),
                None => assert!(matches!(said, Err(NoTurn::Trouble(_))), "{said:?}"),
            }
            assert!(
                begin.elapsed() < Duration::from_secs(20),
                "{:?}",
                begin.elapsed()
            );
        }
    }

    #[test]
    fn programs_are_offered_where_they_play_and_refused_with_a_reason() {
        let own = EngineSpec {
            variant: Some("own".to_owned()),
            ..spec("C", REPLIES)
        };
        let specs = vec![spec("A", REPLIES), spec("B", REPLIES), own];
        let met = Opponents::meet(specs, Variant::TwoMove).expect("three");
        assert_eq!(met.listed().len(), 3);
        assert!(met.plays("A", Variant::Chess) && met.plays("B", Variant::Chess));
        assert!(!met.plays("A", Variant::TwoMove) && !met.plays("D", Variant::Chess));
        assert!(met.plays("C", Variant::TwoMove) && !met.plays("C", Variant::Chess));
        let missing = EngineSpec {
            command: "/nowhere/engine".to_owned(),
            ..spec("A", "")
        };
        let internal = EngineSpec::complete(&["proto=internal"], &[]).expect("a player");
        let pondering = EngineSpec {
            ponder: true,
            ..spec("A", REPLIES)
        };
        for (specs, why) in [
            (
                vec![pondering],
                "engine A: the opponents of the board think only when they are to move",
            ),
            (
                vec![spec("A", ""), spec("A", "")],
                "two engines are called A",
            ),
            (vec![spec("Human", "")], "an engine cannot be called Human"),
            (
                vec![spec("Fauve, level 3", "")],
                "an engine cannot be called Fauve, level 3",
            ),
            (
                vec![missing],
                "engine A: the program has ended (cannot start '/nowhere/engine'",
            ),
            (vec![internal], "the opponents of the board are programs"),
        ] {
            let said = Opponents::meet(specs, Variant::Chess)
                .expect_err(why)
                .to_string();
            assert!(said.contains(why), "{said}");
        }
    }

    #[test]
    fn a_program_thinks_by_its_limit_by_the_clock_or_for_a_second() {
        let own = |words: &[&str]| {
            let words: Vec<&str> = [&["cmd=x"], words].concat();
            EngineSpec::complete(&words, &[]).expect("a player").limit
        };
        let clock = Clock::new(TimeControl {
            base: Duration::from_mins(1),
            increment: Duration::from_secs(1),
        });
        assert_eq!(limit(&own(&[]), None).movetime, Some(USUAL_TIME));
        assert_eq!(limit(&own(&["tc=10+1"]), None).movetime, Some(USUAL_TIME));
        assert_eq!(limit(&own(&["nodes=5"]), None).movetime, None);
        let timed = limit(&own(&["depth=3"]), Some(&clock));
        assert_eq!((timed.clock, timed.depth), (Some((60_000, 1000)), Some(3)));
    }
}
