//! Explanations of illegal turns in the words of the rules. Reach, check and dice come from the engine library; this module
//! only words them.

#[cfg(feature = "breakthrough")]
mod breakthrough;
mod chess;
pub mod cubes;
pub mod dice;
mod flat;
mod superchess;
mod twomove;
mod typed;

pub use typed::{is_prologue, refusal, why_not};

use fauve_engine::rules::{Notation, legal_steps};

/// A game that can explain why a move is illegal.
pub trait Explain: Notation {
    /// Explains why no legal move goes from one square to another; `from` is the letter of a piece that is placed from the
    /// tray.
    fn explain(&self, from: &str, to: &str) -> String;

    /// Names the pieces or moves that give check to the side to move; `None` where the game has nothing to add.
    fn why_check(&self) -> Option<String> {
        None
    }
}

/// Explains why a step is illegal: reasons common to all games first, then those of the game.
pub fn explain<G: Explain>(position: &G, from: &str, to: &str) -> String {
    if let Some(winner) = position.winner() {
        return format!("The game is over: {} has won.", winner.name());
    }
    if position.awaits_roll() {
        return "Roll the dice first.".to_owned();
    }
    if legal_steps(position).is_empty() {
        return "The game is over: there is no legal turn.".to_owned();
    }
    position.explain(from, to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fauve_engine::rules::chess::Chess;
    use fauve_engine::rules::dice::{self, DiceChess};
    use fauve_engine::rules::superchess::{self, Superchess};
    use fauve_engine::rules::twomove::TwoMove;

    fn why_with<G: Explain>(fen: &str, text: &str, options: &G::Options) -> String {
        let parsed = G::from_fen(fen, options).expect(fen);
        assert!(parsed.warnings.is_empty(), "{:?}", parsed.warnings);
        refusal(&parsed.position, text)
    }

    fn why<G: Explain>(fen: &str, text: &str) -> String {
        why_with::<G>(fen, text, &G::Options::default())
    }

    #[test]
    fn the_swap_of_the_prologue_is_at_fault_where_the_placement_is_legal() {
        // Amazon, Empress and Veteran are placed.
        let last = "rvbqkaer/pppppppp/8/8/8/8/PPPPPPPP/RVBQKAER b KQkq - 0 1 p3";
        for swap in ["b8c8", "b1h1", "d8d8"] {
            let said = why::<Superchess>(last, &format!("S@d8,{swap}"));
            assert!(
                said.contains("Black may let two superpieces change places; legal: S@d8,"),
                "{said}"
            );
        }
        let early = "rnbqkbne/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNE b Qq - 0 1 p1";
        let said = why::<Superchess>(early, "V@b8,b8h8");
        assert!(
            said.ends_with("in the last turn of the prologue only; legal: V@b8."),
            "{said}"
        );
        let said = why::<Superchess>(early, "V@g8,b8h8");
        assert!(
            said.contains("In this turn of the prologue Black puts"),
            "{said}"
        );
    }

    #[test]
    fn pieces_that_are_no_superpieces_are_not_placed_already() {
        let start = Superchess::start(&superchess::Options::default());
        for text in ["Q@h1", "N@g1", "K@f1"] {
            let said = refusal(&start, text);
            assert!(
                said.contains("White puts a superpiece on f1, g1 or h1"),
                "{said}"
            );
        }
        let early = "rnbqkbne/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNE b Qq - 0 1 p1";
        assert!(why::<Superchess>(early, "E@a8").contains("The Empress is already placed."));
    }

    #[test]
    fn a_promotion_to_a_piece_that_is_not_to_be_had_names_those_that_are() {
        let dice = "7k/P7/8/8/8/8/8/4K3 w - - 0 1 PNN";
        let said = why::<DiceChess>(dice, "a7a8q");
        assert!(
            said.ends_with("no promotion to queen here; legal: a7a8n"),
            "{said}"
        );
        let said = why::<Superchess>("7k/P7/8/8/8/8/8/4K3[R] w - - 0 1", "a8=Q");
        assert!(
            said.ends_with("no promotion to queen here; legal: a7a8r"),
            "{said}"
        );
        let chess = "7k/P7/8/8/8/8/8/4K3 w - - 0 1";
        assert!(why::<Chess>(chess, "a7a8k").contains("no promotion to king here; legal: a7a8"));
        assert!(why::<Chess>(chess, "a7a8x").contains("no promotion to 'x' here"));
        assert!(why::<Chess>(chess, "a7a8").contains("a promotion needs the letter"));
        let taken = "k7/1P6/8/8/8/8/8/4K3 w - - 0 1 PNN";
        let said = why::<DiceChess>(taken, "b7a8n");
        assert!(
            said.contains("takes the king does not promote; legal: b7a8"),
            "{said}"
        );
    }

    #[test]
    fn the_option_to_castle_through_check_is_known() {
        let fen = "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1 KPP";
        let through = dice::Options {
            castle_through_check: true,
            ..dice::Options::default()
        };
        let said = why_with::<DiceChess>(fen, "e1g1", &through);
        assert!(
            said.contains("Castling needs a king die and a rook die."),
            "{said}"
        );
        assert!(why::<DiceChess>(fen, "e1g1").contains("No castling: the king stands on"));
    }

    #[test]
    fn a_pawn_does_not_take_a_pawn_of_its_own_side_en_passant() {
        let dice = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e3 0 1 PP";
        let two_move = "4k3/8/8/8/3pP3/8/3P4/4K3 w - e3 0 1 1";
        for said in [
            why::<DiceChess>(dice, "d2e3"),
            why::<TwoMove>(two_move, "d2e3"),
        ] {
            assert!(
                said.contains("A pawn goes diagonally only to capture"),
                "{said}"
            );
        }
    }

    #[test]
    fn in_mid_turn_the_dice_are_those_that_are_left() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PBK";
        let said = why::<DiceChess>(start, "d2d3,c1d2");
        assert!(
            said.contains("must be used: 2 of those left, but"),
            "{said}"
        );
    }
}
