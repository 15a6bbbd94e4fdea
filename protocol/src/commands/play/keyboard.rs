use super::auto_save;
use super::complete::complete;
use super::game::{Play, named};
use super::legend;
use super::side::Side;
use super::unknown::refusal;
use crate::signals;
use crate::terminal::{
    Entry, PrintError, fit_terminal, number, plain_error, plain_text, rules_lines, size, wrap,
};
use clap::ValueEnum;
use fauve_engine::core::Color;
use fauve_engine::rules::{DiceSeed, Turn, for_each_turn, turn_san, turn_token};
use fauve_engine::search::Engine;
use fauve_engine::strength_scales::StrengthScale;
use fauve_game::assess::{bounded_text, score_text};
use fauve_game::cube::Doubling;
use fauve_game::end::{End, Termination};
use fauve_game::explain::Explain;
use fauve_game::played::{Made, Ply};
use fauve_game::read;
use std::path::Path;
use std::time::{Duration, Instant};

/// Commands and their help, in 45 columns. Commands that UCI or the console has too are named as there.
pub(super) const COMMANDS: &[(&str, &str)] = &[
    ("help", "shows this list"),
    ("legend", "explains the letters and signs of the board"),
    ("rules", "shows the rules of the game"),
    ("d", "shows the board (also: board)"),
    ("legal [PREFIX]", "lists the legal turns (also: moves)"),
    ("hint", "suggests a turn"),
    ("go", "lets the engine play your turn"),
    ("play TURN", "plays a turn; the turn alone does the same"),
    ("undo", "takes back your last turn and the reply"),
    ("history", "lists the turns played"),
    ("fen", "prints the position as FEN"),
    ("eval", "prints the static evaluation"),
    ("level N, elo N", "sets the strength of the engine"),
    (
        "setoption name NAME value VALUE",
        "sets a search option, such as Threads",
    ),
    (
        "side [white|black|both]",
        "switches sides, or takes this one",
    ),
    (
        "double, roll, take, pass",
        "turns the doubling cube (with --doubling)",
    ),
    ("draw, resign", "offers a draw; resigns the game"),
    ("save FILE", "saves the game as PGN"),
    ("load FILE", "resumes the first game of a PGN file"),
    ("new", "starts a new game"),
    ("quit", "leaves the program"),
];

/// The outcome of a line from the keyboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reply {
    /// Nothing changed: prompt again.
    Again,
    /// The position, the sides or the end of the game changed.
    Moved,
    /// Leave the program.
    Quit,
}

