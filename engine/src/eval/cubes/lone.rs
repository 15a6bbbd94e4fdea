//! Exact play against a lone King: for each relief and the pieces that stand on it, a table of the number of turns in which King
//! and Queen mate it by their own moves, made by retrograde analysis (Thompson, "Retrograde analysis of certain endgames", 1986). A table
//! is made at once where the root is near such a position, and in the tree once the search has probed it often enough.
//!
//! A lone King cannot move cubes, so the relief changes only if the attackers change it, and their other pieces may stay where they
//! are. A mate of the table is therefore a mate in the game, too, although cubes or other pieces may allow a quicker one. Where the table
//! has no mate, there may still be one.

use super::ground::{Field, Ground};
use crate::core::{Color, StepList};
use crate::eval::EndgameResult;
use crate::rules::Rules;
use crate::rules::cubes::{CLOCK_LIMIT, Cell, Cubes4d, LONE_KING_LIMIT, Mask, Options, PieceKind};
use ahash::AHashMap;

/// The attackers' turns until the rules save the King: none lasts longer.
const LONGEST: u8 = LONE_KING_LIMIT;
/// Number of probes after which a table is built: by then the search has spent about the cost of a table on its positions.
const PROBES_BEFORE_TABLE: u32 = 500;
/// Bytes of the tables that are kept, one or two hundred thousand each; when there are more, only those that were made for the root stay.
const MEMORY: usize = 12 << 20;
/// Largest number of reliefs remembered; beyond it those without a table are dropped.
const GROUNDS: usize = 4096;
/// Largest number of captures at a root for which tables are prepared.
const CAPTURES: usize = 8;
/// Number of turns where there is no mate.
const NEVER: u8 = u8::MAX;
/// Number of a cell that is not among the places.
const NOWHERE: u8 = u8::MAX;

/// Distance to mate by King and Queen, for every placement of them and the lone King.
#[derive(Debug)]
struct Table {
    /// By cell, its number among the places on which a piece can stand.
    numbers: [u8; 256],
    places: usize,
    /// By places of King, Queen and lone King, with the attackers to move: the attackers' turns to the mate, from 1.
    won: Vec<u8>,
    /// The same with the lone King to move: from 0, which means that it is mated.
    lost: Vec<u8>,
}

/// One placement of King and Queen, and the sets of lone King cells that follow from it.
#[derive(Clone, Default)]
struct Hunters {
    /// Cells to which the lone King can step.
    open: Mask,
    /// Cells from which the lone King, to move, has nothing to capture.
    no_capture: Mask,
    /// Lone King cells from which the attackers, to move, mate within the turns analysed so far.
    won: Mask,
    /// Lone King cells on which the lone King, to move, is mated within them.
    lost: Mask,
    /// Moves of King and Queen: index of the resulting pair, and the lone King cells that would block the move.
    ways: Vec<(usize, Mask)>,
}

/// The work on a table.
struct Analysis {
    places: Vec<Cell>,
    /// By cell, its number among the places.
    numbers: [u8; 256],
    /// By places of King and Queen.
    pairs: Vec<Hunters>,
    /// By place, the cells to which the lone King can step from it.
    steps: Vec<Mask>,
}

