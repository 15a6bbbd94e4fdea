//! Players that speak CECP, the protocol of XBoard (version 2), for chess and Superchess.

use crate::player::failure::Failure;
use crate::player::moment::Moment;
use crate::player::move_request::{Interrupt, MoveReply, MoveRequest, Player, STOPPING};
use crate::player::process::Process;
use crate::player::spec::EngineSpec;
use crate::player::start::is_chess960;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::{CastlingSide, Game, Notation, parse_turn, printable, turn_san};
use fauve_game::end::GameResult;
use std::time::Duration;

/// How long a program may stay silent after `protover` until it is sent once more.
const FEATURES: Duration = Duration::from_secs(2);
/// How often `protover` is sent until a silent program counts as one of version 1: for ten seconds, as by XBoard.
const GREETINGS: u32 = 5;

/// What XBoard calls Chess960.
const CHESS960: &str = "fischerandom";
/// The options that a program may have.
const MOST_OPTIONS: usize = 1000;

/// What a program has said about itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Features {
    ping: bool,
    setboard: bool,
    usermove: bool,
    memory: bool,
    smp: bool,
    /// Whether the program does not want to hear what the clocks show.
    no_time: bool,
    /// Whether the program has to be started anew for each game.
    no_reuse: bool,
    variants: Option<String>,
    options: Vec<String>,
    myname: Option<String>,
    done: Option<bool>,
}

/// A program that speaks CECP.
#[derive(Debug)]
pub struct Cecp {
    process: Process,
    features: Features,
    variant: String,
    /// Whether castling is written with letters: king and rook may stand anywhere.
    is_chess960: bool,
    settings: Vec<String>,
    /// Whether the board of the program is behind: the next question sets everything up.
    fresh: bool,
    /// The turns that the program has on its board.
    known: usize,
    pings: u32,
    /// How long it may take to start and to answer a ping.
    startup: Duration,
    /// Whether it has been asked for a turn.
    has_played: bool,
    /// Whether it may think on its opponent's time.
    ponders: bool,
    /// Whether it plays its side by itself, and so answers the opponent's turn without being asked.
    is_playing: bool,
}

impl Cecp {
    /// Starts the program and hears its features.
    ///
    /// # Errors
    /// When it does not start or does not know the game.
    pub fn start(
        spec: &EngineSpec,
        variant: Variant,
        rules: &[(String, String)],
    ) -> Result<Self, Failure> {
        let is_chess960 = rules.iter().any(|(name, value)| is_chess960(name, value));
        let name = match (&spec.variant, variant) {
            (Some(name), _) => name.clone(),
            (None, Variant::Chess) if is_chess960 => CHESS960.to_owned(),
            (None, Variant::Chess) => "normal".to_owned(),
            (None, Variant::Superchess) => "super".to_owned(),
            (None, _) => {
                return Err(Failure::Unfit(format!(
                    "CECP has no {variant}; use a UCI engine, or give variant=NAME"
                )));
            }
        };
        let unknown = [
            (spec.limit.cputime, "processor time"),
            (spec.limit.nodes, "nodes"),
        ];
        if let Some((_, what)) = unknown.iter().find(|(limit, _)| limit.is_some()) {
            return Err(Failure::Unfit(format!(
                "CECP has no limit by {what}; use tc, movetime or depth"
            )));
        }
        let mut engine = Self {
            process: Process::start(spec)?,
            features: Features::default(),
            variant: name,
            is_chess960,
            settings: Vec::new(),
            fresh: true,
            known: 0,
            pings: 0,
            startup: spec.startup(),
            has_played: false,
            ponders: spec.ponder,
            is_playing: false,
        };
        engine.hear_features()?;
        // One that names no variants plays chess, and is trusted to play what its user calls by a name.
        let named = match &engine.features.variants {
            None if engine.variant == CHESS960 && spec.variant.is_none() => Some("normal"),
            variants => variants.as_deref(),
        };
        if let Some(variants) = named
            && !variants
                .split(',')
                .any(|known| known.trim() == engine.variant)
        {
            return Err(Failure::Unfit(format!(
                "its variants have no '{}'; give the engine variant=NAME if it has another name for it",
                printable(&engine.variant)
            )));
        }
        for (option, value) in &spec.options {
            let setting = match option.to_ascii_lowercase().as_str() {
                "hash" if engine.features.memory => format!("memory {value}"),
                "threads" if engine.features.smp => format!("cores {value}"),
                _ if engine.features.options.contains(option) => {
                    if value.is_empty() {
                        format!("option {option}")
                    } else {
                        format!("option {option}={value}")
                    }
                }
                _ => {
                    return Err(Failure::Unfit(format!(
                        "it has no option '{}'",
                        printable(option)
                    )));
                }
            };
            engine.settings.push(setting);
        }
        Ok(engine)
    }

