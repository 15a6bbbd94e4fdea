//! Games of all kinds, written, read and written again.

use crate::comment::{clock_text, set_command};
use crate::end::End;
use crate::names;
use crate::pgn::{parse, text};
use crate::played::{Made, Played, Ply};
use crate::replay::of_pgn;
use crate::tree::{Line, Node};
use fauve_engine::core::Color;
use fauve_engine::rules::chess::{Chess, Options};
use fauve_engine::rules::{DiceSeed, Notation, Rules, for_each_turn, legal_steps};
use fauve_engine::{Variant, with_game};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::ops::Range;
use std::time::Duration;

/// A source of numbers for games that are the same on every run.
struct Random(Xoshiro256PlusPlus);

impl Random {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below `most`.
    fn below(&mut self, most: usize) -> usize {
        (self.0.next_u64() % most.max(1) as u64) as usize
    }

    fn one_in(&mut self, most: usize) -> bool {
        self.below(most) == 0
    }

    fn step<G: Rules>(&mut self, position: &G) -> Option<G::Step> {
        let steps = legal_steps(position);
        steps.get(self.below(steps.len())).copied()
    }

    /// A legal turn of a position whose dice are rolled.
    fn turn<G: Notation>(&mut self, position: &G) -> Option<Made<G>> {
        let before = *position;
        let mut position = before;
        let mut turn = fauve_engine::rules::Turn::new();
        loop {
            let step = self.step(&position)?;
            position.play(step);
            turn.push(step);
            if !position.is_mid_turn() || position.winner().is_some() {
                break;
            }
        }
        Some(Made {
            before,
            roll: None,
            ply: Ply::Turn(turn),
        })
    }

    fn comment(&mut self) -> String {
        const COMMENTS: [&str; 12] = [
            "White is better",
            "[%cal Gd2d4,Re1e8][%csl Rd5] the plan",
            "[%eval 0.35] [%unknown a,b] with words, dots... and (brackets) in it",
            "1. e4 is stronger; so is 1. d4!? $1",
            "a } that would end it",
            "{ nested",
            "\u{fc}ber M\u{fc}ller \u{2654}f3 \u{bd}-\u{bd}",
            "\"quoted\" back\\slash",
            "[Event \"not a tag\"] 1-0",
            "*",
            "% at the beginning",
            "a comment that is so long that it has to be broken into several lines, of which each has words enough to fill it",
        ];
        COMMENTS[self.below(COMMENTS.len())].to_owned()
    }

    /// Adds comments and NAGs, some of them.
    fn annotate<T>(&mut self, node: &mut Node<T>) {
        if self.one_in(5) {
            node.nags.push(1 + self.below(6) as u16);
        }
        if self.one_in(12) {
            node.nags.push(7 + self.below(240) as u16);
        }
        while self.one_in(4) {
            node.comments.push(self.comment());
        }
        if !node.variations.is_empty() && self.one_in(3) {
            node.after.push(self.comment());
        }
    }

    /// A variation from a position, with variations in it.
    fn variation(&mut self, root: &Chess, depth: usize) -> Line<Made<Chess>> {
        let mut line = Line::default();
        if self.one_in(3) {
            line.lead.push(self.comment());
        }
        let mut position = *root;
        for _ in 0..=self.below(5) {
            let null = position.null_move().filter(|_| self.one_in(8));
            let made = match null {
                Some(_) => Some(Made {
                    before: position,
                    roll: None,
                    ply: Ply::Null,
                }),
                None => self.turn(&position),
            };
            let Some(made) = made else {
                break;
            };
            let before = position;
            made.steps().iter().for_each(|&step| position.play(step));
            position = null.unwrap_or(position);
            let mut node = Node::new(made);
            while depth < 4 && self.one_in(3) {
                let variation = self.variation(&before, depth + 1);
                if !variation.turns.is_empty() {
                    node.variations.push(variation);
                }
            }
            self.annotate(&mut node);
            line.turns.push(node);
        }
        line
    }
}

/// A game at random, with what a program writes beside its turns.
fn own_game<G: Notation>(variant: Variant, number: u64) -> Played<G> {
    let mut random = Random::new(number);
    let mut played = Played::new(G::start(&G::Options::default()), G::Options::default());
    played.seed = G::HAS_CHANCE.then_some(DiceSeed(number));
    for (name, value) in [
        ("Event", "a \"test\" \\ of [PGN]"),
        ("Round", "?"),
        ("Result", "*"),
        ("Variant", variant.name()),
        ("Whatever", "stays"),
    ] {
        played.tags.set(name, value);
    }
    let length = random.below(60);
    for place in 0..length {
        if played.end().is_some() {
            break;
        }
        played.roll();
        while let Some(step) = random.step(played.position()) {
            if played.step(step) {
                break;
            }
        }
        let before = *played.position_after(place);
        let best = random.turn(&before);
        if let Some(node) = played.turn_mut(place) {
            if random.one_in(3) {
                set_command(&mut node.comments, "eval", "-1.25");
            }
            if let Some(best) = best.filter(|_| random.one_in(10)) {
                node.judge(4);
                node.suggest(best);
            }
        }
    }
    if played.end().is_none() && random.one_in(2) {
        played.ended = Some(End::resignation(Color::White));
    }
    played
}

