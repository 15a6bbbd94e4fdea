//! Cubes 4D once more, cell by cell and without any cleverness, from the rules alone: an oracle for tests, and the
//! baseline that the bench compares with. It shares no code with the engine.

use std::fmt::Write;

/// The arena lies in the middle of a larger table whose rim stays empty, so that no index needs a test.
const RIM: i32 = 4;
const SIZE: usize = 15 + 2 * RIM as usize;
const CROSS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];

type Cell = (i32, i32);

/// A position: heights, pieces as letters (0 for none), and the rest of the text's fields.
#[derive(Clone)]
pub struct Naive {
    height: [[u8; SIZE]; SIZE],
    piece: [[u8; SIZE]; SIZE],
    white_to_move: bool,
    /// Rook or Bishop with its Knight.
    pairs: Vec<(bool, Cell, Cell)>,
    /// Grand Pawns and Queens outside the game, White's first.
    pool: [[u32; 2]; 2],
    last: Option<Cell>,
}

fn arena() -> impl Iterator<Item = Cell> {
    (RIM..RIM + 15).flat_map(|x| (RIM..RIM + 15).map(move |y| (x, y)))
}

fn name((x, y): Cell) -> String {
    format!("{}{}", (b'a' + (x - RIM) as u8) as char, y - RIM + 1)
}

fn cell(text: &str) -> Cell {
    let file = text.as_bytes()[0] - b'a';
    let rank: i32 = text[1..].parse().expect("a rank");
    (file as i32 + RIM, rank - 1 + RIM)
}

fn plus((x, y): Cell, (dx, dy): (i32, i32)) -> Cell {
    (x + dx, y + dy)
}

impl Naive {
    /// Reads a position in its normal form.
    pub fn read(fen: &str) -> Self {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut position = Self {
            height: [[0; SIZE]; SIZE],
            piece: [[0; SIZE]; SIZE],
            white_to_move: fields[1] == "w",
            pairs: Vec::new(),
            pool: [[0; 2]; 2],
            last: (fields[4] != "-").then(|| cell(fields[4])),
        };
        let (origin, rows) = fields[0].split_once(':').expect("a board");
        let (x0, mut y) = cell(origin);
        for row in rows.split('/') {
            let mut x = x0 - 1;
            for letter in row.bytes() {
                if letter.is_ascii_digit() {
                    x += 1;
                    position.height[x as usize][y as usize] = letter - b'0';
                } else {
                    position.piece[x as usize][y as usize] = letter;
                }
            }
            y -= 1;
        }
        for letter in fields[2].bytes().filter(|&letter| letter != b'-') {
            let white = letter.is_ascii_uppercase();
            let piece = arena()
                .find(|&c| position.piece_at(c) == letter)
                .expect("a pair");
            let knight = if white { b'N' } else { b'n' };
            let mut knights: Vec<Cell> = CROSS
                .into_iter()
                .chain(DIAGONAL)
                .map(|d| plus(piece, d))
                .filter(|&c| position.piece_at(c) == knight)
                .collect();
            knights.sort_by_key(|c| ((c.0 - RIM - 7).abs(), c.1 != piece.1));
            position.pairs.push((white, piece, knights[0]));
        }
        for letter in fields[3].bytes().filter(|&letter| letter != b'-') {
            let queen = letter.eq_ignore_ascii_case(&b'q');
            position.pool[letter.is_ascii_lowercase() as usize][queen as usize] += 1;
        }
        position
    }

    fn piece_at(&self, (x, y): Cell) -> u8 {
        self.piece[x as usize][y as usize]
    }

    fn height_at(&self, (x, y): Cell) -> i32 {
        self.height[x as usize][y as usize] as i32
    }

    fn is_empty(&self, c: Cell) -> bool {
        self.piece_at(c) == 0
    }

    fn is_piece_of(&self, c: Cell, white: bool) -> bool {
        !self.is_empty(c) && self.piece_at(c).is_ascii_uppercase() == white
    }