impl Analysis {
    fn new(field: &Field) -> Self {
        let all = field.places();
        let places: Vec<Cell> = all.into_iter().collect();
        let count = places.len();
        let steps: Vec<Mask> = places.iter().map(|&at| field.king_goes(at)).collect();
        let takes: Vec<Mask> = places.iter().map(|&at| field.king_takes(at)).collect();
        let mut numbers = [NOWHERE; 256];
        for (number, place) in places.iter().enumerate() {
            numbers[place.index()] = number as u8;
        }
        let mut pairs = vec![Hunters::default(); count * count];
        for (k, &king) in places.iter().enumerate() {
            for (q, &queen) in places.iter().enumerate().filter(|&(q, _)| q != k) {
                let pair = &mut pairs[k * count + q];
                let attacked = field.attacked(king, queen);
                let attackers = Mask::of(king) | Mask::of(queen);
                pair.open = all.without(attackers | attacked);
                let capturable =
                    (field.standing() | Mask::of(queen)).without(attacked) | Mask::of(king);
                for (&at, takes) in places.iter().zip(&takes) {
                    if !attackers.has(at) && !takes.meets(capturable) {
                        pair.no_capture.insert(at);
                    }
                }
                pair.lost = pair.mated(&places, &steps, attacked);
            }
        }
        for (q, &queen) in places.iter().enumerate() {
            let free = queen_ways(field, queen, Mask::EMPTY);
            for (k, &king) in places.iter().enumerate().filter(|&(k, _)| k != q) {
                let beside;
                let ways = if free.iter().any(|&(to, _)| to == king) {
                    beside = queen_ways(field, queen, Mask::of(king));
                    &beside
                } else {
                    &free
                };
                let number = |at: Cell| usize::from(numbers[at.index()]);
                let queens = ways
                    .iter()
                    .map(|&(to, unless)| (k * count + number(to), unless));
                let kings = (steps[k] & all)
                    .into_iter()
                    .filter(|&to| to != queen)
                    .map(|to| (number(to) * count + q, Mask::EMPTY));
                pairs[k * count + q].ways = queens.chain(kings).collect();
            }
        }
        Self {
            places,
            numbers,
            pairs,
            steps,
        }
    }

    /// The table.
    fn run(mut self) -> Table {
        let count = self.places.len();
        let mut table = Table {
            numbers: self.numbers,
            places: count,
            won: vec![NEVER; count * count * count],
            lost: vec![NEVER; count * count * count],
        };
        for (number, pair) in self.pairs.iter().enumerate() {
            table.note_lost(number, pair.lost, 0);
        }
        for turns in 1..=LONGEST {
            let mut is_done = true;
            for number in 0..self.pairs.len() {
                let pair = &self.pairs[number];
                let mut won = Mask::EMPTY;
                for &(to, unless) in &pair.ways {
                    won |= self.pairs[to].lost.without(unless);
                }
                let fresh = (won & pair.open).without(pair.won);
                if fresh.any() {
                    is_done = false;
                    self.pairs[number].won |= fresh;
                    table.note_won(number, fresh, turns);
                }
            }
            if is_done {
                break;
            }
            for number in 0..self.pairs.len() {
                let pair = &mut self.pairs[number];
                let left = pair.open.without(pair.won);
                let mut fresh = Mask::EMPTY;
                for at in pair.no_capture.without(pair.lost) {
                    let steps = self.steps[usize::from(table.numbers[at.index()])] & pair.open;
                    if steps.any() && !steps.meets(left) {
                        fresh.insert(at);
                    }
                }
                if fresh.any() {
                    pair.lost |= fresh;
                    table.note_lost(number, fresh, turns);
                }
            }
        }
        table
    }
}

impl Hunters {
    /// Where the lone King is mated.
    fn mated(&self, places: &[Cell], steps: &[Mask], attacked: Mask) -> Mask {
        let mut mated = Mask::EMPTY;
        for (&at, &steps) in places.iter().zip(steps) {
            if self.no_capture.has(at) && attacked.has(at) && !steps.meets(self.open) {
                mated.insert(at);
            }
        }
        mated
    }
}

/// The Queen's quiet moves from a cell with another piece on the board, each with the cells that must be empty for it.
fn queen_ways(field: &Field, queen: Cell, other: Mask) -> Vec<(Cell, Mask)> {
    let reach = field.queen_goes(queen, other);
    let mut ways: Vec<_> = reach.into_iter().map(|to| (to, Mask::of(to))).collect();
    // A piece that blocks another one is on a cell that the Queen could reach.
    for blocker in reach {
        let open = field.queen_goes(queen, other | Mask::of(blocker));
        for (to, unless) in &mut ways {
            if !open.has(*to) {
                unless.insert(blocker);
            }
        }
    }
    ways
}

impl Table {
    /// Creates the table for the relief of a position whose `attackers` have a Queen on this cell.
    fn new(position: &Cubes4d, attackers: Color, queen: Cell) -> Self {
        Analysis::new(&Ground::unfold(position, attackers, queen)).run()
    }

    fn note_won(&mut self, pair: usize, at: Mask, turns: u8) {
        for cell in at {
            self.won[pair * self.places + usize::from(self.numbers[cell.index()])] = turns;
        }
    }

