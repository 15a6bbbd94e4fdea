use super::state::{PartialTurn, Session};
use fauve_engine::rules::{Event, Game, Roll, StepError, Turn, parse_turn, split_roll};
use fauve_engine::search::Engine;

impl PartialTurn {
    /// With one more token.
    fn joined(&self, token: &str) -> Self {
        Self {
            text: format!("{},{token}", self.text),
            before: self.before,
        }
    }
}

/// Turns and rolls as text.
impl<G: Engine> Session<G> {
    /// Plays a token: a turn, or some moves of a turn, with or without its roll; or a roll alone, `PNB:`.
    ///
    /// # Errors
    /// When it is illegal here; the game does not change.
    pub fn apply(&mut self, token: &str) -> Result<(), StepError> {
        let partial = match &self.pending {
            Some(first) => first.joined(token),
            None => PartialTurn {
                text: token.to_owned(),
                before: self.tokens.len(),
            },
        };
        match self.play_token(&partial) {
            Ok(()) => self.pending = None,
            Err(StepError::Incomplete(_)) if self.played.position().awaits_roll() => {
                self.pending = Some(partial);
            }
            Err(error) => self.join_last(token).map_err(|()| match &self.pending {
                Some(_) => StepError::Illegal(token.to_owned()),
                None => error,
            })?,
        }
        self.tokens.push(token.to_owned());
        Ok(())
    }

    /// Plays a token as the continuation of a turn that the last token seemed to complete: `S@d8` and then `b8g8`, or the second
    /// move of a dice turn whose roll is unknown.
    fn join_last(&mut self, token: &str) -> Result<(), ()> {
        if self.pending.is_some() {
            return Err(());
        }
        if let Some((before, Event::Step(made))) = self.game().past().last()
            && let Some(step) = before.continued(*made, token)
        {
            if !self.played.undo_step() {
                self.played.undo_turn();
            }
            self.played.step(step);
            return Ok(());
        }
        let (length, first) = self.guessed.clone().ok_or(())?;
        let joined = first.joined(token);
        let kept = self.played.clone();
        while self.game().past().len() > length {
            if !self.played.undo_step() && !self.played.undo_turn() {
                break;
            }
            self.played.undo_roll();
        }
        match self.play_token(&joined) {
            Ok(()) => Ok(()),
            Err(StepError::Incomplete(_)) => {
                self.pending = Some(joined);
                Ok(())
            }
            Err(_) => {
                self.played = kept;
                Err(())
            }
        }
    }

    fn play_token(&mut self, partial: &PartialTurn) -> Result<(), StepError> {
        let token = partial.text.as_str();
        let position = *self.played.position();
        let (roll, rest) = split_roll(token)?;
        if let Some(roll) = roll {
            if !G::HAS_CHANCE {
                return Err(StepError::Unreadable(token.to_owned()));
            }
            if !position.awaits_roll() && !self.has_roll(roll) {
                return Err(StepError::Illegal(token.to_owned()));
            }
        }
        let mut rolled = position;
        let roll = roll.or_else(|| self.played.due_roll());
        if position.awaits_roll() {
            let Some(roll) = roll else {
                let length = self.game().past().len();
                self.play_unrolled(rest)?;
                let text = rest.to_owned();
                self.guessed = Some((length, PartialTurn { text, ..*partial }));
                return Ok(());
            };
            rolled.set_roll(roll);
        }
        let steps = if rest.is_empty() && token.ends_with(':') {
            Turn::new()
        } else {
            parse_turn(&rolled, rest)?
        };
        if let (Some(roll), true) = (roll, position.awaits_roll()) {
            self.played.set_roll(roll);
        }
        self.guessed = None;
        self.played.play(&steps);
        Ok(())
    }

    /// Plays a whole turn whose roll is unknown; it is legal if some roll allows it.
    fn play_unrolled(&mut self, token: &str) -> Result<(), StepError> {
        let position = *self.played.position();
        let mut unfinished = false;
        for &(roll, _) in G::rolls() {
            let mut rolled = position;
            rolled.set_roll(roll);
            let Ok(turn) = parse_turn(&rolled, token) else {
                continue;
            };
            let mut after = rolled;
            for &step in &turn {
                after.play(step);
            }
            if after.is_mid_turn() && after.winner().is_none() {
                unfinished = true;
                continue;
            }
            self.played.set_roll(roll);
            self.played.play(&turn);
            return Ok(());
        }
        let token = token.to_owned();
        Err(if unfinished {
            StepError::Incomplete(token)
        } else {
            StepError::Illegal(token)
        })
    }

    /// Whether this is the roll of the current turn.
    fn has_roll(&self, roll: Roll) -> bool {
        self.played.dice() == Some(roll)
    }

    /// The game, with the roll of its seed if one is due.
    pub(super) fn rolled(&self) -> Game<G> {
        let mut game = self.game().clone();
        if let Some(roll) = self.played.due_roll() {
            game.set_roll(roll);
        }
        game
    }
}