    /// A cell without cubes of whose corners three are corners of cubes.
    fn is_trench(&self, c: Cell) -> bool {
        self.height_at(c) == 0
            && DIAGONAL
                .into_iter()
                .filter(|&(dx, dy)| {
                    [(dx, 0), (0, dy), (dx, dy)]
                        .into_iter()
                        .any(|d| self.height_at(plus(c, d)) > 0)
                })
                .count()
                >= 3
    }

    /// The level of a position, `None` where nobody can stand.
    fn level(&self, c: Cell) -> Option<i32> {
        let height = self.height_at(c);
        (height > 0 || self.is_trench(c)).then_some(height)
    }

    fn inside(c: Cell) -> bool {
        (RIM..RIM + 15).contains(&c.0) && (RIM..RIM + 15).contains(&c.1)
    }

    /// Where a piece comes from a cell in these directions, pieces on the goals left aside.
    fn reach(
        &self,
        from: Cell,
        directions: &[(i32, i32)],
        all_actions: bool,
        goals: &mut Vec<Cell>,
    ) {
        let level = self.level(from).expect("pieces stand on positions");
        for &d in directions {
            let next = plus(from, d);
            if self.level(next).is_some_and(|l| (l - level).abs() <= 1) {
                goals.push(next);
            }
            if !all_actions {
                continue;
            }
            let mut at = next;
            while self.level(at) == Some(level) {
                goals.push(at);
                if !self.is_empty(at) {
                    break;
                }
                at = plus(at, d);
            }
            at = next;
            let absent = |c: Cell| {
                Self::inside(c)
                    && if level == 0 {
                        self.level(c).is_none()
                    } else {
                        self.height_at(c) < level
                    }
            };
            while absent(at) {
                at = plus(at, d);
            }
            if at != next && self.level(at) == Some(level) {
                goals.push(at);
            }
        }
        if all_actions {
            for up in [1, -1] {
                self.steps(from, directions, level, up, 3, goals);
            }
        }
    }

    /// Consecutive steps, each one level on.
    fn steps(
        &self,
        from: Cell,
        directions: &[(i32, i32)],
        level: i32,
        up: i32,
        left: u32,
        goals: &mut Vec<Cell>,
    ) {
        for &d in directions {
            let next = plus(from, d);
            if self.level(next) == Some(level + up) {
                goals.push(next);
                if left > 1 && self.is_empty(next) {
                    self.steps(next, directions, level + up, up, left - 1, goals);
                }
            }
        }
    }

    fn leaps(&self, from: Cell, goals: &mut Vec<Cell>) {
        let level = self.level(from).expect("pieces stand on positions");
        for dx in -2..=2_i32 {
            for dy in -2..=2_i32 {
                for dh in -2..=2_i32 {
                    let mut sizes = [dx.abs(), dy.abs(), dh.abs()];
                    sizes.sort_unstable();
                    let to = plus(from, (dx, dy));
                    if sizes == [0, 1, 2]
                        && (dx, dy) != (0, 0)
                        && self.level(to) == Some(level + dh)
                    {
                        goals.push(to);
                    }
                }
            }
        }
    }

    fn without_capture(&self, from: Cell) -> Vec<Cell> {
        let mut goals = Vec::new();
        let piece = self.piece_at(from).to_ascii_uppercase();
        let all = !matches!(piece, b'P' | b'K');
        if piece == b'N' {
            self.leaps(from, &mut goals);
        }
        if b"PGRQK".contains(&piece) {
            self.reach(from, &CROSS, all, &mut goals);
        }
        if b"BQK".contains(&piece) {
            self.reach(from, &DIAGONAL, all, &mut goals);
        }
        goals.retain(|&to| self.is_empty(to));
        goals.sort_unstable();
        goals.dedup();
        goals
    }

