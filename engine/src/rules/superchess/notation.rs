use super::{Action, Options, Placement, Step, Superchess, fen, prologue};
use crate::core::StepList;
use crate::rules::orthodox::{accepts_token, check_sign};
use crate::rules::placement::board_diagram;
use crate::rules::{Diagram, FenError, Notation, Parsed, Rules, legal_steps};

impl Notation for Superchess {
    const RULES: &'static str = include_str!("rules.md");
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 p0";

    fn start(options: &Options) -> Self {
        let physical = options.physical_pool;
        if options.prologue {
            Self::in_prologue(prologue::orthodox_array(), 0, physical)
        } else {
            Self::of_array(prologue::array(usize::from(options.array)), physical)
        }
    }

    fn from_fen(fen: &str, options: &Options) -> Result<Parsed<Self>, FenError> {
        fen::parse(fen, *options)
    }

    fn fen(&self) -> String {
        fen::write(self)
    }

    fn step_token(&self, step: Step) -> String {
        step.to_string()
    }

    /// A placement is accepted with the squares of its swap in either order.
    fn accepts(&self, step: Step, token: &str) -> bool {
        match step.action() {
            Action::Place(placement) => Placement::parse(token) == Some(placement),
            Action::Move(mv) => accepts_token(mv, token),
        }
    }

    /// In the prologue the whole token is one step: `S@d8,b8g8`.
    fn split_step<'t>(&self, token: &'t str) -> (&'t str, Option<&'t str>) {
        match token.split_once(',') {
            Some((step, rest)) if self.prologue().is_none() => (step, Some(rest)),
            _ => (token, None),
        }
    }

    fn continued(&self, made: Step, token: &str) -> Option<Step> {
        match made.action() {
            Action::Place(placement) if placement.swap.is_none() => {
                let swap = prologue::parse_swap(token)?;
                if swap
                    .iter()
                    .any(|square| square.rank() != placement.square.rank())
                {
                    return None;
                }
                let whole = Step::of_placement(Placement {
                    swap: Some(swap),
                    ..placement
                });
                legal_steps(self).contains(&whole).then_some(whole)
            }
            _ => None,
        }
    }

    fn step_san(&self, step: Step) -> String {
        match step.action() {
            Action::Place(placement) => placement.to_string(),
            Action::Move(mv) => {
                let mut legal = StepList::new();
                self.orthodox().generate(self.promotions(), &mut legal);
                let mut after = *self;
                after.play(step);
                self.orthodox().san(mv, &legal) + check_sign(&after)
            }
        }
    }

    fn diagram(&self) -> Diagram {
        board_diagram(self.board(), self.promoted())
    }

    fn board_notes(&self) -> String {
        match self.prologue() {
            Some(turns) => self.prologue_notes(turns),
            None => format!("\navailable: [{}]", self.pool().letters()),
        }
    }

    /// Turns of the prologue are numbered 0 to 3; the numbering restarts with the first move.
    fn game_ply(&self) -> u64 {
        match self.prologue() {
            Some(turns) => u64::from(turns),
            None => self.orthodox().game_ply(),
        }
    }
}

impl Superchess {
    /// Returns the stage of the prologue and the actions allowed in its next turn.
    fn prologue_notes(&self, turns: u8) -> String {
        let (mut kinds, mut squares, mut swaps) = (Vec::new(), Vec::new(), false);
        for step in &legal_steps(self) {
            if let Action::Place(placement) = step.action() {
                kinds.push(placement.kind.letter().to_string());
                squares.push(placement.square.to_string());
                swaps |= placement.swap.is_some();
            }
        }
        for names in [&mut kinds, &mut squares] {
            names.sort();
            names.dedup();
        }
        let last = if swaps {
            "; then two superpieces may change places"
        } else {
            ""
        };
        format!(
            "\nprologue: {turns} of {} turns made; {} puts {} on {}{last}",
            prologue::TURNS,
            self.side_to_move().name(),
            kinds.join(" or "),
            squares.join(" or ")
        )
    }
}
