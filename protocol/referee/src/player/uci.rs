//! Players that speak UCI or UGI.

use crate::player::failure::Failure;
use crate::player::moment::Moment;
use crate::player::move_request::{Doubling, Interrupt, MoveReply, MoveRequest, Player, STOPPING};
use crate::player::process::Process;
use crate::player::spec::{EngineSpec, GAME, Protocol};
use crate::player::start::{is_chess960, no_chess960};
use crate::record::game::Bound;
use fauve_engine::Variant;
use fauve_engine::rules::{Notation, Rules, printable};
use fauve_game::cube::cube_text;
use std::fmt::Write;
use std::str::FromStr;
use std::time::Duration;

/// The option by which an engine of ours counts `movetime` in processor time.
const CPU_CLOCK: &str = "CPU Clock";
/// The least time that a program has to read a position, before its clock runs: however short its turn is.
const READING: Duration = Duration::from_secs(2);
/// The option by which a program takes part in pondering.
const PONDER: &str = "Ponder";
/// The option by which an engine of ours answers questions about the doubling cube.
const DOUBLING: &str = "Doubling";
/// The options that a program may have.
const MOST_OPTIONS: usize = 1000;

/// A program that speaks UCI or UGI.
#[derive(Debug)]
pub struct Uci {
    process: Process,
    ugi: bool,
    /// Whether an option was set, which it may refuse.
    has_set: bool,
    /// How long it may take to greet.
    startup: Duration,
    /// Whether it answers questions about the doubling cube.
    doubles: bool,
    /// Whether it has an option that names the game.
    knows_games: bool,
    /// What it calls itself.
    id: Option<String>,
    /// Whether it may think on its opponent's time.
    ponders: bool,
    /// What it thinks about on its opponent's time.
    pondering: Option<Pondering>,
}

/// Thinking on the opponent's time.
#[derive(Debug)]
struct Pondering {
    /// The `position` command of the position after the expected turn.
    position: String,
    /// When it began.
    since: Moment,
}

impl Uci {
    /// Starts the program and sets its options, the game, and the rule switches that it knows.
    ///
    /// # Errors
    /// When it does not start, does not greet, or does not know the game or an option.
    pub fn start(
        spec: &EngineSpec,
        variant: Variant,
        rules: &[(String, String)],
    ) -> Result<Self, Failure> {
        let mut engine = Self {
            process: Process::start(spec)?,
            ugi: spec.protocol == Protocol::Ugi,
            startup: spec.startup(),
            has_set: false,
            doubles: false,
            knows_games: false,
            id: None,
            ponders: spec.ponder,
            pondering: None,
        };
        let mut known = engine.greet()?;
        let (early, late): (Vec<_>, Vec<_>) = spec
            .options
            .iter()
            .partition(|(name, _)| known.find(name).is_some());
        for (name, value) in &early {
            engine.set_option(name, &known.accepted(name, value)?);
        }
        let mut game = known.name_of_game(spec, variant);
        if !early.is_empty() && (game.is_err() || !late.is_empty()) {
            // One option can bring others, as the path of a file with variants does; a second greeting lists them.
            known = engine.greet()?;
            game = known.name_of_game(spec, variant);
        }
        engine.knows_games = known.find(GAME).is_some();
        if let Some(name) = game? {
            engine.set_option(GAME, &name);
        }
        for (name, value) in rules {
            if known.find(name).is_none() {
                // Other rules are the referee's; this one is how castling is written.
                if is_chess960(name, value) {
                    return Err(no_chess960());
                }
            } else if !has_option(spec, name) {
                engine.set_option(name, value);
            }
        }
        for (name, value) in late {
            engine.set_option(name, &known.accepted(name, value)?);
        }
        let is_off =
            option(spec, DOUBLING).is_some_and(|value| value.eq_ignore_ascii_case("false"));
        engine.doubles = known.find(DOUBLING).is_some() && !is_off;
        if engine.doubles {
            engine.set_option(DOUBLING, "true");
        }
        if spec.ponder {
            if known.find(PONDER).is_none() {
                return Err(Failure::Unfit(format!(
                    "it does not ponder: it has no option {PONDER}"
                )));
            }
            if spec.limit.cputime.is_some() {
                return Err(Failure::Unfit(
                    "a program that ponders is limited by the clock on the wall, not by processor time".to_owned(),
                ));
            }
            if !has_option(spec, PONDER) {
                engine.set_option(PONDER, "true");
            }
        }
        if spec.limit.cputime.is_some() {
            if spec.limit.movetime.is_some() {
                return Err(Failure::Unfit(
                    "a program is limited by movetime or cputime, not by both".to_owned(),
                ));
            }
            if known.find(CPU_CLOCK).is_none() {
                return Err(Failure::Unfit(format!(
                    "it cannot be limited by processor time: it has no option '{CPU_CLOCK}'"
                )));
            }
            engine.set_option(CPU_CLOCK, "true");
        }
        engine.hear_refusals()?;
        Ok(engine)
    }