    fn hear_features(&mut self) -> Result<(), Failure> {
        self.process.send("xboard");
        self.process.send("protover 2");
        let since = Moment::now();
        let mut deadline = since.after(FEATURES);
        let mut greetings = 1;
        while self.features.done != Some(true) {
            let line = match self.process.line_before(deadline) {
                Ok(line) => line.text,
                // GNU Chess sleeps on lines that came before it was ready, until the next one.
                Err(Failure::Stalled) if self.features.done.is_none() && greetings < GREETINGS => {
                    greetings += 1;
                    self.process.send("protover 2");
                    deadline = since.after(greetings * FEATURES);
                    continue;
                }
                // A program of version 1 has nothing to say; one that has asked for time does.
                Err(Failure::Stalled) if self.features.done.is_none() => break,
                Err(failure) => return Err(failure),
            };
            self.take_features(&line)?;
            if self.features.done == Some(false) {
                // From the beginning: who goes on asking for time gets no more.
                deadline = since.after(self.startup);
            }
        }
        Ok(())
    }

    /// Takes the features of a line and answers them, whenever they come: slow programs name theirs late.
    fn take_features(&mut self, line: &str) -> Result<(), Failure> {
        for (name, value) in parse_features(line) {
            if self.features.options.len() >= MOST_OPTIONS {
                return Err(Failure::Unfit(format!(
                    "it names more than {MOST_OPTIONS} options"
                )));
            }
            let word = if self.features.take(&name, &value) {
                "accepted"
            } else {
                "rejected"
            };
            self.process.send(&format!("{word} {name}"));
        }
        Ok(())
    }

    /// Brings the program's board and clock to the first position of the game.
    fn set_up<G: Notation>(&mut self, request: &MoveRequest<'_, G>) -> Result<(), Failure> {
        self.process.send("new");
        if self.variant != "normal" {
            self.process.send(&format!("variant {}", self.variant));
        }
        for setting in &self.settings {
            self.process.send(setting);
        }
        let pondering = if self.ponders { "hard" } else { "easy" };
        for line in ["force", pondering, "post"] {
            self.process.send(line);
        }
        let limit = request.limit;
        if let Some((base, increment)) = limit.clock {
            let seconds = base.div_ceil(1000);
            self.process.send(&format!(
                "level {} {}:{:02} {}",
                limit.session.unwrap_or(0),
                seconds / 60,
                seconds % 60,
                increment as f64 / 1000.0
            ));
        } else if let Some(time) = limit.movetime {
            self.process.send(&format!("st {}", time as f64 / 1000.0));
        }
        if let Some(depth) = limit.depth {
            self.process.send(&format!("sd {depth}"));
        }
        if request.start != "startpos" {
            if self.features.setboard {
                self.process.send(&format!("setboard {}", request.start));
            } else {
                for line in edit_lines(request.start).ok_or_else(|| {
                    Failure::Unfit(
                        "it has no setboard, and its edit needs White to move".to_owned(),
                    )
                })? {
                    self.process.send(&line);
                }
            }
        }
        self.fresh = false;
        self.is_playing = false;
        self.known = 0;
        self.synchronise()
    }

