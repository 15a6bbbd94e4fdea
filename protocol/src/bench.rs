//! `bench`: searches of fixed positions to fixed depths with one thread and a fresh table. The sum of their nodes is
//! the same on every run and machine, and changes exactly when the search, the evaluation or the rules change.

use crate::variants::with_game;
use crate::wire::report::per_second;
use fauve_engine::Variant;
use fauve_engine::rules::{Game, Switches};
use fauve_engine::search::{Control, Engine, Limits, Settings, Table};
use std::time::{Duration, Instant};

/// The positions of a game and the depth (in turns) to which they are searched.
const fn positions(variant: Variant) -> (u32, &'static [&'static str]) {
    match variant {
        Variant::Chess => (
            12,
            &[
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1P2N2/2P2PPP/R1BQKB1R w KQ - 1 9",
                "2r3k1/1p3ppp/p3p3/3pP3/1q1P1P2/1P2QN2/6PP/2R3K1 b - - 0 24",
                "8/5pk1/6p1/3R3p/r6P/5PP1/6K1/8 b - - 3 41",
            ],
        ),
        Variant::Superchess => (
            10,
            &[
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 p0",
                "evbqkbsa/pppppppp/8/8/8/8/PPPPPPPP/EVBQKBSA[NNRRnnrr] w - - 0 1",
                "rnsvkaer/pppppppp/8/8/8/8/PPPPPPPP/RNSVKAER w KQkq - 0 1",
            ],
        ),
        Variant::TwoMove => (
            2,
            &[
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 2",
                "r1bqk2r/ppp2ppp/2n2n2/3pp3/1b1PP3/2N2N2/PPP2PPP/R1BQKB1R w KQkq - 0 5 2",
            ],
        ),
        Variant::DiceChess => (
            2,
            &[
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB",
                "r1bqk2r/ppp2ppp/2n2n2/3pp3/1b1PP3/2N2N2/PPP2PPP/R1BQKB1R w KQkq - 0 5 NBQ",
                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 PRK",
            ],
        ),
        Variant::Cubes4d => (
            6,
            &[
                "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1",
                "e10:2r1n1q1k1g1n2b/011p1p1p10/2110112/011P1P1P10/2R1N1Q1K1G1N2B b RBrb Gg - - 1 pre",
            ],
        ),
    }
}

/// Benchmarks games; `say` gets the lines, the sum over all positions last. Ends early, without a sum, on `stop`.
pub fn run(variants: &[Variant], control: &Control, say: &mut dyn FnMut(&str)) {
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for &variant in variants {
        match with_game!(variant, G => bench::<G>(variant, control, say)) {
            Ok((more, longer)) => {
                nodes += more;
                time += longer;
            }
            Err(error) => return say(&format!("info string Error: bench: {error}")),
        }
    }
    say(&format!("{nodes} nodes {} nps", per_second(nodes, time)));
}

fn bench<G: Engine>(
    variant: Variant,
    control: &Control,
    say: &mut dyn FnMut(&str),
) -> Result<(u64, Duration), String> {
    let (depth, fens) = positions(variant);
    let switches = Switches::default();
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for fen in fens {
        let position = G::from_fen(fen, &switches)
            .map_err(|error| error.to_string())?
            .position;
        let table = Table::new(16).map_err(|error| error.to_string())?;
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        let start = Instant::now();
        let answer = G::search(
            &Game::new(position, switches),
            &limits,
            &Settings::default(),
            &table,
            control,
            &mut |_| {},
        );
        if control.is_stopped() {
            return Err("stopped".to_owned());
        }
        let elapsed = start.elapsed();
        say(&format!(
            "info string {variant} {} nodes {} ms {fen}",
            answer.nodes,
            elapsed.as_millis()
        ));
        nodes += answer.nodes;
        time += elapsed;
    }
    Ok((nodes, time))
}
