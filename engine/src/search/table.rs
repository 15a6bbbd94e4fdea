use super::memory::{prefer_large_pages, prefetch};
use super::report::Bound;
use super::thread_pool::ThreadPool;
use super::value::{MATE, from_table, is_mate};
use std::any::Any;
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Entries per bucket. A bucket is a cache line; a position may be in any entry of its bucket.
const WAYS: usize = 4;
/// Buckets that a thread clears at a time: one megabyte.
const CLEARED_AT_ONCE: usize = (1 << 20) / size_of::<Bucket>();
/// Number of search generations before they repeat.
const GENERATIONS: u8 = 64;

/// Table entry of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Value for the side to move, -32,768..=32,767; mates are counted from this position.
    pub value: i16,
    /// Static value, or [`Entry::NO_EVAL`].
    pub eval: i16,
    /// Number that identifies the best step among the legal ones; 0 if there is none.
    pub tt_move: u16,
    /// Depth in turns to which the value was searched; 0 for quiescence.
    pub depth: u8,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
}

impl Entry {
    /// Marks a static value that was not computed.
    pub const NO_EVAL: i16 = i16::MIN;

    /// Returns the value at `ply` turns from the root, if it is exact or a bound outside the window.
    #[inline(always)]
    pub const fn value_outside(self, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
        let value = from_table(self.value, ply);
        let settled = match self.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        if settled { Some(value) } else { None }
    }

    /// Turns of both sides to the mate that the value means; 0 if it is no mate value.
    #[inline(always)]
    pub const fn turns_to_mate(self) -> usize {
        let value = self.value as i32;
        if is_mate(value) {
            (MATE - value.abs()) as usize
        } else {
            0
        }
    }

    fn pack(self, generation: u8) -> u64 {
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        u64::from(self.value as u16)
            | u64::from(self.eval as u16) << 16
            | u64::from(self.tt_move) << 32
            | u64::from(self.depth) << 48
            | (u64::from(generation) << 2 | bound) << 56
    }

    fn unpack(data: u64) -> Option<Self> {
        let bound = match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Self {
            value: data as i16,
            eval: (data >> 16) as i16,
            tt_move: (data >> 32) as u16,
            depth: (data >> 48) as u8,
            bound,
        })
    }
}

fn depth_of(data: u64) -> i32 {
    (data >> 48 & 0xff) as i32
}

fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

/// A cache line of entries. Each is two words: the key xor the data, and the data.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; WAYS * 2]);

/// A transposition table that any number of threads share without locks.
///
/// An entry is two words; the first is the key xor the second, so that an entry torn by two writers matches no key and is
/// ignored (Hyatt and Mann, "A lockless transposition-table implementation for parallel search", ICGA Journal 25(1), 2002).
///
/// ```
/// use fauve_engine::search::{Bound, Entry, Table};
///
/// let table = Table::new(1).expect("a megabyte");
/// let entry = Entry { value: 35, eval: Entry::NO_EVAL, tt_move: 0, depth: 6, bound: Bound::Lower };
/// let key = 0x0123_4567_89ab_cdef;
/// // Threads share it by reference: storing needs no exclusive access.
/// table.store(key, entry);
/// assert_eq!(table.probe(key), Some(entry));
/// table.clear();
/// assert_eq!(table.probe(key), None);
/// ```
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    megabytes: usize,
    generation: AtomicU8,
    /// Histories of threads; see [`Table::reuse_history`].
    learned: Mutex<Vec<Box<dyn Any + Send>>>,
    pool: ThreadPool,
}