    /// Waits until the program has read everything, and looks for complaints.
    fn synchronise(&mut self) -> Result<(), Failure> {
        if !self.features.ping {
            return Ok(());
        }
        self.pings += 1;
        let number = self.pings;
        self.process.send(&format!("ping {number}"));
        let pong = format!("pong {number}");
        let deadline = Moment::now().after(self.startup);
        loop {
            let line = self.process.line_before(deadline)?.text;
            if line.trim() == pong {
                return Ok(());
            }
            if let Some(failure) = complaint(&line) {
                return Err(failure);
            }
            self.take_features(&line)?;
        }
    }

    fn read_answer(
        &mut self,
        since: Moment,
        deadline: Moment,
        own: Color,
        thought: &mut MoveReply,
    ) -> Result<(), Failure> {
        let lost = GameResult::win(!own).text();
        loop {
            let line = self.process.line_between(since, deadline)?;
            let text = line.text.trim();
            if let Some(token) = read_move(text) {
                token.clone_into(&mut thought.token);
                thought.elapsed = line.at.since(since);
                return Ok(());
            }
            if is_resignation(text) {
                return Err(Failure::Resigned);
            }
            if text.starts_with("1-0") || text.starts_with("0-1") || text.starts_with("1/2-1/2") {
                // The specification allows `0-1 {White resigns}` instead of `resign`.
                if text.starts_with(lost) && text.to_ascii_lowercase().contains("resign") {
                    return Err(Failure::Resigned);
                }
                // The referee ends games by itself; a claim instead of a turn gives the game up.
                return Err(Failure::Refused(text.to_owned()));
            }
            if let Some(failure) = complaint(text) {
                return Err(failure);
            }
            self.take_features(text)?;
            read_thinking(text, thought);
        }
    }
}

impl<G: Notation> Player<G> for Cecp {
    fn interrupt(&self) -> Option<Interrupt> {
        self.process.interrupt("?")
    }

    fn group(&self) -> Option<u32> {
        Some(self.process.group())
    }

    fn id(&self) -> Option<&str> {
        self.features.myname.as_deref()
    }

    fn new_game(&mut self) -> Result<(), Failure> {
        if self.has_played && self.features.no_reuse {
            return Err(Failure::Unfit("it plays one game only".to_owned()));
        }
        self.fresh = true;
        Ok(())
    }

    fn think(&mut self, request: &MoveRequest<'_, G>) -> Result<MoveReply, Failure> {
        if self.fresh {
            self.set_up(request)?;
        }
        self.process.attend();
        let known = self.known.min(request.tokens.len());
        let new: Vec<_> = request.tokens[known..]
            .iter()
            .zip(known..)
            .map(|(token, place)| self.written(request.game, place, token))
            .collect();
        self.known = request.tokens.len();
        let mut thought = MoveReply::default();
        let since = match &new[..] {
            // It thinks on the opponent's time, and on its own as soon as it hears the opponent's turn.
            [token] if self.is_playing => {
                self.send_clocks(request);
                let since = Moment::now();
                self.send_turn(token);
                since
            }
            _ => {
                self.watch();
                for token in &new {
                    self.send_turn(token);
                }
                self.synchronise()?;
                self.send_clocks(request);
                let since = Moment::now();
                self.process.send("go");
                since
            }
        };
        self.has_played = true;
        let own = request.game.position().side_to_move();
        match self.read_answer(since, since.after(request.timeout), own, &mut thought) {
            Err(Failure::Stalled) => {
                self.process.send("?");
                let late =
                    self.read_answer(since, Moment::now().after(STOPPING), own, &mut thought);
                // Whatever it says or does now, it is too late.
                late.map_err(|_| Failure::Stalled)?;
            }
            other => other?,
        }
        // The program has made its turn on its own board, unless the referee refuses it; then the game is over.
        self.known += 1;
        self.is_playing = true;
        if self.ponders {
            self.process.leave_unattended();
        } else {
            self.watch();
        }
        Ok(thought)
    }