    fn note_lost(&mut self, pair: usize, at: Mask, turns: u8) {
        for cell in at {
            self.lost[pair * self.places + usize::from(self.numbers[cell.index()])] = turns;
        }
    }

    /// Returns the number of turns the attackers need, or `None` if the table has no mate.
    fn turns(&self, pieces: [Cell; 3], hunters_move: bool) -> Option<u8> {
        let index = pieces.iter().fold(0, |index, piece| {
            index * self.places + usize::from(self.numbers[piece.index()])
        });
        let turns = if hunters_move { &self.won } else { &self.lost };
        Some(turns[index]).filter(|&turns| turns != NEVER)
    }

    /// In bytes.
    const fn size(&self) -> usize {
        self.won.len() + self.lost.len()
    }
}

/// A hunt of a lone King: the attacking side, and the Queen with which the table mates.
#[derive(Clone, Copy)]
struct Hunt {
    attackers: Color,
    queen: Cell,
}

impl Hunt {
    /// The hunt of a position in which a King is alone and the other side has a Queen.
    #[inline(always)]
    fn of(position: &Cubes4d) -> Option<Self> {
        let lone_side = Color::ALL
            .into_iter()
            .find(|&color| position.lone_count(color).is_some())?;
        let queens = position.pieces_of_kind(PieceKind::Queen) & position.pieces_of(!lone_side);
        let queen = queens.into_iter().next()?;
        Some(Self {
            attackers: !lone_side,
            queen,
        })
    }

    /// Returns the relief and fixed pieces of a position with this hunt.
    fn ground(self, position: &Cubes4d) -> Ground {
        Ground::of(position, self.attackers, self.queen)
    }
}

/// Number of probes of one relief with its fixed pieces, and its table once it is built.
#[derive(Debug, Default)]
struct GroundEntry {
    /// Number of probes.
    probes: u32,
    table: Option<Table>,
    /// Whether the table was made for the root, and is therefore kept when others are dropped.
    stays: bool,
}

/// Tables of one thread for endgames against a lone King.
#[derive(Debug, Default)]
pub struct LoneKings {
    grounds: AHashMap<Ground, GroundEntry>,
    /// Bytes of the tables.
    memory: usize,
}

impl LoneKings {
    /// Builds the tables for a root at which a King is alone or the opponent's King can be left alone by one turn, as long as
    /// `keep_going`, called before each table, returns `true`.
    pub fn prepare(&mut self, root: &Cubes4d, keep_going: &mut dyn FnMut() -> bool) {
        if keep_going() {
            self.make_for_root(root);
        }
        if root.pieces_of(!root.side_to_move()).len() == 2 {
            let mut steps = StepList::new();
            root.captures(&mut steps);
            for step in steps.into_iter().take(CAPTURES) {
                if !keep_going() {
                    break;
                }
                let mut after = *root;
                after.play(step);
                self.make_for_root(&after);
            }
        }
    }

    /// Makes the table for a position, if it can have one, and keeps it for the whole search.
    fn make_for_root(&mut self, position: &Cubes4d) {
        let Some(hunt) = Hunt::of(position) else {
            return;
        };
        let ground = hunt.ground(position);
        let entry = self.entry(ground);
        entry.stays = true;
        if entry.table.is_none() {
            self.make(position, hunt, ground);
        }
    }

    /// Probes the tables for a position; builds one for a relief that is probed often.
    #[inline(always)]
    pub fn probe_endgame(&mut self, position: &Cubes4d, options: Options) -> Option<EndgameResult> {
        let hunt = Hunt::of(position)?;
        self.look_up(position, options, hunt)
    }