/// The game loop and the commands of the player.
impl<G: Engine + Explain> Play<'_, G> {
    /// Plays until the player leaves.
    pub(super) fn run(&mut self) -> Result<(), PrintError> {
        self.greet()?;
        while self.next()? != Reply::Quit {}
        Ok(())
    }

    /// Handles one event: a roll, a turn of the engine, or a line from the keyboard.
    fn next(&mut self) -> Result<Reply, PrintError> {
        if let Some((result, how)) = self.end() {
            if !self.is_result_shown {
                if !self.is_shown {
                    self.show()?;
                }
                writeln!(self.out, "{how}  {result}")?;
                self.is_result_shown = true;
            }
            return self.prompt("undo, new, save FILE or quit");
        }
        if self.played.position().awaits_roll() {
            if let Some(reply) = self.ask_about_cube()? {
                return Ok(reply);
            }
            self.roll()?;
        }
        let mover = self.played.side();
        if let Some(pass) = self.only_pass() {
            writeln!(self.out, "{} must pass", mover.name())?;
            self.make(&Turn::from_slice(&[pass]), Duration::ZERO);
        } else if self.side.has(mover) {
            if !self.is_shown {
                self.show()?;
            }
            let clocks = self.played.clock.map_or(String::new(), |clock| {
                let [white, black] = Color::ALL.map(|side| face(clock.left(side)));
                format!(" ({white} - {black})")
            });
            let what = match self.played.partial().len() {
                0 => " to move",
                1 => ", second move",
                2 => ", third move",
                _ => ", next move",
            };
            return self.prompt(&format!("{}{what}{clocks}", mover.name()));
        } else {
            self.answer()?;
        }
        Ok(Reply::Moved)
    }

    pub(super) fn prompt(&mut self, prompt: &str) -> Result<Reply, PrintError> {
        let complete = complete(*self.played.position());
        let begin = Instant::now();
        match self.lines.read(&format!("{prompt}> "), complete)? {
            Entry::Line(line) => self.execute(line.trim(), begin),
            Entry::Interrupted => {
                // As for the signal: the game is saved, and the exit status shows the interruption.
                signals::end();
                Ok(Reply::Quit)
            }
            Entry::End => {
                writeln!(self.out)?;
                // Ctrl-D is easily pressed by mistake, and must not lose the game. A script that ends has typed `save` or `quit`.
                if self.lines.is_terminal() {
                    self.kept.rescue();
                }
                Ok(Reply::Quit)
            }
        }
    }

    fn execute(&mut self, line: &str, begin: Instant) -> Result<Reply, PrintError> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            "quit" | "exit" | "q" => {
                self.kept.rescue();
                return Ok(Reply::Quit);
            }
            "help" | "?" => self.help()?,
            "legend" => writeln!(self.out, "{}", legend::of(self.variant))?,
            "rules" => self.rules()?,
            "board" | "d" => self.show()?,
            "fen" => writeln!(self.out, "{}", self.played.position().fen())?,
            "eval" => {
                let value = self.options.evaluate(self.played.position());
                writeln!(self.out, "{} pawns, White's view", score_text(value))?;
            }
            "hint" => self.hint()?,
            "moves" | "legal" => self.list(rest)?,
            "history" | "game" => self.history()?,
            "pass" if self.played.doubling.is_none() => return self.turn(line, begin),
            "take" if rest.eq_ignore_ascii_case("back") => return self.undo(),
            "roll" | "double" | "take" | "pass" => return self.turn_cube(word),
            "level" => self.set_level(rest)?,
            "elo" => self.set_elo(rest)?,
            "setoption" => self.option_of(rest)?,
            "side" => {
                if rest.is_empty() {
                    self.side = self.side.other();
                } else if let Ok(side) = Side::from_str(rest, true) {
                    self.side = side;
                } else {
                    writeln!(self.out, "side, or side white, side black, side both")?;
                    return Ok(Reply::Again);
                }
                self.is_shown = false;
                return Ok(Reply::Moved);
            }
            "resign" if self.played.end().is_none() => {
                let side = self.played.side();
                let doubling = self.played.doubling.as_ref();
                // After a double the other side is at the prompt: it takes, passes or resigns.
                let is_offered = doubling.is_some_and(Doubling::is_offered);
                self.conclude(End::resignation(if is_offered { !side } else { side }));
                return Ok(Reply::Moved);
            }
            "draw" if self.played.end().is_none() => return self.offer_draw(),
            "undo" | "u" | "takeback" => return self.undo(),
            "save" => self.save(rest)?,
            "load" => return self.load(rest),
            "new" | "ucinewgame" => {
                self.kept.begin_next();
                self.seed = DiceSeed(self.seed.0.wrapping_add(1));
                self.options.begin_game(Some(self.seed.0));
                self.played.restart(G::HAS_CHANCE.then_some(self.seed));
                self.change();
                return Ok(Reply::Moved);
            }
            "go" if self.played.end().is_none() => {
                self.answer()?;
                return Ok(Reply::Moved);
            }
            "play" if rest.is_empty() => match self.example() {
                Some(example) => writeln!(self.out, "play TURN, such as {example}")?,
                None => writeln!(self.out, "play TURN: no turn can be played now")?,
            },
            "play" => return self.turn(rest, begin),
            _ => return self.turn(line, begin),
        }
        Ok(Reply::Again)
    }

    fn help(&mut self) -> Result<(), PrintError> {
        match self.example() {
            Some(example) => writeln!(self.out, "Type a turn, such as {example}, or:")?,
            None => writeln!(self.out, "Type one of these:")?,
        }
        for (name, what) in COMMANDS {
            writeln!(self.out, "  {name:<32} {what}")?;
        }
        Ok(())
    }

    /// Ends the game by agreement or resignation.
    fn conclude(&mut self, end: End) {
        self.played.ended = Some(end);
        let is_shown = self.is_shown;
        self.change();
        self.is_shown = is_shown;
    }

    /// Offers a draw: two players at one keyboard agree by typing it, the engine decides by a search.
    fn offer_draw(&mut self) -> Result<Reply, PrintError> {
        if self.side != Side::Both && !self.accepts_draw() {
            writeln!(self.out, "the draw is declined")?;
            return Ok(Reply::Again);
        }
        self.conclude(End::agreed_draw());
        Ok(Reply::Moved)
    }

    /// Prints the rules, a screen at a time on a terminal.
    fn rules(&mut self) -> Result<(), PrintError> {
        let lines = rules_lines(G::RULES, size().1);
        let mut rest = &lines[..];
        if !self.lines.is_terminal() {
            return writeln!(self.out, "{}", lines.join("\n"));
        }
        loop {
            let (screen, below) = rest.split_at((size().0 - 1).clamp(1, rest.len()));
            for line in screen {
                writeln!(self.out, "{line}")?;
            }
            rest = below;
            if rest.is_empty() {
                return Ok(());
            }
            let lines = number(rest.len() as u64, "more line");
            let prompt = format!("Enter: {lines}, q: stop> ");
            match self.lines.read(&prompt, Box::new(|_, _| Vec::new()))? {
                Entry::Line(line) if line.trim().is_empty() => {}
                _ => return Ok(()),
            }
        }
    }

    /// A legal turn with the largest number of steps, in both notations; none before the roll and at the end of the game.
    fn example(&self) -> Option<String> {
        let mut longest: Turn<G::Step> = Turn::new();
        for_each_turn(self.played.position(), &mut |turn, _| {
            if turn.len() > longest.len() {
                longest = Turn::from_slice(turn);
            }
        });
        if longest.is_empty() {
            return None;
        }
        let position = self.played.position();
        let (token, san) = (turn_token(position, &longest), turn_san(position, &longest));
        Some(if token == san {
            format!("`{token}`")
        } else {
            format!("`{token}` or `{san}`")
        })
    }

    fn hint(&mut self) -> Result<(), PrintError> {
        let (answer, points) = self.advise();
        let position = self.played.position();
        match answer.best {
            Some(turn) => writeln!(
                self.out,
                "{}: {}, {:.1} % of the points for {}",
                named(position, &turn),
                bounded_text(answer.score, answer.bound),
                points * 100.0,
                position.side_to_move().name()
            ),
            None => writeln!(self.out, "no legal turn"),
        }
    }

    /// Lists the legal turns whose token or SAN begins with `prefix`, in columns.
    fn list(&mut self, prefix: &str) -> Result<(), PrintError> {
        const MOST: usize = 200;
        let mut tokens = Vec::new();
        let position = self.played.position();
        let mut count = 0_u64;
        for_each_turn(position, &mut |turn, _| {
            let (token, san) = (turn_token(position, turn), turn_san(position, turn));
            // In the notation of the prefix.
            let named = [token, san]
                .into_iter()
                .find(|name| name.starts_with(prefix));
            if let Some(name) = named {
                count += 1;
                if count <= MOST as u64 {
                    tokens.push(name);
                }
            }
        });
        let width = tokens.iter().map(String::len).max().unwrap_or(0) + 2;
        for row in tokens.chunks((size().1 / width).max(1)) {
            let padded: Vec<String> = row.iter().map(|token| format!("{token:<width$}")).collect();
            writeln!(self.out, "{}", padded.concat().trim_end())?;
        }
        let more = if count > MOST as u64 {
            "; `legal PREFIX` narrows the list"
        } else {
            ""
        };
        writeln!(self.out, "{}{more}", number(count, "turn"))
    }

    /// Lists the turns played, White's and Black's side by side.
    fn history(&mut self) -> Result<(), PrintError> {
        let mut row = String::new();
        let done = self.played.turns().iter().map(|node| node.turn.clone());
        let begun = self.played.has_begun_turn().then(|| Made {
            before: *self.played.turn_start(),
            roll: self.played.dice(),
            ply: Ply::Turn(self.played.partial().iter().copied().collect()),
        });
        for made in done.chain(begun) {
            let number = made.number();
            let roll = made
                .dice()
                .map_or(String::new(), |roll| format!("[{roll}] "));
            let text = format!("{roll}{}", made.san());
            if made.side() == Color::White {
                row = format!("{number:>3}. {text:<24}");
                continue;
            }
            if row.is_empty() {
                row = format!("{number:>3}. {:<24}", "...");
            }
            writeln!(self.out, "{}", fit_terminal(&format!("{row} {text}")))?;
            row.clear();
        }
        if !row.is_empty() {
            writeln!(self.out, "{}", row.trim_end())?;
        }
        Ok(())
    }

    fn set_level(&mut self, word: &str) -> Result<(), PrintError> {
        let levels = StrengthScale::of(self.variant).levels();
        let wanted = word.parse().ok();
        match wanted.filter(|level| (1..=levels).contains(level)) {
            Some(level) => {
                self.level = Some(level);
                self.set_option("UCI_LimitStrength", "false")?;
                writeln!(self.out, "engine level {level}")
            }
            None => writeln!(
                self.out,
                "{}; `level N` takes 1 to {levels}",
                self.level
                    .map_or("no level is set".to_owned(), |level| format!(
                        "level is {level}"
                    ))
            ),
        }
    }

    /// Sets the engine's strength as an Elo figure, which has to be one that this game has.
    fn set_elo(&mut self, text: &str) -> Result<(), PrintError> {
        let range = StrengthScale::of(self.variant).range();
        match text.parse().ok().filter(|elo| range.contains(elo)) {
            Some(elo) => {
                self.level = None;
                self.options.limit_strength(Some(elo));
                writeln!(self.out, "engine Elo {elo}")
            }
            None => writeln!(
                self.out,
                "{} is played at Elo {} to {}; `level {}` is full strength",
                self.variant,
                range.start(),
                range.end(),
                StrengthScale::of(self.variant).levels()
            ),
        }
    }

    fn option_of(&mut self, rest: &str) -> Result<(), PrintError> {
        let named = rest.strip_prefix("name ").unwrap_or(rest);
        match named.split_once(" value ") {
            Some((name, value)) => self.set_option(name.trim(), value.trim()),
            None => writeln!(self.out, "setoption name NAME value VALUE"),
        }
    }

    /// Sets an option of the search.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PrintError> {
        use crate::wire::options::Effect;
        if name.eq_ignore_ascii_case("UCI_Elo") {
            // Over the wire any game's figure is accepted and brought into the range; at the keyboard the range is named.
            return self.set_elo(value);
        }
        let mut changed = self.options.clone();
        match changed.set(name, value) {
            Ok(Effect::None) => {
                self.options = changed;
                Ok(())
            }
            Ok(_) => writeln!(
                self.out,
                "{name} cannot be changed during a game; see `fauve play --help`"
            ),
            Err(error) => writeln!(self.out, "{error}"),
        }
    }

    /// Takes back the player's last turn and the engine's reply to it.
    fn undo(&mut self) -> Result<Reply, PrintError> {
        // After a loss on time, the turn that took too long is taken back too.
        let ended = self.played.ended.take();
        if ended.is_some_and(|end| end.termination != Termination::Time) {
            self.change();
            return Ok(Reply::Moved);
        }
        let mut is_taken = false;
        while self.played.undo_step() {
            is_taken = true;
        }
        self.played.reset_clock();
        while !is_taken || !self.side.has(self.played.side()) {
            if !self.played.undo_turn() {
                break;
            }
            is_taken = true;
        }
        if !is_taken {
            writeln!(self.out, "nothing to take back")?;
            return Ok(Reply::Again);
        }
        self.change();
        Ok(Reply::Moved)
    }

    /// Writes the game to a file. What another game or program has left there is replaced only when the person wants it.
    fn save(&mut self, words: &str) -> Result<(), PrintError> {
        let (path, is_forced) = match words.strip_prefix("--force ") {
            Some(path) => (path.trim(), true),
            None => (words, false),
        };
        if path.is_empty() || path == "--force" {
            return writeln!(self.out, "save FILE");
        }
        let file = Path::new(path);
        if !is_forced && !self.kept.may_write(file) {
            if !self.lines.is_terminal() {
                return writeln!(
                    self.out,
                    "{path} is there already; `save --force {path}` replaces it"
                );
            }
            let prompt = format!("{path} is there already: replace it? y or n> ");
            match self.lines.read(&prompt, Box::new(|_, _| Vec::new()))? {
                Entry::Line(answer) if matches!(answer.trim(), "y" | "yes" | "Y") => {}
                _ => return writeln!(self.out, "the game is not saved"),
            }
        }
        let text = self.pgn();
        match self.kept.save(text, file) {
            Ok(()) => writeln!(
                self.out,
                "Game saved to {path}; analyse it with `fauve analyse {path}`"
            ),
            Err(error) => writeln!(self.out, "{path}: {}", plain_error(&error)),
        }
    }

    fn load(&mut self, path: &str) -> Result<Reply, PrintError> {
        if path.is_empty() {
            writeln!(self.out, "load FILE")?;
            return Ok(Reply::Again);
        }
        let loaded = auto_save::read(Path::new(path), Some(self.variant));
        let done = loaded.and_then(|loaded| {
            self.take_over(&loaded)?;
            Ok(loaded.is_only && self.played.unread.is_none())
        });
        match done {
            Ok(is_only) => {
                self.change();
                self.kept.loaded(Path::new(path), is_only);
                Ok(Reply::Moved)
            }
            Err(error) => {
                writeln!(self.out, "{}", plain_text(&format!("{error:#}")))?;
                Ok(Reply::Again)
            }
        }
    }

    /// Plays a typed turn: any notation, with blanks or commas between its steps.
    fn turn(&mut self, text: &str, begin: Instant) -> Result<Reply, PrintError> {
        if self.played.end().is_some() {
            writeln!(self.out, "the game is over: undo, new, save FILE or quit")?;
            return Ok(Reply::Again);
        }
        let position = self.played.position();
        let Some(turn) = read::typed(position, text) else {
            writeln!(self.out, "{}", wrap(&refusal(position, text), size().1))?;
            return Ok(Reply::Again);
        };
        self.make(&turn, begin.elapsed());
        Ok(Reply::Moved)
    }
}