    /// Greets the program and hears its options.
    fn greet(&mut self) -> Result<OptionList, Failure> {
        let (hello, done) = if self.ugi {
            ("ugi", "ugiok")
        } else {
            ("uci", "uciok")
        };
        self.process.send(hello);
        let mut options = OptionList::default();
        let mut id = None;
        let has_set = self.has_set;
        self.process.wait_for(self.startup, |line| {
            if let Some(failure) = refusal(line).filter(|_| has_set) {
                return Some(Err(failure));
            }
            if let Some(name) = line.trim().strip_prefix("id name ") {
                id = Some(name.trim().to_owned());
            }
            options.0.extend(OptionLine::parse(line));
            if options.0.len() > MOST_OPTIONS {
                return Some(Err(Failure::Unfit(format!(
                    "it names more than {MOST_OPTIONS} options"
                ))));
            }
            (line.trim() == done).then_some(Ok(()))
        })??;
        self.id = id;
        Ok(options)
    }

    fn set_option(&mut self, name: &str, value: &str) {
        self.has_set = true;
        self.process.send(&if value.is_empty() {
            format!("setoption name {name}")
        } else {
            format!("setoption name {name} value {value}")
        });
    }

    fn wait_ready(&mut self, timeout: Duration) -> Result<(), Failure> {
        self.process.send("isready");
        self.process
            .wait_for(timeout, |line| (line.trim() == "readyok").then_some(()))
    }

    /// Waits until the program has taken its options, and hears whether it refuses one.
    fn hear_refusals(&mut self) -> Result<(), Failure> {
        self.process.send("isready");
        let has_set = self.has_set;
        self.process.wait_for(self.startup, |line| {
            if line.trim() == "readyok" {
                return Some(Ok(()));
            }
            refusal(line).filter(|_| has_set).map(Err)
        })?
    }

    fn position_line<G: Notation>(request: &MoveRequest<'_, G>) -> String {
        // With dice the present position says all, the roll too.
        if G::HAS_CHANCE {
            return format!("position fen {}", request.game.position().fen());
        }
        let mut line = if request.start == "startpos" {
            "position startpos".to_owned()
        } else {
            format!("position fen {}", request.start)
        };
        if !request.tokens.is_empty() {
            line.push_str(" moves");
            for token in request.tokens {
                line.push(' ');
                line.push_str(token);
            }
        }
        line
    }

    /// `go` with the limits. `spent` is what has gone from the time of this turn since the request was made.
    fn go_line<G: Rules>(&self, go: &str, request: &MoveRequest<'_, G>, spent: Duration) -> String {
        let mut line = go.to_owned();
        if request.limit.clock.is_some() {
            let mut left = request.left;
            let own = usize::from(!request.white_to_move);
            left[own] = left[own].saturating_sub(spent);
            let words = if self.ugi {
                ["p1time", "p2time", "p1inc", "p2inc"]
            } else {
                ["wtime", "btime", "winc", "binc"]
            };
            let times = left.iter().chain(&request.increments);
            for (word, time) in words.into_iter().zip(times) {
                push(&mut line, word, time.as_millis());
            }
            // UGI has no word for it.
            if let Some(turns) = request.turns_to_go.filter(|_| !self.ugi) {
                push(&mut line, "movestogo", turns);
            }
        }
        if let Some(time) = request.limit.movetime {
            let left = Duration::from_millis(time).saturating_sub(spent);
            push(&mut line, "movetime", left.as_millis().max(1));
        }
        if let Some(time) = request.limit.cputime {
            push(&mut line, "movetime", time);
        }
        if let Some(nodes) = request.limit.nodes {
            push(&mut line, "nodes", nodes);
        }
        if let Some(depth) = request.limit.depth {
            push(&mut line, "depth", depth);
        }
        line
    }