    #[inline(never)]
    fn look_up(
        &mut self,
        position: &Cubes4d,
        options: Options,
        hunt: Hunt,
    ) -> Option<EndgameResult> {
        let Hunt { attackers, queen } = hunt;
        let hunters_move = position.side_to_move() == attackers;
        let pieces = [position.king(attackers), queen, position.king(!attackers)];
        let ground = hunt.ground(position);
        let entry = self.entry(ground);
        entry.probes = entry.probes.saturating_add(1);
        let turns = match &entry.table {
            Some(table) => table.turns(pieces, hunters_move),
            None if entry.probes < PROBES_BEFORE_TABLE => None,
            None => self
                .make(position, hunt, ground)
                .turns(pieces, hunters_move),
        }?;
        let resisted = position.lone_count(!attackers)?;
        let in_time = turns + resisted <= LONE_KING_LIMIT
            && (!options.clock_draw || position.quiet_plies() + 2 * u16::from(turns) < CLOCK_LIMIT);
        let turns = u32::from(turns);
        in_time.then(|| {
            if hunters_move {
                EndgameResult::Win(2 * turns - 1)
            } else {
                EndgameResult::Loss(2 * turns)
            }
        })
    }

    /// Returns the entry of a ground, created on demand.
    fn entry(&mut self, ground: Ground) -> &mut GroundEntry {
        if self.grounds.len() >= GROUNDS {
            self.grounds.retain(|_, entry| entry.table.is_some());
        }
        self.grounds.entry(ground).or_default()
    }

