//! Explanations for the terminal: the letters and signs of a board, and a first instruction.

use fauve_engine::Variant;

/// The letters and signs of the board, and the notation of turns.
pub(super) const fn of(variant: Variant) -> &'static str {
    match variant {
        Variant::Chess => {
            "White's pieces are capitals, Black's small letters (on colours: white, black).\n\
             K king, Q queen, R rook, B bishop, N knight, P pawn.\n\
             A turn: `e2e4` or `e4`, `Nf3`, `e7e8q` or `e8=Q`, castling `e1g1` or `O-O`."
        }
        Variant::Superchess => {
            "White's pieces are capitals, Black's small letters (on colours: white, black).\n\
             K king, Q queen, R rook, B bishop, N knight, P pawn, and the superpieces:\n\
             A Amazon = queen or knight, E Empress = rook or knight,\n\
             S Princess = bishop or knight, V Veteran = king or knight, not royal.\n\
             available: the pieces that a pawn can become; ~ a piece that has been a pawn.\n\
             A turn: `e2e4` or `e4`, `Nf3`, `e7e8r` or `e8=R`; in the prologue `E@h1`, with\n\
             the swap of two superpieces `S@d8,b8h8`."
        }
        Variant::TwoMove => {
            "White's pieces are capitals, Black's small letters (on colours: white, black).\n\
             K king, Q queen, R rook, B bishop, N knight, P pawn.\n\
             A turn is two moves: `d2d4,g1f3` or `d4,Nf3`, or one after the other; the first\n\
             turn of White is one. After your turn, no two moves may capture your king."
        }
        Variant::DiceChess => {
            "White's pieces are capitals, Black's small letters (on colours: white, black).\n\
             K king, Q queen, R rook, B bishop, N knight, P pawn; a die shows the piece that\n\
             it moves. As many dice as possible must be used, in any order.\n\
             A turn: `e2e4,f1c4` or `e4,Bc4`, or move by move; `!` after the dice means\n\
             that only moves leading to the capture of the king are left."
        }
        Variant::Cubes4d => {
            "A square shows its height, 1 to 3, and the piece on it. o is a trench, a square\n\
             without a cube among cubes; beside the cubes there is nothing.\n\
             White's pieces are capitals, Black's small letters: K King, Q Queen, R Rook,\n\
             B Bishop, N Knight, G Grand Pawn, P Pawn.\n\
             A turn moves a piece, `e6f7`, with promotion `e6f7q` or `e6f7g`, castles, `e6f6`\n\
             (Rook or Bishop with its Knight), or moves a cube, `e8@f9`; or as the game has\n\
             it, `P(-2,0,1)-(-1,0,1)`, with file, rank and height, or without the height.\n\
             castling: the pairs that may still castle, R Rook and Knight, B Bishop and\n\
             Knight, of White in capitals; outside the game: what a Pawn can become; cube\n\
             moved last: it may not be moved now; lone King b3: Black's King has been alone\n\
             for 3 turns of White; at 10 the game is drawn."
        }
        #[cfg(feature = "breakthrough")]
        Variant::Breakthrough => {
            "White's pieces are capitals, Black's small letters (on colours: white, black).\n\
             A turn: `e2e3`, or `e2f3` with or without a capture; reach the last rank to win."
        }
    }
}

/// A first instruction in a line or two; how the prologue works if it is next.
pub(super) const fn introduction(variant: Variant, is_prologue: bool) -> &'static str {
    match variant {
        Variant::Chess => "Type a turn, `e2e4` or `Nf3`; `help` lists the commands.",
        Variant::Superchess if is_prologue => {
            "The prologue comes first: White replaces the piece on f1, g1 or h1 by a superpiece \
             (A E S V, see `legend`), as in `E@h1`, then Black one on a8 to d8, twice each. \
             `help` lists the commands, `rules` shows the rules."
        }
        Variant::Superchess => {
            "Type a turn, `e2e4` or `Nf3`; A E S V are superpieces, see `legend`. `help` lists the \
             commands, `rules` shows the rules."
        }
        Variant::TwoMove => {
            "A turn is two moves, `d2d4,g1f3`; White's first is one, `e2e4`. After your turn, no two \
             moves may capture your king. `help` lists the commands, `rules` shows the rules."
        }
        Variant::DiceChess => {
            "The dice decide which pieces may move, up to three moves a turn, `e2e4,f1c4`. There is no \
             check: capturing the king wins. `help` lists the commands, `rules` shows the rules."
        }
        Variant::Cubes4d if is_prologue => {
            "First Black chooses the side of the lateral Pawns: `left` or `right`. Then a turn moves a \
             piece, `h7h8`, or a cube, `e8@f9`. `help`, `legend` and `rules` explain more."
        }
        Variant::Cubes4d => {
            "A turn moves a piece, `h7h8`, or a cube, `e8@f9`. `help`, `legend` and `rules` explain \
             more."
        }
        #[cfg(feature = "breakthrough")]
        Variant::Breakthrough => {
            "Type a turn, `e2e3`; `help` lists the commands, `rules` shows the rules."
        }
    }
}