    /// Hears the answer to what was asked at `asked`, with all that was said since `begin`. A program that only thinks too long has lost, but
    /// can stay for the next game.
    fn hear(
        &mut self,
        begin: Moment,
        asked: Moment,
        timeout: Duration,
        thought: &mut MoveReply,
    ) -> Result<(), Failure> {
        match self.read_answer(begin, asked, asked.after(timeout), thought) {
            Err(Failure::Stalled) => {
                self.process.send("stop");
                let late = self.read_answer(begin, asked, Moment::now().after(STOPPING), thought);
                // Its time was over before it ended.
                late.map_err(|_| Failure::Stalled)
            }
            other => other,
        }
    }

    fn read_answer(
        &mut self,
        begin: Moment,
        asked: Moment,
        deadline: Moment,
        thought: &mut MoveReply,
    ) -> Result<(), Failure> {
        loop {
            let line = self.process.line_between(begin, deadline)?;
            let mut words = line.text.split_whitespace();
            match words.next() {
                Some("info") => read_info(words, thought),
                Some("bestmove") => {
                    words
                        .next()
                        .unwrap_or_default()
                        .clone_into(&mut thought.token);
                    thought.expected = words
                        .next()
                        .filter(|&word| word == "ponder")
                        .and_then(|_| words.next())
                        .map(str::to_owned);
                    // One that answers before it is asked has taken no time of its own.
                    thought.elapsed = line.at.since(asked);
                    return Ok(());
                }
                _ => {}
            }
        }
    }
}

fn push(line: &mut String, word: &str, value: impl std::fmt::Display) {
    write!(line, " {word} {value}").expect("writing to a string does not fail");
}

impl<G: Notation> Player<G> for Uci {
    fn new_game(&mut self) -> Result<(), Failure> {
        self.stop_pondering(STOPPING)?;
        self.process
            .send(if self.ugi { "uginewgame" } else { "ucinewgame" });
        self.wait_ready(self.startup)
    }

    fn think(&mut self, request: &MoveRequest<'_, G>) -> Result<MoveReply, Failure> {
        let position = Self::position_line(request);
        let mut thought = MoveReply::default();
        if let Some(expected) = self
            .pondering
            .take_if(|pondering| pondering.position == position)
        {
            self.process.attend();
            thought.ponder_hit = Some(true);
            let asked = Moment::now();
            self.process.send("ponderhit");
            self.hear(expected.since, asked, request.timeout, &mut thought)?;
            return Ok(thought);
        }
        // The clock runs while it stops thinking about another position.
        let spent = self.stop_pondering(request.timeout)?;
        thought.ponder_hit = spent.map(|_| false);
        let spent = spent.unwrap_or_default();
        if spent > request.timeout {
            thought.elapsed = spent;
            return Ok(thought);
        }
        self.process.send(&position);
        // What was said before this is no answer: some programs say their turn twice.
        self.wait_ready(request.timeout.max(READING))?;
        let asked = Moment::now();
        self.process.send(&self.go_line("go", request, spent));
        let timeout = request.timeout.saturating_sub(spent);
        self.hear(asked, asked, timeout, &mut thought)?;
        thought.elapsed += spent;
        Ok(thought)
    }

    fn ponder(&mut self, request: &MoveRequest<'_, G>) -> Result<(), Failure> {
        if !self.ponders {
            return Ok(());
        }
        let position = Self::position_line(request);
        self.process.send(&position);
        self.wait_ready(self.startup)?;
        self.process.leave_unattended();
        let since = Moment::now();
        self.process
            .send(&self.go_line("go ponder", request, Duration::ZERO));
        self.pondering = Some(Pondering { position, since });
        Ok(())
    }