    /// Makes the table for a position and its ground.
    fn make(&mut self, position: &Cubes4d, hunt: Hunt, ground: Ground) -> &Table {
        if self.memory > MEMORY {
            self.grounds.retain(|_, entry| entry.stays);
            let sizes = self.grounds.values().flat_map(|entry| &entry.table);
            self.memory = sizes.map(Table::size).sum();
        }
        let table = Table::new(position, hunt.attackers, hunt.queen);
        self.memory += table.size();
        let entry = self.grounds.entry(ground).or_default();
        entry.table.insert(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::zobrist::splitmix;
    use crate::eval::network::test_support::position;
    use crate::rules::cubes::{Action, Step};
    use crate::rules::{Notation, legal_steps};

    /// Positions in which one side is well ahead.
    fn won() -> impl Iterator<Item = Cubes4d> {
        let texts = include_str!("../../../../tests/data/cubes4d-won.txt").lines();
        texts.map(position)
    }

    /// Positions of King, Queen and at most two other pieces against a lone King, each with its attackers and their Queen.
    fn bared() -> impl Iterator<Item = (Cubes4d, Hunt)> {
        won().filter_map(|mut position| {
            let queens = position.pieces_of_kind(PieceKind::Queen);
            let attackers = Color::ALL
                .into_iter()
                .find(|&color| (position.pieces_of(color) & queens).any())?;
            let queen = (position.pieces_of(attackers) & queens)
                .into_iter()
                .next()?;
            let kings = position.pieces_of_kind(PieceKind::King);
            let others = position
                .pieces_of(attackers)
                .without(kings | Mask::of(queen));
            for cell in others.into_iter().skip(2) {
                position = position.without(cell);
            }
            for cell in position.pieces_of(!attackers).without(kings) {
                position = position.without(cell);
            }
            let safe = position.null_move().is_some_and(|other| !other.in_check());
            safe.then_some((position, Hunt { attackers, queen }))
        })
    }

    const BARED: &str =
        "d11:00000100/11102112Q/00211011/21k0N02G01G1/00011110/022001K02/00001100 w - ggq";

    /// A mate that comes after the King's resistance has drawn is none.
    #[test]
    fn mates_are_in_time() {
        let mut tables = LoneKings::default();
        let options = Options::default();
        tables.prepare(&position(&format!("{BARED} - b0 48")), &mut || true);
        let mut known = |rest: &str, options| {
            tables.probe_endgame(&position(&format!("{BARED} {rest}")), options)
        };
        assert_eq!(known("- b0 48", options), Some(EndgameResult::Win(11)));
        assert_eq!(known("- b4 48", options), Some(EndgameResult::Win(11)));
        assert_eq!(known("- b5 48", options), None);
    }

    /// When there are too many tables those of the root stay; without time none is made.
    #[test]
    fn tables_of_the_root_stay() {
        let mut tables = LoneKings::default();
        let root = position(&format!("{BARED} - b0 48"));
        tables.prepare(&root, &mut || false);
        assert!(tables.grounds.is_empty());
        tables.prepare(&root, &mut || true);
        let others: Vec<_> = bared().take(3).collect();
        for (other, hunt) in &others[..2] {
            tables.make(other, *hunt, hunt.ground(other));
        }
        let made = |tables: &LoneKings| {
            let made = tables
                .grounds
                .values()
                .filter_map(|entry| entry.table.as_ref());
            (made.clone().count(), made.map(Table::size).sum::<usize>())
        };
        assert_eq!(made(&tables), (3, tables.memory));
        let before = tables.memory;
        tables.memory = MEMORY + 1;
        let (other, hunt) = &others[2];
        tables.make(other, *hunt, hunt.ground(other));
        assert_eq!(made(&tables), (2, tables.memory));
        assert!(tables.memory < before);
        assert!(tables.probe_endgame(&root, Options::default()).is_some());
    }

    /// Where a King's last piece can be taken the table is there before the search.
    #[test]
    fn captures_that_leave_a_king_alone_are_prepared_for() {
        let mut prepared = 0;
        for root in won() {
            if root.pieces_of(!root.side_to_move()).len() != 2 {
                continue;
            }
            let mut tables = LoneKings::default();
            tables.prepare(&root, &mut || true);
            let bare = legal_steps(&root).into_iter().filter_map(|step| {
                let mut after = root;
                after.play(step);
                Hunt::of(&after).map(|hunt| (after, hunt))
            });
            for (after, hunt) in bare.take(CAPTURES) {
                let entry = tables.grounds.get(&hunt.ground(&after));
                let is_made = entry.is_some_and(|entry| entry.table.is_some());
                assert!(is_made, "{}", root.fen());
                prepared += 1;
            }
            if prepared > 5 {
                return;
            }
        }
        assert!(prepared > 0);
    }

    /// Derives the result by the rules from the table's results after all turns of its pieces.
    fn by_the_rules(
        position: &Cubes4d,
        table: &Table,
        attackers: Color,
        queen: Cell,
        steps: &[Step],
    ) -> Option<u8> {
        let after = |step: &Step| {
            let mut next = *position;
            next.play(*step);
            let queen = if step.from == queen { step.to } else { queen };
            let pieces = [next.king(attackers), queen, next.king(!attackers)];
            table.turns(pieces, position.side_to_move() != attackers)
        };
        if position.side_to_move() == attackers {
            return steps.iter().filter_map(after).min().map(|turns| turns + 1);
        }
        if steps.is_empty() {
            return position.in_check().then_some(0);
        }
        if steps.iter().any(|step| step.action == Action::Capture) {
            return None;
        }
        let all: Option<Vec<u8>> = steps.iter().map(after).collect();
        all.map(|turns| turns.into_iter().max().unwrap_or(0))
    }

    /// Every entry that random walks come to is what its successors' entries demand.
    #[test]
    fn tables_agree_with_the_rules() {
        let (mut mates, mut won, mut checked) = (0, 0, 0);
        for (game, (start, hunt)) in bared().take(12).enumerate() {
            let Hunt {
                attackers,
                queen: first,
            } = hunt;
            let table = Table::new(&start, attackers, first);
            let mut random = game as u64;
            for _walk in 0..20 {
                let (mut position, mut queen) = (start, first);
                for _turn in 0..40 {
                    let mut steps = legal_steps(&position);
                    let pieces = [
                        queen,
                        position.king(Color::White),
                        position.king(Color::Black),
                    ];
                    steps.retain(|step| step.action != Action::Cube && pieces.contains(&step.from));
                    let expected = by_the_rules(&position, &table, attackers, queen, &steps)
                        .filter(|&turns| turns <= LONGEST);
                    let hunters_move = position.side_to_move() == attackers;
                    let pieces = [position.king(attackers), queen, position.king(!attackers)];
                    let known = table.turns(pieces, hunters_move);
                    assert_eq!(known, expected, "{}", position.fen());
                    checked += 1;
                    won += u32::from(known.is_some());
                    mates += u32::from(known == Some(0));
                    steps.retain(|step| step.action == Action::Quiet);
                    if steps.is_empty() {
                        break;
                    }
                    random = random.wrapping_add(1);
                    let step = steps[splitmix(0x4c4f_4e45, random) as usize % steps.len()];
                    if step.from == queen {
                        queen = step.to;
                    }
                    position.play(step);
                }
            }
        }
        assert!(
            checked > 3000 && won > 500 && mates > 0,
            "{checked}, {won}, {mates}"
        );
    }
}