/// The time left in minutes and seconds, `4:07`.
fn face(left: Duration) -> String {
    let seconds = left.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

impl Side {
    /// The side played from the keyboard after switching sides.
    const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
            Self::Both => Self::Both,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fauve_engine::Variant;
    use fauve_engine::rules::{Notation, parse_turn};

    #[test]
    fn promotion_in_the_legend_of_superchess_is_legal() {
        use fauve_engine::rules::superchess::{Options, Superchess};
        let legend = legend::of(Variant::Superchess);
        let fen = "8/4P2k/8/8/8/8/8/K7[NBRQnbrq] w - - 0 1";
        let position = Superchess::from_fen(fen, &Options::default()).expect("a position");
        let shown: Vec<&str> = legend
            .split('`')
            .filter(|word| word.starts_with("e7e8"))
            .collect();
        assert_eq!(shown, ["e7e8r"]);
        assert!(parse_turn(&position.position, shown[0]).is_ok());
    }

    #[test]
    fn help_and_legends_fit_a_terminal_of_80_by_24() {
        // With one line above and the prompt below.
        assert!(COMMANDS.len() <= 22);
        for (name, what) in COMMANDS {
            assert!(format!("  {name:<32} {what}").len() <= 80, "{name}");
        }
        for &variant in Variant::ALL {
            for line in legend::of(variant).lines() {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }
}