    fn rest(&mut self) -> Result<(), Failure> {
        self.stop_pondering(STOPPING).map(drop)
    }

    fn knows_games(&self) -> bool {
        self.knows_games
    }

    fn interrupt(&self) -> Option<Interrupt> {
        self.process.interrupt("stop")
    }

    fn group(&self) -> Option<u32> {
        Some(self.process.group())
    }

    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    fn decide(&mut self, question: &Doubling<'_, G>) -> Result<bool, Failure> {
        if self.doubles {
            self.ask_about_cube(question)
        } else {
            Ok(question.is_offered)
        }
    }
}

impl Uci {
    /// Ends thinking on the opponent's time, if the program does that, and gives how long it took to stop: longer than `timeout` if it
    /// was late.
    fn stop_pondering(&mut self, timeout: Duration) -> Result<Option<Duration>, Failure> {
        let Some(pondering) = self.pondering.take() else {
            return Ok(None);
        };
        self.process.attend();
        let asked = Moment::now();
        self.process.send("stop");
        let mut unwanted = MoveReply::default();
        self.hear(pondering.since, asked, timeout, &mut unwanted)?;
        Ok(Some(unwanted.elapsed))
    }

    /// Asks about the cube; the word of the answer.
    fn ask_about_cube<G: Notation>(&mut self, question: &Doubling<'_, G>) -> Result<bool, Failure> {
        let (word, yes, no) = if question.is_offered {
            ("take", "take", "pass")
        } else {
            ("double", "double", "roll")
        };
        self.process
            .send(&format!("position fen {}", question.game.position().fen()));
        let cube = cube_text(question.cube);
        // What is older than the question is no answer to it.
        let since = Moment::now();
        self.process.send(&format!("go {word} cube {cube} depth 1"));
        let mut thought = MoveReply::default();
        self.read_answer(since, since, since.after(question.timeout), &mut thought)?;
        match thought.token.as_str() {
            answer if answer == yes => Ok(true),
            answer if answer == no => Ok(false),
            other => Err(Failure::Refused(format!("to answer go {word}: {other}"))),
        }
    }
}

impl Drop for Uci {
    fn drop(&mut self) {
        self.process.finish();
    }
}

/// Whether a line refuses what was sent: `info string Error: …`, as many programs write, or `No such option: …`.
fn refusal(line: &str) -> Option<Failure> {
    let text = line.trim();
    let text = text.strip_prefix("info string ").unwrap_or(text).trim();
    let small = text.to_ascii_lowercase();
    [
        "error",
        "no such option",
        "unknown option",
        "invalid option",
    ]
    .iter()
    .any(|beginning| small.starts_with(beginning))
    .then(|| Failure::Refused(text.to_owned()))
}

/// Reads the words after `info`: depth, nodes and value of the first line.
fn read_info<'a>(mut words: impl Iterator<Item = &'a str>, thought: &mut MoveReply) {
    let mut update = thought.clone();
    let mut bound = None;
    let mut has_score = false;
    while let Some(word) = words.next() {
        match word {
            "multipv" if words.next().is_some_and(|number| number != "1") => return,
            "depth" => update.depth = next_number(&mut words).or(update.depth),
            "seldepth" => update.seldepth = next_number(&mut words).or(update.seldepth),
            "time" => {
                let time = next_number(&mut words);
                update.used = time.map(Duration::from_millis).or(update.used);
            }
            "nodes" => update.nodes = next_number(&mut words).or(update.nodes),
            "score" => {
                let kind = words.next();
                let value = next_number(&mut words);
                match kind {
                    Some("cp") => (update.cp, update.mate) = (value, None),
                    Some("mate") => (update.cp, update.mate) = (None, value),
                    _ => {}
                }
                has_score = true;
            }
            "lowerbound" => bound = Some(Bound::Lower),
            "upperbound" => bound = Some(Bound::Upper),
            "pv" | "string" => break,
            _ => {}
        }
    }
    if has_score {
        update.bound = bound;
        thought.update(update);
    } else {
        // Such lines are of an iteration that is not finished: the depth stays that of the value.
        if thought.cp.is_some() || thought.mate.is_some() {
            (update.depth, update.seldepth) = (thought.depth, thought.seldepth);
        }
        *thought = update;
    }
}