impl Table {
    /// Creates a table of `megabytes` (2^20 bytes each); 0 counts as 1.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub fn new(megabytes: usize) -> Result<Self, TryReserveError> {
        let mut table = Self {
            buckets: Vec::new(),
            megabytes: 0,
            generation: AtomicU8::new(0),
            learned: Mutex::default(),
            pool: ThreadPool::default(),
        };
        table.resize(megabytes)?;
        Ok(table)
    }

    /// Changes the size and clears the table.
    ///
    /// # Errors
    /// If the memory cannot be allocated: the table is unchanged then.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), TryReserveError> {
        let megabytes = megabytes.max(1);
        let count = megabytes.saturating_mul((1 << 20) / size_of::<Bucket>());
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count)?;
        prefer_large_pages(&mut buckets);
        buckets.resize_with(count, Bucket::default);
        self.buckets = buckets;
        self.megabytes = megabytes;
        self.generation = AtomicU8::new(0);
        self.forget_learned();
        Ok(())
    }

    /// Size in megabytes.
    pub const fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// Clears the entries and the histories.
    pub fn clear(&self) {
        self.clear_with(1);
    }

    /// Clears a table that nothing else uses at the moment, without atomic operations.
    pub fn clear_mut(&mut self) {
        self.buckets.fill_with(Bucket::default);
        *self.generation.get_mut() = 0;
        self.forget_learned();
    }

    /// The threads that search with this table and clear it.
    pub(super) const fn pool(&self) -> &ThreadPool {
        &self.pool
    }

    /// Clears the table with this number of threads, including the calling one. Where the system refuses a thread, the
    /// others do its part.
    pub fn clear_with(&self, threads: usize) {
        let parts = self.buckets.chunks(CLEARED_AT_ONCE);
        let threads = threads.clamp(1, parts.len());
        let parts = Mutex::new(parts);
        let clear_parts = || {
            loop {
                let part = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(part) = part else { break };
                for word in part.iter().flat_map(|bucket| &bucket.0) {
                    word.store(0, Relaxed);
                }
            }
        };
        self.pool
            .run((1..threads).map(|_| &clear_parts), clear_parts);
        self.generation.store(0, Relaxed);
        self.forget_learned();
    }

    /// Returns the histories of a thread of an earlier search, if some of this type are left. A search takes them at its
    /// start and returns them with [`Table::save_history`] at its end, so that games of several kinds and concurrent
    /// searches can share a table.
    pub fn reuse_history<T: Send + 'static>(&self) -> Option<Box<T>> {
        let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        let place = learned.iter().rposition(|what| what.is::<T>())?;
        learned.swap_remove(place).downcast().ok()
    }

    /// Saves a thread's histories for the next search.
    pub fn save_history<T: Send + 'static>(&self, what: Box<T>) {
        let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        learned.push(what);
    }

    fn forget_learned(&self) {
        let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        learned.clear();
    }

    /// Starts a new search generation: entries of earlier searches are replaced first.
    pub fn age(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    /// Share of entries that the current search has filled, per mille, from a sample of 1,000.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(1000 / WAYS)];
        let full = sample
            .iter()
            .flat_map(|bucket| bucket.0.iter().skip(1).step_by(2))
            .map(|data| data.load(Relaxed))
            .filter(|&data| data != 0 && generation_of(data) == generation)
            .count();
        (full * 1000 / (sample.len() * WAYS)) as u32
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[(u128::from(key) * self.buckets.len() as u128 >> 64) as usize]
    }

    /// Prefetches the bucket of a key that will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Returns the entry of this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let words = &self.bucket(key).0;
        for way in 0..WAYS {
            let data = words[way * 2 + 1].load(Relaxed);
            if words[way * 2].load(Relaxed) ^ data == key {
                return Entry::unpack(data);
            }
        }
        None
    }

    /// Stores an entry. A deeper entry of this search for the same position is kept against a much shallower one that is
    /// not exact; the best step of a replaced entry is kept if the new one has none. Otherwise the entry of the bucket with
    /// the least depth, after a deduction for each search of age, is replaced.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let words = &self.bucket(key).0;
        let (mut victim, mut least) = (0, i32::MAX);
        for way in 0..WAYS {
            let data = words[way * 2 + 1].load(Relaxed);
            if words[way * 2].load(Relaxed) ^ data == key && data != 0 {
                if entry.tt_move == 0 {
                    entry.tt_move = (data >> 32) as u16;
                }
                if entry.bound != Bound::Exact
                    && generation_of(data) == generation
                    && depth_of(data) > i32::from(entry.depth) + 3
                {
                    return;
                }
                victim = way;
                break;
            }
            let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
            let worth = if data == 0 {
                i32::MIN
            } else {
                depth_of(data) - 4 * i32::from(age)
            };
            if worth < least {
                (victim, least) = (way, worth);
            }
        }
        let data = entry.pack(generation);
        words[victim * 2].store(key ^ data, Relaxed);
        words[victim * 2 + 1].store(data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::zobrist::splitmix;

    /// An entry derived from its key, so that a reader detects a false one.
    fn entry_of(key: u64) -> Entry {
        Entry {
            value: (key >> 3) as i16,
            eval: (key >> 17) as i16,
            tt_move: (key >> 33) as u16 | 1,
            depth: (key >> 40) as u8 & 127,
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][(key % 3) as usize],
        }
    }

    #[test]
    fn entries_come_back_as_stored() {
        let table = Table::new(1).unwrap();
        for n in 0..1000 {
            let key = splitmix(1, n);
            assert_eq!(table.probe(key), None);
            table.store(key, entry_of(key));
            assert_eq!(table.probe(key), Some(entry_of(key)));
        }
        table.clear();
        assert_eq!(table.probe(splitmix(1, 5)), None);
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn any_number_of_threads_clears_everything() {
        let mut table = Table::new(3).unwrap();
        // Without a number: by the only owner of the table.
        for threads in [
            Some(0),
            Some(1),
            Some(2),
            Some(3),
            Some(64),
            Some(usize::MAX),
            None,
        ] {
            table.age();
            for n in 0..200_000 {
                let key = splitmix(7, n);
                table.store(key, entry_of(key));
            }
            match threads {
                Some(threads) => table.clear_with(threads),
                None => table.clear_mut(),
            }
            let words = table.buckets.iter().flat_map(|bucket| &bucket.0);
            assert_eq!(words.filter(|word| word.load(Relaxed) != 0).count(), 0);
            assert_eq!(table.generation.load(Relaxed), 0);
        }
    }

    #[test]
    fn mates_are_as_far_away_as_their_values_say() {
        let turns = |value| {
            Entry {
                value,
                ..entry_of(1)
            }
            .turns_to_mate()
        };
        let mate = MATE as i16;
        assert_eq!([mate, mate - 7, 9 - mate].map(turns), [0, 7, 9]);
        assert_eq!([0, 300, -20_000].map(turns), [0; 3]);
    }

    #[test]
    fn old_and_shallow_entries_make_room() {
        let table = Table::new(1).unwrap();
        let shallow = |key, depth| {
            let entry = Entry {
                depth,
                bound: Bound::Lower,
                ..entry_of(key)
            };
            table.store(key, entry);
        };
        // Keys with equal high bits share a bucket.
        (1..=4).for_each(|key| shallow(key, 10 + key as u8));
        shallow(5, 1);
        assert!(table.probe(1).is_none(), "the shallowest is replaced");
        assert!((2..=5).all(|key| table.probe(key).is_some()));
        (0..4).for_each(|_| table.age());
        shallow(2, 1);
        shallow(6, 1);
        assert!(
            table.probe(2).is_some(),
            "the entry of the current search stays"
        );
        assert!(table.probe(5).is_none());
    }

    #[test]
    fn a_size_that_cannot_be_had_keeps_the_old_table() {
        let mut table = Table::new(1).unwrap();
        table.store(7, entry_of(7));
        assert!(table.resize(usize::MAX >> 20).is_err());
        assert_eq!(table.megabytes(), 1);
        assert_eq!(table.probe(7), Some(entry_of(7)));
    }

    #[test]
    fn hashfull_counts_this_search() {
        let table = Table::new(1).unwrap();
        for n in 0..1_000_000 {
            let key = splitmix(2, n);
            table.store(key, entry_of(key));
        }
        assert!(table.hashfull() > 990);
        table.age();
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn concurrent_writers_never_produce_a_false_entry() {
        let table = Table::new(1).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    for n in 0..400_000u64 {
                        // A few thousand keys in a few buckets: every write contends.
                        let key = splitmix(3, (n * (thread + 1)) % 4096) >> 9;
                        if n % 3 == 0 {
                            table.store(key, entry_of(key));
                        } else if let Some(found) = table.probe(key) {
                            let (tt_move, expected) = (found.tt_move, entry_of(key));
                            assert_eq!(
                                Entry {
                                    tt_move,
                                    ..expected
                                },
                                found
                            );
                            assert_eq!(tt_move, expected.tt_move);
                        }
                    }
                });
            }
        });
    }
}