    fn rest(&mut self) -> Result<(), Failure> {
        self.process.attend();
        self.watch();
        Ok(())
    }
}

impl Cecp {
    fn send_turn(&mut self, token: &str) {
        if self.features.usermove {
            self.process.send(&format!("usermove {token}"));
        } else {
            self.process.send(token);
        }
    }

    /// A turn as XBoard writes it: in Chess960 castling with letters, since king and rook may exchange squares or stay on them.
    fn written<G: Notation>(&self, game: &Game<G>, place: usize, token: &str) -> String {
        let castling = || {
            let position = game.turn_positions().nth(place)?;
            let san = turn_san(position, &parse_turn(position, token).ok()?);
            CastlingSide::of_san(&san).map(CastlingSide::san)
        };
        let castling = self.is_chess960.then(castling).flatten();
        castling.unwrap_or(token).to_owned()
    }

    fn send_clocks<G: Notation>(&mut self, request: &MoveRequest<'_, G>) {
        if request.limit.clock.is_some() && !self.features.no_time {
            let own = usize::from(!request.white_to_move);
            let centiseconds = |side: usize| request.left[side].as_millis() / 10;
            self.process.send(&format!("time {}", centiseconds(own)));
            self.process
                .send(&format!("otim {}", centiseconds(1 - own)));
        }
    }

    /// Lets the program play no side: it neither answers nor thinks until it is asked.
    fn watch(&mut self) {
        if std::mem::take(&mut self.is_playing) {
            self.process.send("force");
        }
    }
}

impl Drop for Cecp {
    fn drop(&mut self) {
        self.process.finish();
    }
}

impl Features {
    /// Takes one feature; `false` if it is of no use here.
    fn take(&mut self, name: &str, value: &str) -> bool {
        let on = value == "1";
        match name {
            "ping" => self.ping = on,
            "setboard" => self.setboard = on,
            "usermove" => self.usermove = on,
            "memory" => self.memory = on,
            "smp" => self.smp = on,
            "variants" => self.variants = Some(value.to_owned()),
            "done" => self.done = Some(on),
            "option" => {
                let name = value.split(" -").next().unwrap_or_default();
                self.options.push(name.trim().to_owned());
            }
            "reuse" => self.no_reuse = !on,
            "myname" => self.myname = Some(value.to_owned()),
            "time" => self.no_time = !on,
            // What XBoard knows is accepted, also where there is nothing to be done about it here: some programs complain otherwise.
            "colors" | "sigint" | "sigterm" | "analyze" | "playother" | "draw" | "ics" | "name"
            | "pause" | "nps" | "debug" | "egt" | "exclude" | "setscore" | "highlight" => {}
            // SAN instead of coordinates is not offered.
            "san" => return !on,
            _ => return false,
        }
        true
    }
}

/// Reads `feature a=1 b="text with blanks"`.
fn parse_features(line: &str) -> Vec<(String, String)> {
    let mut features = Vec::new();
    let Some(mut rest) = line.trim().strip_prefix("feature ") else {
        return features;
    };
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.trim().to_owned();
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        features.push((name, value.trim().to_owned()));
        rest = after;
    }
    features
}