/// The next word, if it is a number.
fn next_number<'a, N: FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<N> {
    words.next()?.parse().ok()
}

/// `option name NAME type combo default X var A var B`, or `type spin default N min A max B`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct OptionLine {
    name: String,
    kind: String,
    least: Option<i64>,
    most: Option<i64>,
    choices: Vec<String>,
}

/// What a program has said that it can be told.
#[derive(Debug, Default)]
struct OptionList(Vec<OptionLine>);

impl OptionList {
    fn find(&self, name: &str) -> Option<&OptionLine> {
        self.0
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The value to send where the user has given `value` for an option: check boxes are written in small letters, as the protocol has them.
    ///
    /// # Errors
    /// When there is no such option, or it does not take that value.
    fn accepted(&self, name: &str, value: &str) -> Result<String, Failure> {
        let Some(option) = self.find(name) else {
            return Err(Failure::Unfit(format!(
                "it has no option '{}'",
                printable(name)
            )));
        };
        let takes = |what: String| {
            let (name, value) = (printable(&option.name), printable(value));
            Err(Failure::Unfit(format!(
                "its option {name} takes {what}, not '{value}'"
            )))
        };
        let is_choice = |choice: &String| choice.eq_ignore_ascii_case(value);
        let mut accepted = value.to_owned();
        match option.kind.as_str() {
            "spin" => {
                let (least, most) = (option.least, option.most);
                let is_in = |number: i64| {
                    least.is_none_or(|least| number >= least)
                        && most.is_none_or(|most| number <= most)
                };
                if !value.trim().parse().is_ok_and(is_in) {
                    return takes(match (least, most) {
                        (Some(least), Some(most)) => format!("{least} to {most}"),
                        _ => "a whole number".to_owned(),
                    });
                }
            }
            "check" => {
                accepted.make_ascii_lowercase();
                if !["true", "false"].contains(&accepted.as_str()) {
                    return takes("true or false".to_owned());
                }
            }
            "combo" if !option.choices.is_empty() && !option.choices.iter().any(is_choice) => {
                return takes(printable(&option.choices.join(", ")));
            }
            "button" if !value.is_empty() => return takes("no value".to_owned()),
            _ => (),
        }
        Ok(accepted)
    }

    /// What to set the option for the game to. `None` where it is not ours to set: a program without the option plays
    /// one game, and its user knows which; and the user may have set it among the other options.
    fn name_of_game(&self, spec: &EngineSpec, variant: Variant) -> Result<Option<String>, Failure> {
        let Some(option) = self.find(GAME).filter(|_| spec.game_option().is_none()) else {
            return Ok(None);
        };
        let choices = &option.choices;
        let chosen = match &spec.variant {
            // An option of any text has no choices.
            Some(name) if choices.is_empty() => Some(name),
            Some(name) => choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(name)),
            None => choices
                .iter()
                .find(|choice| Variant::from_name(choice) == Some(variant)),
        };
        match (chosen, &spec.variant) {
            (Some(name), _) => Ok(Some(name.clone())),
            (None, Some(name)) => Err(Failure::Unfit(format!(
                "its {GAME} has no '{}', also after its options were set",
                printable(name)
            ))),
            (None, None) => Err(Failure::Unfit(format!(
                "its {GAME} has no {variant}, also after its options were set; give the engine variant=NAME if it \
                 has another name for it"
            ))),
        }
    }
}

/// Whether the user sets this option.
fn has_option(spec: &EngineSpec, name: &str) -> bool {
    option(spec, name).is_some()
}

/// What an option is set to last.
fn option<'a>(spec: &'a EngineSpec, name: &str) -> Option<&'a str> {
    let mut options = spec.options.iter().rev();
    let (_, value) = options.find(|(other, _)| other.eq_ignore_ascii_case(name))?;
    Some(value)
}