/// A game of chess with everything that annotators write.
fn annotated_game(number: u64) -> Played<Chess> {
    let mut random = Random::new(number);
    let mut played = own_game::<Chess>(Variant::Chess, number);
    if random.one_in(3) {
        let comment = random.comment();
        played.lead_mut().push(comment);
    }
    for place in 0..played.turns().len() {
        let before = played.turns()[place].turn.before;
        let variations: Vec<_> = (0..random.below(3))
            .map(|_| random.variation(&before, 0))
            .filter(|line| !line.turns.is_empty())
            .collect();
        let Some(node) = played.turn_mut(place) else {
            continue;
        };
        node.variations = variations;
        random.annotate(node);
        let left = clock_text(Duration::from_millis(random.below(10_000_000) as u64));
        set_command(&mut node.comments, "clk", &left);
    }
    played
}

/// Checks that a game is the same after it was written and read, and its text after that.
fn check<G: Notation>(played: &Played<G>) {
    let written = text(played);
    let read = parse(&written);
    assert_eq!(read.len(), 1, "{written}");
    let again = of_pgn::<G>(&read[0], &G::Options::default())
        .unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(difference(again.line(), played.line()), None, "{written}");
    assert_eq!(again.start(), played.start());
    assert_eq!(again.result_text(), played.result_text());
    assert_eq!(again.tags.get("Whatever"), Some("stays"));
    assert_eq!(text(&again), written);
}

/// The first turn at which two lines differ, as text.
fn difference<G: Notation>(one: &Line<Made<G>>, other: &Line<Made<G>>) -> Option<String> {
    if one == other {
        return None;
    }
    let nodes = one.turns.iter().zip(&other.turns);
    let mut differing = nodes.filter(|(one, other)| one != other);
    let Some((one, other)) = differing.next() else {
        return Some(format!(
            "{} and {} turns",
            one.turns.len(),
            other.turns.len()
        ));
    };
    let mut variations = one.variations.iter().zip(&other.variations);
    let inner = variations.find_map(|(one, other)| difference(one, other));
    inner.or_else(|| {
        let text = |node: &Node<Made<G>>| {
            let (made, variations) = (&node.turn, node.variations.len());
            let beside = (&node.nags, &node.comments, variations, &node.after);
            format!(
                "{} {:?} {} {beside:?}",
                made.number(),
                made.ply,
                made.before.fen()
            )
        };
        Some(format!("{} <> {}", text(one), text(other)))
    })
}

/// Checks the games of these numbers.
fn check_games(own: Range<u64>, annotated: Range<u64>) {
    for &variant in Variant::ALL {
        for number in own.clone() {
            with_game!(variant, G => check(&own_game::<G>(variant, number)));
        }
    }
    for number in annotated {
        check(&annotated_game(number));
    }
}

#[test]
fn games_are_the_same_after_they_were_written_and_read() {
    check_games(0..20, 0..60);
}

#[test]
#[ignore = "half a minute; with long_ in the gate"]
fn long_a_thousand_games_are_the_same_after_they_were_written_and_read() {
    check_games(0..100, 0..500);
}

/// Beside the test above, on another processor.
#[test]
#[ignore = "half a minute; with long_ in the gate"]
fn long_a_thousand_more_games_are_the_same_after_they_were_written_and_read() {
    check_games(100..200, 500..1000);
}

#[test]
fn games_of_any_first_position_bring_it() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 40";
    let start = Chess::from_fen(fen, &Options::default())
        .expect("a position")
        .position;
    let mut played = Played::new(start, Options::default());
    let mut turns = 0;
    for_each_turn(&start, &mut |_, _| turns += 1);
    assert!(turns > 0);
    played.add(None, "Kd7").expect("a turn");
    played.add(None, "e4").expect("a turn");
    let written = text(&played);
    assert!(written.contains("[SetUp \"1\"]") && written.contains(fen));
    assert!(written.ends_with("\n\n40... Kd7 41. e4 *\n\n"), "{written}");
    let again = of_pgn::<Chess>(&parse(&written)[0], &Options::default()).expect("a game");
    assert_eq!(
        (again.start(), again.line()),
        (played.start(), played.line())
    );
}

/// Chess960 as other programs write it, with another name, X-FEN and castling by letters: read, written so that they read it, and
/// read again.
#[test]
fn games_of_chess960_are_the_same_after_they_were_read_and_written() {
    for (variant, rights) in [
        ("fischerandom", "KQkq"),
        ("Chess960", "GBgb"),
        ("Chess 960", "KQkq"),
    ] {
        let other = format!(
            "[Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w {rights} - 0 1\"]\n\n\
             1. O-O O-O-O 2. Rbd1 e5 (2... d5 3. d4) *\n"
        );
        let game = &parse(&other)[0];
        let rules = names::rules_of_pgn(game).expect("known rules");
        assert_eq!(
            names::variant_of_pgn(game, Variant::TwoMove),
            Ok(Variant::Chess)
        );
        let played = of_pgn::<Chess>(game, &rules.options()).expect("a game");
        let tokens: Vec<String> = played
            .turns()
            .iter()
            .map(|node| node.turn.token())
            .collect();
        assert_eq!(tokens, ["e1g1", "e8b8", "b1d1", "e7e5"]);
        let written = text(&played);
        assert!(written.contains("1. O-O O-O-O 2. Rbd1"), "{written}");
        let again = &parse(&written)[0];
        assert_eq!(names::rules_of_pgn(again).as_ref(), Ok(&rules), "{written}");
        let same = of_pgn::<Chess>(again, &rules.options()).expect("the same game");
        assert_eq!(same.position(), played.position());
        assert_eq!(text(&same), written);
    }
}