/// A position for programs without `setboard`, as XBoard edits it: the pieces of each side, with the number that a side has in
/// hand as `N@1`. `None` with Black to move.
fn edit_lines(fen: &str) -> Option<Vec<String>> {
    let mut fields = fen.split_whitespace();
    let board = fields.next()?;
    if fields.next()? != "w" {
        return None;
    }
    let (board, pool) = board.split_once('[').unwrap_or((board, ""));
    let mut sides = [
        vec!["edit".to_owned(), "#".to_owned()],
        vec!["c".to_owned()],
    ];
    for (row, rank) in board.split('/').enumerate() {
        let mut file = 0;
        for letter in rank.chars() {
            if let Some(gap) = letter.to_digit(10) {
                file = u8::min(file + gap as u8, 7);
            } else if letter.is_ascii_alphabetic() {
                let side = usize::from(letter.is_ascii_lowercase());
                let place = char::from(b'a' + file);
                sides[side].push(format!(
                    "{}{place}{}",
                    letter.to_ascii_uppercase(),
                    8 - row.min(7)
                ));
                file = u8::min(file + 1, 7);
            }
        }
    }
    for letter in "PNBRQESV".chars() {
        for (side, letter) in [letter, letter.to_ascii_lowercase()]
            .into_iter()
            .enumerate()
        {
            let count = pool.chars().filter(|&other| other == letter).count();
            if count > 0 {
                sides[side].push(format!("{}@{count}", letter.to_ascii_uppercase()));
            }
        }
    }
    let [mut lines, black] = sides;
    lines.extend(black);
    lines.push(".".to_owned());
    Some(lines)
}

/// The turn that a line holds, in one of the forms that XBoard reads: `move e7e5`, `My move is: e7e5`, `7. ... e7e5`.
fn read_move(line: &str) -> Option<&str> {
    let small = line.to_ascii_lowercase();
    let mine = "my move is";
    let rest = if small.starts_with("move ") {
        &line["move ".len()..]
    } else if small.starts_with(mine) {
        line[mine.len()..].trim_start_matches(':')
    } else {
        let (number, rest) = line.split_once('.')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        rest.trim_start()
            .strip_prefix("...")
            .filter(|_| is_number)?
    };
    rest.split_whitespace().next()
}

/// Whether a program gives up, in one of the forms that XBoard reads.
fn is_resignation(line: &str) -> bool {
    let small = line.to_ascii_lowercase();
    let rest = ["tellics ", "tellall ", "computer "]
        .iter()
        .find_map(|beginning| small.strip_prefix(beginning))
        .unwrap_or(&small);
    rest.trim() == "resign" || (small.starts_with("computer") && rest.trim() == "resigns")
}

/// Whether a line refuses what was sent. A command that the program does not know is no fault, unless the game needs it, also where the program
/// takes it for a move (`Illegal move: sd 4`); nor is what it has to say to its user, unless it takes the position for illegal.
fn complaint(line: &str) -> Option<Failure> {
    const NEEDED: [&str; 7] = [
        "new", "variant", "force", "go", "usermove", "setboard", "edit",
    ];
    const OPTIONAL: [&str; 15] = [
        "easy", "hard", "post", "level", "st", "sd", "time", "otim", "memory", "cores", "option",
        "ping", "accepted", "rejected", "protover",
    ];
    let text = line.trim();
    let is_needed = |command: &str| {
        NEEDED.contains(&command)
            // A bare turn, such as e7e8q or O-O.
            || command.starts_with("O-O")
            || (command.len() >= 4 && command.as_bytes().get(1).is_some_and(u8::is_ascii_digit))
    };
    let small = text.to_ascii_lowercase();
    let refuses = if let Some(rest) = text.strip_prefix("Error (") {
        let command = rest.split_once("):").map_or("", |(_, command)| command);
        command.split_whitespace().next().is_none_or(is_needed)
    } else if let Some(rest) = small.strip_prefix("illegal move") {
        let command = rest.split_once(':').map_or("", |(_, command)| command);
        let command = command.split_whitespace().next();
        command.is_none_or(|command| !OPTIONAL.contains(&command))
    } else {
        small.starts_with("tellusererror") && small.contains("illegal")
    };
    refuses.then(|| Failure::Refused(text.to_owned()))
}

