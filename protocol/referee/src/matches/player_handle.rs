//! A player's place at a board.

use crate::player::affinity::Processors;
use crate::player::failure::Failure;
use crate::player::internal::Configuration;
use crate::player::move_request::{Doubling, MoveReply, MoveRequest, Player};
use crate::player::spec::EngineSpec;
use crate::player::start::start;
use fauve_engine::Variant;
use fauve_engine::search::Engine;

/// A player's place at a board: the player is started when it is needed, and again after it has died.
pub struct PlayerHandle<'a, G> {
    spec: &'a EngineSpec,
    variant: Variant,
    rules: &'a [(String, String)],
    inside: Option<&'a Configuration>,
    player: Option<Box<dyn Player<G>>>,
}

impl<'a, G: Engine> PlayerHandle<'a, G> {
    /// An empty place. `inside` is what a player in this process is set to.
    pub const fn new(
        spec: &'a EngineSpec,
        variant: Variant,
        rules: &'a [(String, String)],
        inside: Option<&'a Configuration>,
    ) -> Self {
        Self {
            spec,
            variant,
            rules,
            inside,
            player: None,
        }
    }

    /// Gives the place a player that runs.
    pub fn take(&mut self, player: Option<Box<dyn Player<G>>>) {
        self.player = player;
    }

    /// The player that runs, for the next game.
    pub fn leave(&mut self) -> Option<Box<dyn Player<G>>> {
        self.player.take().filter(|_| !self.spec.restart)
    }

    /// What the program calls itself.
    pub fn id(&self) -> Option<&str> {
        self.player.as_ref()?.id()
    }

    /// Starts the program; [`PlayerHandle::prepare`] announces its first game to it.
    ///
    /// # Errors
    /// When the program cannot be started or takes no part.
    pub fn start(&mut self) -> Result<(), Failure> {
        if !self.spec.protocol.is_thoughtless() {
            let (spec, rules) = (self.spec, self.rules);
            self.player = Some(start::<G>(spec, self.variant, rules, self.inside)?);
        }
        Ok(())
    }

    /// Starts the program if it does not run, and announces a new game. A program that dies over that is given one
    /// fresh start.
    ///
    /// # Errors
    /// When the program cannot be started or takes no part: the tournament cannot go on.
    pub fn prepare(&mut self) -> Result<(), Failure> {
        if self.spec.protocol.is_thoughtless() {
            return Ok(());
        }
        if self.spec.restart {
            self.player = None;
        }
        if let Some(player) = &mut self.player {
            if player.new_game().is_ok() {
                return Ok(());
            }
            self.player = None;
        }
        let mut player = start::<G>(self.spec, self.variant, self.rules, self.inside)?;
        player.new_game()?;
        self.player = Some(player);
        Ok(())
    }

    /// Keeps the player's threads on these processors.
    pub fn bind(&self, processors: &Processors) {
        if let Some(group) = self.player.as_ref().and_then(|player| player.group()) {
            processors.bind_group(group);
        }
    }

    /// Exchanges the memory of two tables of one size, both empty before a game. Where the system happened to put a table
    /// makes searches some per cent faster or slower for as long as it lies there: at equal processor time neither player
    /// may keep the better place.
    pub fn exchange_memory(&mut self, other: &mut Self) {
        let (Some(own), Some(other)) = (&mut self.player, &mut other.player) else {
            return;
        };
        if let (Some(own), Some(other)) = (own.table(), other.table())
            && own.megabytes() == other.megabytes()
        {
            std::mem::swap(own, other);
        }
    }

    /// The player.
    pub const fn spec(&self) -> &'a EngineSpec {
        self.spec
    }

    /// Asks the player for a turn. A program that has died or does not answer is given up.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn think(&mut self, request: &MoveRequest<'_, G>) -> Result<MoveReply, Failure> {
        self.ask(|player| player.think(request))
    }

    /// Lets the player think on its opponent's time, where it may.
    ///
    /// # Errors
    /// When the program has died or does not answer.
    pub fn ponder(&mut self, request: &MoveRequest<'_, G>) -> Result<(), Failure> {
        self.ask(|player| player.ponder(request))
    }

    /// Ends thinking on the opponent's time after a game. A program that does not stop is given up, and started anew for its next game.
    pub fn rest(&mut self) {
        if self.spec.ponder && self.player.is_some() {
            // What became of it is seen when it is prepared again.
            let _ = self.ask(|player| player.rest());
        }
    }

    /// Asks the player whether to double, or to take a double.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn decide(&mut self, question: &Doubling<'_, G>) -> Result<bool, Failure> {
        if self.spec.protocol.is_thoughtless() {
            return Ok(question.is_offered);
        }
        self.ask(|player| player.decide(question))
    }

    fn ask<T>(
        &mut self,
        question: impl FnOnce(&mut dyn Player<G>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let player = self
            .player
            .as_mut()
            .ok_or_else(|| Failure::Crashed("not started".to_owned()))?;
        let result = question(&mut **player);
        if matches!(result, Err(Failure::Crashed(_) | Failure::Stalled)) {
            self.player = None;
        }
        result
    }
}