impl OptionLine {
    fn parse(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("option name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let number = |key: &str| {
            let mut words = rest.split_whitespace();
            words.find(|&word| word == key)?;
            words.next()?.parse().ok()
        };
        Some(Self {
            name: name.trim().to_owned(),
            kind: rest.split_whitespace().next().unwrap_or("").to_owned(),
            least: number("min"),
            most: number("max"),
            choices: rest
                .split(" var ")
                .skip(1)
                .map(|choice| choice.trim().to_owned())
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_options_and_infos() {
        let option = OptionLine::parse(
            "option name UCI_Variant type combo default chess var chess var super var dicechess",
        )
        .unwrap();
        assert_eq!(option.name, "UCI_Variant");
        assert_eq!(option.choices, ["chess", "super", "dicechess"]);
        assert_eq!(OptionLine::parse("id name x"), None);
        let list = OptionList(
            [
                "option name Hash type spin default 16 min 1 max 64",
                "option name Ponder type check default false",
                "option name Style type combo default Solid var Solid var Very Risky",
                "option name Clear Hash type button",
                "option name Book type string default <empty>",
            ]
            .map(|line| OptionLine::parse(line).unwrap())
            .to_vec(),
        );
        for (name, good, bad) in [
            (
                "hash",
                &["1", "64"][..],
                &["0", "65", "99999999999999999999", "x", ""][..],
            ),
            ("Ponder", &["true", "false"], &["yes", ""]),
            ("Style", &["very risky"], &["Wild", ""]),
            ("Clear Hash", &[""], &["now"]),
            ("Book", &["", "x.bin"], &[]),
            ("No Such", &[], &["1"]),
        ] {
            for value in good {
                let accepted = list.accepted(name, value);
                assert_eq!(accepted.as_deref(), Ok(*value), "{name}={value}");
            }
            for value in bad {
                assert!(list.accepted(name, value).is_err(), "{name}={value}");
            }
        }
        assert_eq!(list.accepted("ponder", "True").as_deref(), Ok("true"));
        assert_eq!(list.accepted("Book", "X.bin").as_deref(), Ok("X.bin"));
        assert!(refusal("info string Error: no such file").is_some());
        assert!(refusal("No such option: x").is_some());
        assert!(refusal("info string NNUE evaluation using x.nnue").is_none());

        let mut thought = MoveReply::default();
        let read =
            |line: &str, thought: &mut MoveReply| read_info(line.split_whitespace(), thought);
        read(
            "depth 7 seldepth 9 multipv 1 score cp -31 nodes 1234 nps 9 pv e2e4 score",
            &mut thought,
        );
        assert_eq!((thought.cp, thought.mate), (Some(-31), None));
        assert_eq!((thought.depth, thought.nodes), (Some(7), Some(1234)));
        assert_eq!(thought.seldepth, Some(9));
        read("depth 8 multipv 2 score cp 500", &mut thought);
        assert_eq!((thought.cp, thought.depth), (Some(-31), Some(7)));
        read("depth 9 score cp 700 lowerbound nodes 2000", &mut thought);
        assert_eq!(
            (thought.cp, thought.depth, thought.bound),
            (Some(-31), Some(7), None),
            "the last exact value stays"
        );
        assert_eq!(thought.nodes, Some(2000));
        read("depth 9 score mate -2", &mut thought);
        assert_eq!(
            (thought.cp, thought.mate, thought.depth),
            (None, Some(-2), Some(9))
        );
        let mut bounded = MoveReply::default();
        read("depth 2 score cp -900 upperbound", &mut bounded);
        assert_eq!(
            (bounded.cp, bounded.bound),
            (Some(-900), Some(Bound::Upper))
        );
        read("depth 2 score cp 10 lowerbound", &mut bounded);
        assert_eq!((bounded.cp, bounded.bound), (Some(10), Some(Bound::Lower)));
        read("depth 3 score cp 7", &mut bounded);
        assert_eq!((bounded.cp, bounded.bound), (Some(7), None));
        read("string score cp 4", &mut thought);
        assert_eq!(thought.mate, Some(-2));
        read("depth x nodes score", &mut thought);
    }
}
