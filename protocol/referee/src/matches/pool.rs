//! The players that run and sit at no board. Only those that one of the next games needs keep running: a tournament of
//! many engines has the processes of a match.

use crate::plan::schedule::ScheduledGame;
use crate::player::move_request::Player;

/// Players by their number in the tournament.
type Idle<G> = Vec<(usize, Box<dyn Player<G>>)>;

/// The players that wait.
pub struct Pool<G> {
    idle: Idle<G>,
}

impl<G> Default for Pool<G> {
    fn default() -> Self {
        Self { idle: Vec::new() }
    }
}

impl<G> Pool<G> {
    /// Takes a player for a game.
    pub fn take(&mut self, number: usize) -> Option<Box<dyn Player<G>>> {
        let place = self.idle.iter().position(|(idle, _)| *idle == number)?;
        Some(self.idle.swap_remove(place).1)
    }

    /// Gives players back, and takes out those that none of the next games needs: the caller ends them, which takes time.
    #[must_use]
    pub fn give_back<'a>(
        &mut self,
        players: impl IntoIterator<Item = (usize, Box<dyn Player<G>>)>,
        next: impl IntoIterator<Item = &'a ScheduledGame>,
    ) -> Idle<G> {
        self.idle.extend(players);
        let mut needed: Vec<usize> = next
            .into_iter()
            .flat_map(|plan| [plan.white, plan.black])
            .collect();
        self.idle
            .extract_if(.., |(number, _)| {
                match needed.iter().position(|needed| needed == number) {
                    Some(place) => {
                        needed.swap_remove(place);
                        false
                    }
                    None => true,
                }
            })
            .collect()
    }
}