/// Reads a thinking line, `ply score time nodes pv`. Scores from 100,000 are mates in the convention of XBoard.
fn read_thinking(line: &str, thought: &mut MoveReply) {
    let mut words = line.split_whitespace();
    let mut number = || {
        words
            .next()
            .and_then(|word| word.trim_end_matches(['.', '&', '+']).parse::<i64>().ok())
    };
    let (Some(depth), Some(score), Some(_), Some(nodes)) = (number(), number(), number(), number())
    else {
        return;
    };
    thought.depth = u32::try_from(depth).ok();
    thought.nodes = u64::try_from(nodes).ok();
    let mate = score.saturating_abs() - 100_000;
    if (0..10_000).contains(&mate) {
        thought.cp = None;
        thought.mate = Some((mate * score.signum()) as i32);
    } else {
        thought.cp = i32::try_from(score).ok();
        thought.mate = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_features() {
        let mut features = Features::default();
        for (name, value) in parse_features(
            "feature ping=1 setboard=1 myname=\"A B = C\" option=\"Resign threshold -spin 500 100 16000\" done=1",
        ) {
            features.take(&name, &value);
        }
        assert!(features.ping && features.setboard && !features.usermove);
        assert_eq!(features.options, ["Resign threshold"]);
        assert_eq!(features.done, Some(true));
        for odd in [
            "feature",
            "feature x",
            "feature x=\"",
            "feature =",
            "move e2e4",
        ] {
            let _ = parse_features(odd);
        }
    }

    #[test]
    fn reads_turns_resignations_and_complaints_as_xboard_does() {
        for (line, token) in [
            ("move e7e5", Some("e7e5")),
            ("My move is: e7e5", Some("e7e5")),
            ("My move is e7e8q", Some("e7e8q")),
            ("7. ... e7e5", Some("e7e5")),
            ("12. ... O-O", Some("O-O")),
            ("7. e2e4", None),
            ("9 156 1084 48000 Nf3 Nc6", None),
            ("1. 20 3 400 e2e4", None),
            ("", None),
        ] {
            assert_eq!(read_move(line), token, "{line}");
        }
        for line in [
            "resign",
            "tellics resign",
            "computer resigns",
            "Computer resigns",
        ] {
            assert!(is_resignation(line), "{line}");
        }
        assert!(!is_resignation("tellics say I do not resign"));
        for line in [
            "Error (unknown command): easy",
            "Error (unknown command): ?",
            "tellusererror no opening book",
            "Illegal move: sd 4",
            "Illegal move (unknown command): level 0 1 0",
        ] {
            assert_eq!(complaint(line), None, "{line}");
        }
        for line in [
            "Illegal move: e2e5",
            "tellusererror Illegal position",
            "Illegal move",
            "Illegal move (out of turn): Nf3",
            "Error (unknown command): usermove",
            "Error (bad move): e2e4",
            "Error (x)",
        ] {
            assert!(complaint(line).is_some(), "{line}");
        }
    }

    #[test]
    fn edits_positions_piece_by_piece() {
        let lines = edit_lines("r3k3/8/8/8/8/8/P7/4K2A[NNr] w - - 0 1").unwrap();
        assert_eq!(
            lines,
            [
                "edit", "#", "Pa2", "Ke1", "Ah1", "N@2", "c", "Ra8", "Ke8", "R@1", "."
            ]
        );
        assert_eq!(edit_lines("4k3/8/8/8/8/8/8/4K3 b - - 0 1"), None);
        for odd in ["", "x", "99999999/é w", "///////////////////// w"] {
            let _ = edit_lines(odd);
        }
    }

    #[test]
    fn reads_thinking_lines() {
        let mut thought = MoveReply::default();
        read_thinking("9 156 1084 48000 Nf3 Nc6", &mut thought);
        assert_eq!(
            (thought.depth, thought.cp, thought.nodes),
            (Some(9), Some(156), Some(48000))
        );
        read_thinking("12. -100003 10 99 e2e4", &mut thought);
        assert_eq!((thought.cp, thought.mate), (None, Some(-3)));
        read_thinking("# 1 2 3 4", &mut thought);
        read_thinking("1 2 3", &mut thought);
        assert_eq!(thought.depth, Some(12));
        read_thinking(&format!("1 {} 3 4", i64::MIN), &mut thought);
        assert_eq!((thought.cp, thought.mate), (None, None));
    }
}
