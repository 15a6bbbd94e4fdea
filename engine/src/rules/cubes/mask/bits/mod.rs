//! Sets of 256 cells as the processor holds them best: one vector with AVX2, else two of 128 bits, and words where there are no vectors.
//! Which of them is decided when the program is compiled, because every function of the game works with sets.

#[cfg(target_feature = "avx2")]
mod avx2;
#[cfg(any(test, not(target_feature = "avx2")))]
mod count;
#[cfg(any(test, not(target_feature = "avx2")))]
mod pair;
#[cfg(any(test, not(target_feature = "avx2")))]
mod rows;

#[cfg(target_feature = "avx2")]
pub use avx2::{Bits, Count};
#[cfg(not(target_feature = "avx2"))]
pub use {count::Count, pair::Bits};

#[cfg(test)]
mod tests {
    use super::rows::{Rows, plain};
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    /// Random words of any number of ones, few or many.
    fn random_words<const N: usize>(random: &mut Xoshiro256PlusPlus) -> [u64; N] {
        let mut words = [0; N].map(|_: u64| random.next_u64());
        for _ in 0..random.next_u64() % 6 {
            words = words.map(|word| word & random.next_u64());
        }
        words
    }

    fn without_last_file<const N: usize>(words: [u64; N]) -> [u64; N] {
        words.map(|word| word & 0x7fff_7fff_7fff_7fff)
    }

    /// The results of all operations with rows.
    macro_rules! results_of_rows {
        ($type:ty, $a:expr, $b:expr) => {{
            let [a, b, c] = [$a, $b, without_last_file($a)].map(<$type>::new);
            let rows = [
                a,
                a.and(b),
                a.or(b),
                a.xor(b),
                a.without(b),
                a.file_up(),
                a.file_down(),
                a.row_up(b),
                a.row_down(b),
                c.full(),
            ];
            let empty = [a.is_empty(), a.and(b).is_empty()];
            (rows.map(<$type>::words), empty)
        }};
    }

    /// The results of all operations with sets.
    macro_rules! results_of_sets {
        ($type:ty, $a:expr, $b:expr) => {{
            let [a, b, c] = [$a, $b, without_last_file($a)].map(<$type>::new);
            let sets = [
                a,
                a.and(b),
                a.or(b),
                a.xor(b),
                a.file_up(),
                a.file_down(),
                a.row_up(),
                a.row_down(),
                c.rectangle(),
            ];
            let relations = [
                a.is_disjoint(b),
                a.is_within(b),
                a.and(b).is_within(a),
                a.xor(b).is_disjoint(a.and(b)),
            ];
            (sets.map(<$type>::words), relations)
        }};
    }

    #[test]
    fn vectors_hold_the_same_rows_as_words() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        for _ in 0..20_000 {
            let [a, b] = [(); 2].map(|()| random_words(&mut random));
            let expected = results_of_rows!(plain::Rows, a, b);
            assert_eq!(results_of_rows!(Rows, a, b), expected);
        }
    }

    #[test]
    fn sets_are_the_same_in_one_vector_and_in_two() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
        for round in 0..20_000 {
            let [a, b] = [(); 2].map(|()| random_words(&mut random));
            let expected = results_of_sets!(pair::Bits, a, b);
            assert_eq!(results_of_sets!(Bits, a, b), expected);
            let one = [
                Bits::one(round as u8).words(),
                pair::Bits::one(round as u8).words(),
            ];
            assert_eq!(one[0], one[1]);
        }
    }

    #[test]
    fn cells_are_counted_as_word_by_word() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        for sets in 0..60 {
            let (mut count, mut expected) = (Count::zero(), count::Count::zero());
            for _ in 0..sets {
                let set = Bits::new(random_words(&mut random));
                count.add(set);
                expected.add(set);
            }
            assert_eq!(count.total(), expected.total());
        }
    }
}