    fn captures(&self, from: Cell) -> Vec<Cell> {
        let mut goals = Vec::new();
        let piece = self.piece_at(from).to_ascii_uppercase();
        let white = self.piece_at(from).is_ascii_uppercase();
        let all = !matches!(piece, b'P' | b'K');
        if piece == b'N' {
            self.leaps(from, &mut goals);
        } else {
            if b"RQK".contains(&piece) {
                self.reach(from, &CROSS, all, &mut goals);
            }
            if b"PGBQK".contains(&piece) {
                self.reach(from, &DIAGONAL, all, &mut goals);
            }
            let height = self.height_at(from);
            goals.retain(|&to| height == 0 || self.height_at(to) <= height);
        }
        goals.retain(|&to| self.is_piece_of(to, !white));
        goals.sort_unstable();
        goals.dedup();
        goals
    }

    /// Whether a side's King is attacked.
    pub fn is_in_check(&self, white: bool) -> bool {
        let king = if white { b'K' } else { b'k' };
        arena().filter(|&c| self.is_piece_of(c, !white)).any(|c| {
            self.captures(c)
                .into_iter()
                .any(|to| self.piece_at(to) == king)
        })
    }

    fn is_one_base(&self) -> bool {
        let base: Vec<Cell> = arena().filter(|&c| self.height_at(c) > 0).collect();
        let mut seen = vec![base[0]];
        let mut next = 0;
        while next < seen.len() {
            let at = seen[next];
            next += 1;
            for d in CROSS.into_iter().chain(DIAGONAL) {
                let c = plus(at, d);
                if self.height_at(c) > 0 && !seen.contains(&c) {
                    seen.push(c);
                }
            }
        }
        seen.len() == base.len()
    }

    fn after_turn(&self) -> Self {
        let mut next = self.clone();
        next.white_to_move = !self.white_to_move;
        next.last = None;
        next
    }

    fn forget_pairs(&mut self, c: Cell) {
        self.pairs
            .retain(|&(_, piece, knight)| c != piece && c != knight);
    }

    fn put(&mut self, (x, y): Cell, piece: u8) {
        self.piece[x as usize][y as usize] = piece;
    }

    /// Every legal move with its token and the position after it.
    pub fn moves(&self) -> Vec<(String, Self)> {
        let white = self.white_to_move;
        let side = !white as usize;
        let mut found = Vec::new();
        for from in arena().filter(|&c| self.is_piece_of(c, white)) {
            let piece = self.piece_at(from);
            let captures = self.captures(from);
            for to in self.without_capture(from).into_iter().chain(captures) {
                let victim = self.piece_at(to);
                let mut choices = Vec::new();
                if victim != 0 && piece.eq_ignore_ascii_case(&b'P') {
                    for (i, letter) in [b'g', b'q'].into_iter().enumerate() {
                        if self.pool[side][i] > 0 {
                            choices.push((i, letter));
                        }
                    }
                }
                let mut next = self.after_turn();
                next.forget_pairs(from);
                next.forget_pairs(to);
                next.put(from, 0);
                next.put(to, piece);
                match victim.to_ascii_uppercase() {
                    b'G' => next.pool[1 - side][0] += 1,
                    b'Q' => next.pool[1 - side][1] += 1,
                    _ => {}
                }
                let token = name(from) + &name(to);
                if next.is_in_check(white) {
                    continue;
                }
                if choices.is_empty() {
                    found.push((token.clone(), next.clone()));
                }
                for (i, letter) in choices {
                    let mut next = next.clone();
                    next.pool[side][i] -= 1;
                    next.put(
                        to,
                        if white {
                            letter.to_ascii_uppercase()
                        } else {
                            letter
                        },
                    );
                    found.push((format!("{token}{}", letter as char), next));
                }
            }
        }
        if !self.is_in_check(white) {
            for &(_, piece, knight) in self.pairs.iter().filter(|pair| pair.0 == white) {
                let mut next = self.after_turn();
                next.put(piece, self.piece_at(knight));
                next.put(knight, self.piece_at(piece));
                next.pairs.retain(|pair| pair.0 != white);
                found.push((name(piece) + &name(knight), next));
            }
        }
        self.cubes(&mut found);
        found
    }

