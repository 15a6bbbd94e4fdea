//! Nodes per second of the search, one thread: `cargo bench -p fauve-benches --bench search`. Compares each game's full
//! search with plain alpha-beta (no quiescence, no selectivity) at the same node limit on the same positions: the cost of a
//! node of the full search.

use criterion::{Criterion, criterion_group, criterion_main};
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::cubes::Cubes4d as Cubes;
use fauve_engine::rules::superchess::Superchess;
use fauve_engine::rules::twomove::TwoMove;
use fauve_engine::rules::{Game, Notation};
use fauve_engine::search::policy::{Exact, Full, Policy};
use fauve_engine::search::{Control, Limits, Searchable, Searcher, Settings, Table};
use paired::{compare, group};

const NODES: u64 = 100_000;

/// Nodes of a search that ends at the limit.
fn nodes<G: Searchable, P: Policy>(game: &Game<G>, table: &Table) -> u64 {
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    table.clear();
    let (settings, control) = (Settings::default(), Control::default());
    Searcher::new(table, &settings, &control)
        .run_with::<G, P>(game, &limits, &mut |_| {})
        .nodes
}

fn measure<G: Searchable + Notation>(criterion: &mut Criterion, name: &str, fen: &str) {
    let options = G::Options::default();
    let position = G::from_fen(fen, &options)
        .expect("a legal position")
        .position;
    let game = Game::new(position, options);
    let table = Table::new(16).expect("16 megabytes");
    let mut group = group(criterion, "search", 3);
    compare(
        &mut group,
        name,
        || nodes::<G, Full>(&game, &table),
        ("plain alpha-beta", || nodes::<G, Exact>(&game, &table)),
    );
    group.finish();
}

fn games(criterion: &mut Criterion) {
    measure::<Chess>(
        criterion,
        "chess",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    );
    measure::<Superchess>(
        criterion,
        "superchess",
        "evbqkbsa/pppppppp/8/8/8/8/PPPPPPPP/EVBQKBSA[NNRRnnrr] w - - 0 1",
    );
    measure::<TwoMove>(
        criterion,
        "two-move chess",
        "r1bqk2r/ppp2ppp/2n2n2/3pp3/1b1PP3/2N2N2/PPP2PPP/R1BQKB1R w KQkq - 0 5 2",
    );
    measure::<Cubes>(
        criterion,
        "cubes",
        "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1",
    );
}

criterion_group!(benches, games);
criterion_main!(benches);