    fn cubes(&self, found: &mut Vec<(String, Self)>) {
        let white = self.white_to_move;
        for from in arena().filter(|&c| self.height_at(c) > 0 && self.is_empty(c)) {
            if self.last == Some(from) {
                continue;
            }
            for d in CROSS.into_iter().chain(DIAGONAL) {
                let to = plus(from, d);
                let rise = self.height_at(to) + 1 - self.height_at(from);
                let diagonal = d.0 != 0 && d.1 != 0;
                if !Self::inside(to)
                    || !self.is_empty(to)
                    || (rise == 0) != diagonal
                    || rise.abs() > 1
                    || self.height_at(to) == 3
                {
                    continue;
                }
                let mut next = self.after_turn();
                next.height[from.0 as usize][from.1 as usize] -= 1;
                next.height[to.0 as usize][to.1 as usize] += 1;
                next.last = Some(to);
                if next.is_one_base()
                    && arena().all(|c| next.is_empty(c) || next.level(c).is_some())
                    && next.has_way(self, from, to, white)
                    && !next.is_in_check(white)
                {
                    found.push((format!("{}@{}", name(from), name(to)), next));
                }
            }
        }
    }

    /// Whether a piece of the side other than the King can go to a place created since `before`.
    fn has_way(&self, before: &Self, from: Cell, to: Cell, white: bool) -> bool {
        let is_created = |c: Cell| {
            c == to
                || c == from && self.level(c).is_some()
                || self.is_trench(c) && before.level(c).is_none()
        };
        arena()
            .filter(|&c| {
                self.is_piece_of(c, white) && !self.piece_at(c).eq_ignore_ascii_case(&b'K')
            })
            .any(|c| self.without_capture(c).into_iter().any(is_created))
    }

    /// The number of sequences of this many moves.
    pub fn perft(&self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth == 1 {
            moves.len() as u64
        } else {
            moves.iter().map(|(_, next)| next.perft(depth - 1)).sum()
        }
    }

    /// The first five fields of the position's text in their normal form.
    pub fn text(&self) -> String {
        let used: Vec<Cell> = arena()
            .filter(|&c| self.height_at(c) > 0 || !self.is_empty(c))
            .collect();
        let bound = |key: fn(&Cell) -> i32| {
            let low = used.iter().map(key).min().unwrap_or_default();
            let high = used.iter().map(key).max().unwrap_or_default();
            (low, high)
        };
        let ((x0, x1), (y0, y1)) = (bound(|c| c.0), bound(|c| c.1));
        let mut text = name((x0, y1));
        for y in (y0..=y1).rev() {
            text.push(if y == y1 { ':' } else { '/' });
            for x in x0..=x1 {
                write!(text, "{}", self.height_at((x, y))).expect("a string takes it");
                if !self.is_empty((x, y)) {
                    text.push(self.piece_at((x, y)) as char);
                }
            }
        }
        let castling: String = "RBrb"
            .chars()
            .filter(|&letter| {
                self.pairs
                    .iter()
                    .any(|pair| self.piece_at(pair.1) as char == letter)
            })
            .collect();
        let pool: String = [(0, 0, "G"), (0, 1, "Q"), (1, 0, "g"), (1, 1, "q")]
            .into_iter()
            .map(|(side, i, letter)| letter.repeat(self.pool[side][i] as usize))
            .collect();
        let dash = |text: String| {
            if text.is_empty() {
                "-".to_owned()
            } else {
                text
            }
        };
        let side = if self.white_to_move { 'w' } else { 'b' };
        let last = self.last.map_or("-".to_owned(), name);
        format!("{text} {side} {} {} {last}", dash(castling), dash(pool))
    }
}
