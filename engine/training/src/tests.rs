//! Tests of all steps together, on tiny data.

use crate::Cli;
use crate::data::{Block, DataError, Head, Reader, Writer};
use crate::dataset::{Dataset, is_held_out};
use crate::game::{GameName, Odds, OnBoard, PoolRule, Trainable};
use crate::network::{Layout, Pass};
use crate::optimiser::{Loss, fitted_odds};
use crate::quantised::{folded, sums_fit};
use crate::random::Random;
use crate::record::{GameResult, Packed, Record, Verdict};
use crate::schedule::Schedule;
use crate::selfplay::{self, Play};
use crate::train::{Learned, Train};
use crate::views::Views;
use clap::Parser;
use fauve_engine::core::Color;
use fauve_engine::eval::network::features::{View, bucket};
use fauve_engine::eval::network::{HasNetwork, IncrementalFeatures, Parameters};
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::cubes::{Cubes4d as Cubes, Options as CubesOptions};
use fauve_engine::rules::superchess::Superchess;
use fauve_engine::rules::twomove::TwoMove;
use fauve_engine::rules::{Game, Notation, Rules, legal_steps};
use fauve_engine::search::Table;
use std::path::Path;

const PLAY: Play = Play {
    nodes: 60,
    pool: PoolRule::Mixed,
    network: None,
};

fn table() -> Table {
    Table::new(1).expect("a small table")
}

/// Calls `look` with the positions of random games.
fn walk<G: Trainable>(games: u64, mut look: impl FnMut(&Game<G>)) {
    for n in 0..games {
        let mut random = Random::new(9, n);
        let mut game = G::start_of_game(&mut random, PoolRule::Mixed);
        for _ in 0..150 {
            if game.outcome().is_some() {
                break;
            }
            look(&game);
            let legal = legal_steps(game.position());
            game.play(legal[random.below(legal.len())]);
        }
    }
}

/// A record restores its position, except for the turn number.
fn records_hold_positions<G: OnBoard + Notation>() {
    let mut promoted = 0;
    walk::<G>(40, |game| {
        let record = G::record(game);
        assert_eq!(Record::unpack(&record.pack()), record);
        promoted += record.promoted.len();
        let position = G::of_record(&record.pack()).expect("a position");
        assert_eq!(
            position.key(),
            game.position().key(),
            "{}",
            game.position().fen()
        );
        let number = |fen: &str| fen.rsplit_once(' ').map(|(rest, _)| rest.to_owned());
        assert_eq!(number(&position.fen()), number(&game.position().fen()));
    });
    assert!(
        promoted > 0 || G::POOL.is_empty(),
        "no promoted piece was met"
    );
}

#[test]
fn records_hold_positions_of_chess() {
    records_hold_positions::<Chess>();
}

#[test]
fn records_hold_positions_of_superchess() {
    records_hold_positions::<Superchess>();
}

/// Of two pawns that can be captured en passant, a record keeps one.
#[test]
fn records_hold_positions_of_two_move_chess() {
    let mut held = 0;
    walk::<TwoMove>(40, |game| {
        let position = game.position();
        if !position.is_in_play() || position.en_passant_targets().many() {
            return;
        }
        let record = TwoMove::record(game);
        assert_eq!(Record::unpack(&record.pack()), record);
        let found = TwoMove::of_record(&record.pack()).expect("a position");
        assert_eq!(found.key(), position.key(), "{}", position.fen());
        held += 1;
    });
    assert!(held > 500, "{held}");
}

/// Records of Cubes 4D restore their positions and have the same inputs.
#[test]
fn records_hold_positions_of_cubes_4d() {
    let (mut held, mut alone) = (0, 0);
    walk::<Cubes>(40, |game| {
        let position = game.position();
        if position.is_prologue() {
            return;
        }
        let record = Cubes::describe(game).expect("a record");
        let found = Cubes::of_record(&record).expect("a position");
        assert_eq!(found.key(), position.key(), "{}", position.fen());
        let views = Cubes::views_of(&record);
        let us = position.side_to_move();
        for (color, inputs) in [(us, &views.own), (!us, &views.other)] {
            let (mut wanted, mut own) = (Vec::new(), 0);
            let view = IncrementalFeatures::views(position)[color.index()];
            Cubes::each_input(&position.content(), view, |input| {
                own += 1;
                wanted.push(input as u16);
                Cubes::each_shared(input, |shared| wanted.push(shared as u16));
            });
            assert_eq!(inputs.as_slice(), wanted, "{}", position.fen());
            assert!(own <= Cubes::MAX_ACTIVE);
        }
        assert_eq!(views.bucket, Cubes::bucket(&position.content()));
        let lone = position.lone_counts() != [None; 2];
        assert_eq!(Cubes::asks_network(&record), !lone);
        held += 1;
        alone += usize::from(views.bucket == 0);
    });
    assert!(held > 3_000, "{held}");
    // Random games rarely reach these positions.
    let options = CubesOptions::default();
    for text in [
        "d10:1111Q1112/0110221k0/0201P1011/00102030/02021K012 w - Gggq - b0 33",
        "d10:1111Q1112/0110221k0/0201P1011/00102030/02021K012 b - GGgq - b7 33",
    ] {
        let parsed = Cubes::from_fen(text, &options).expect("a position");
        let game = Game::new(parsed.position, options);
        let record = Cubes::describe(&game).expect("a record");
        let found = Cubes::of_record(&record).expect("a position");
        assert_eq!(found.key(), game.position().key());
        assert!(!Cubes::asks_network(&record));
        alone += usize::from(Cubes::views_of(&record).bucket == 0);
    }
    assert!(alone >= 2);
}

/// A network has the same values after the training-only inputs are folded into the others.
#[test]
fn what_inputs_share_ends_up_in_them() {
    const H: usize = 32;
    let layout = Layout {
        inputs: Cubes::INPUTS + Cubes::SHARED,
        hidden: H,
    };
    let weights = layout.first_weights(4);
    let (sums, plain) = folded::<Cubes>(&weights, layout);
    let mut compared = 0;
    walk::<Cubes>(2, |game| {
        if game.position().is_prologue() {
            return;
        }
        let views = Cubes::views_of(&Cubes::describe(game).expect("a record"));
        let mut fewer = views.clone();
        for list in [&mut fewer.own, &mut fewer.other] {
            list.retain(|input| usize::from(*input) < Cubes::INPUTS);
        }
        assert!(fewer.own.len() + 40 < views.own.len());
        let with = Pass::<H>::forward(&weights, layout, &views).value;
        let without = Pass::<H>::forward(&sums, plain, &fewer).value;
        assert!((with - without).abs() < 1e-3, "{with}, {without}");
        compared += 1;
    });
    assert!(compared > 100, "{compared}");
}

/// Any bytes unpack to some record, and invalid ones give no position.
#[test]
fn forged_records_do_no_harm() {
    let mut random = Random::new(3, 0);
    for _ in 0..20_000 {
        let bytes: Packed = std::array::from_fn(|_| random.below(256) as u8);
        let _ = Chess::of_record(&bytes);
        let _ = Superchess::of_record(&bytes);
        let _ = TwoMove::of_record(&bytes);
        let _ = Cubes::of_record(&bytes);
        let _ = Cubes::views_of(&bytes);
    }
}

/// Every position is quiet where required, none occurs twice, and the results are consistent.
fn games_are_worth_learning_from<G: Trainable>() {
    let table = table();
    let (mut positions, mut results) = (0, [0; 4]);
    for id in 0..16 {
        let records = selfplay::play::<G>(&PLAY, 5, id, &table);
        let again = selfplay::play::<G>(&PLAY, 5, id, &table);
        assert_eq!(records, again, "a game depends on what was played before");
        let mut keys = Vec::new();
        let mut winner = None;
        for record in &records {
            let position = G::of_record(record).expect("a position");
            assert!(!G::QUIET_ONLY || !position.in_check());
            assert!(!keys.contains(&position.key()));
            keys.push(position.key());
            let Verdict { side, result, .. } = Verdict::of(record);
            results[result as usize] += 1;
            let won = match result {
                GameResult::Win => Some(side),
                GameResult::Loss => Some(!side),
                GameResult::Draw | GameResult::Open => continue,
            };
            assert!(winner.is_none_or(|old| Some(old) == won));
            winner = won;
        }
        positions += records.len();
    }
    assert!(positions > 200, "{positions}");
    // Draws are rare in Superchess.
    let [lost, _, won, open] = results;
    assert!(lost > 0 && won > 0 && open > 0, "{results:?}");
    let other = selfplay::play::<G>(&PLAY, 6, 0, &table);
    assert_ne!(other, selfplay::play::<G>(&PLAY, 5, 0, &table));
}

#[test]
fn games_of_chess_are_worth_learning_from() {
    games_are_worth_learning_from::<Chess>();
}

#[test]
fn games_of_superchess_are_worth_learning_from() {
    games_are_worth_learning_from::<Superchess>();
}

#[test]
fn games_of_two_move_chess_are_worth_learning_from() {
    games_are_worth_learning_from::<TwoMove>();
}

fn head() -> Head {
    Head {
        game: "chess".to_owned(),
        seed: 7,
        shard: 1,
        shards: 2,
        nodes: 60,
        pool: PoolRule::Mixed,
        engine: 1,
        dice: None,
    }
}

fn blocks() -> Vec<Block> {
    let table = table();
    (0..3)
        .map(|id| Block::new(id, &selfplay::play::<Chess>(&PLAY, 7, id, &table)))
        .collect()
}

fn write(path: &Path, blocks: &[Block]) {
    let mut writer = Writer::open(path, &head()).expect("a writer");
    for block in blocks {
        writer.add(block).expect("room on the disk");
    }
}

/// However a run is killed, the next one continues after the last complete game, and the file comes out the same.
#[test]
fn killed_runs_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, cut) = (folder.path().join("whole"), folder.path().join("cut"));
    let blocks = blocks();
    write(&whole, &blocks);
    let bytes = std::fs::read(&whole).expect("the file");
    for length in (0..bytes.len()).step_by(101) {
        std::fs::write(&cut, &bytes[..length]).expect("a cut file");
        let games = Writer::open(&cut, &head()).expect("a writer").games as usize;
        write(&cut, &blocks[games..]);
        assert_eq!(
            std::fs::read(&cut).expect("the file"),
            bytes,
            "cut at {length}"
        );
    }
    let (found, mut reader) = Reader::open(&whole).expect("a data file");
    assert_eq!(found, head());
    for block in &blocks {
        let read = reader.next().expect("a whole file").expect("a game");
        assert_eq!((read.id, &read.records), (block.id, &block.records));
    }
    assert!(reader.next().expect("a whole file").is_none());
}

#[test]
fn files_of_other_runs_are_refused_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    write(&path, &blocks());
    let bytes = std::fs::read(&path).expect("the file");
    let other = Head {
        engine: 2,
        ..head()
    };
    assert!(matches!(
        Writer::open(&path, &other),
        Err(DataError::OtherSettings { .. })
    ));
    let held = Writer::open(&path, &head()).expect("a writer");
    assert!(matches!(
        Writer::open(&path, &head()),
        Err(DataError::Locked)
    ));
    drop(held);
    assert_eq!(std::fs::read(&path).expect("the file"), bytes);

    // A flipped bit in the first game.
    let mut damaged = bytes.clone();
    damaged[300] ^= 1;
    std::fs::write(&path, &damaged).expect("a damaged file");
    assert!(matches!(
        Writer::open(&path, &head()),
        Err(DataError::Damaged(_))
    ));
    assert_eq!(std::fs::read(&path).expect("the file"), damaged);

    for (text, is_head) in [
        ("not a data file at all", false),
        ("FAUVEGM1\u{4}\0\0\0null", true),
    ] {
        std::fs::write(&path, text).expect("another file");
        let error = Writer::open(&path, &head()).err();
        assert!(match error {
            Some(DataError::NotData) => !is_head,
            Some(DataError::Head) => is_head,
            _ => false,
        });
        assert_eq!(std::fs::read(&path).expect("the file"), text.as_bytes());
    }
}

/// Some records of chess.
pub fn some_records() -> impl Iterator<Item = Record> {
    blocks().into_iter().flat_map(|block| {
        let packed = block.records().expect("records of a board of 64 squares");
        packed.iter().map(Record::unpack).collect::<Vec<_>>()
    })
}

/// The inputs of a record are those of its position in the engine.
fn records_have_the_inputs_of_their_positions<G: OnBoard>() {
    walk::<G>(20, |game| {
        let position = game.position();
        let views = Views::of::<G>(&G::record(game));
        let us = position.side_to_move();
        for (perspective, found) in [(us, &views.own), (!us, &views.other)] {
            let mut wanted = Vec::new();
            View::of(position, perspective).for_each(position, |input| wanted.push(input as u16));
            assert_eq!(found.as_slice(), wanted, "{}", position.fen());
        }
        assert_eq!(views.bucket, bucket(position.occupied().len() as usize));
    });
}

#[test]
fn records_of_chess_have_the_inputs_of_their_positions() {
    records_have_the_inputs_of_their_positions::<Chess>();
}

#[test]
fn records_of_superchess_have_the_inputs_of_their_positions() {
    records_have_the_inputs_of_their_positions::<Superchess>();
}

#[test]
fn records_of_two_move_chess_have_the_inputs_of_their_positions() {
    records_have_the_inputs_of_their_positions::<TwoMove>();
}

/// The gradient is the derivative of the loss, weight by weight.
#[test]
fn the_gradient_is_the_derivative() {
    const H: usize = 32;
    let layout = Layout {
        inputs: Chess::INPUTS,
        hidden: H,
    };
    let mut weights = layout.first_weights(4);
    // Large weights, so that some neurons are clipped on either side.
    weights[layout.rows()].iter_mut().for_each(|w| *w *= 2.0);
    let record = some_records().nth(20).expect("a record");
    let views = Views::of::<Chess>(&record);
    let pass = Pass::<H>::forward(&weights, layout, &views);
    let mut gradient = vec![0.0; layout.len()];
    pass.backward(&weights, &mut gradient, layout, &views, 1.0);
    let (mut checked, mut zero) = (0, 0);
    let mut random = Random::new(1, 1);
    let firsts = [
        usize::from(views.own[3]) * H,
        usize::from(views.other[7]) * H,
        layout.hidden_biases().start,
        layout.outputs().start + views.bucket * 2 * H,
        layout.outputs().start + views.bucket * 2 * H + H,
        layout.output_biases().start + views.bucket,
        random.below(layout.len() - H),
    ];
    for at in firsts
        .into_iter()
        .flat_map(|first| first..(first + H).min(layout.len()))
    {
        const STEP: f32 = 1e-3;
        let mut moved = |by: f32| {
            let old = weights[at];
            weights[at] = old + by;
            let value = Pass::<H>::forward(&weights, layout, &views).value;
            weights[at] = old;
            value
        };
        let slope = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
        assert!(
            (slope - gradient[at]).abs() < 0.01,
            "weight {at}: {slope} and {}",
            gradient[at]
        );
        checked += 1;
        zero += usize::from(gradient[at] == 0.0);
    }
    assert!(checked > 150 && zero > 20 && checked - zero > 50);
}

fn dataset<G: Trainable>(games: u64) -> Dataset {
    let table = table();
    let mut set = Dataset::default();
    for id in 0..games {
        let records = selfplay::play::<G>(&PLAY, 8, id, &table);
        if id % 5 == 0 {
            set.held_out.extend(records);
        } else {
            set.training.extend(records);
        }
    }
    set
}

fn schedule(game: GameName) -> Train {
    Train {
        game,
        data: Vec::new(),
        out: "none".into(),
        curve: None,
        hidden: 32,
        schedule: Schedule {
            epochs: 10,
            batch: 200,
            rate: 0.01,
            decay: 0.4,
            seed: 3,
            start: None,
            threads: None,
        },
        lambda: 0.8,
        odds: Odds::default(),
        loss: Loss::Squared,
    }
}

#[test]
fn odds_are_fitted_to_results() {
    let verdicts = |won: usize, lost: usize| {
        let of = |result| Verdict {
            score: 200,
            side: Color::White,
            result,
        };
        [
            vec![of(GameResult::Win); won],
            vec![of(GameResult::Loss); lost],
        ]
        .concat()
    };
    // 200 centipawns multiply the odds by 3.
    let fitted = fitted_odds(&verdicts(3, 1)).unwrap();
    assert!((fitted - 200.0 / 3f32.ln()).abs() < 0.5, "{fitted}");
    // An advantage that always wins, or loses more often than it wins, says nothing.
    assert_eq!(fitted_odds(&verdicts(4, 0)), None);
    assert_eq!(fitted_odds(&verdicts(1, 3)), None);
}

/// Training also improves the prediction of held-out positions, the integers agree with the trained numbers, and the same
/// data and seed give the same bytes with any number of threads.
#[test]
fn training_learns() {
    // So many that it generalises whichever network plays the games: with 150 games it hangs on the network.
    let data = dataset::<Superchess>(500);
    let mut train = schedule(GameName::Superchess);
    train.schedule.epochs = 5;
    let Learned {
        parameters: network,
        losses,
        rounding,
    } = train.learn::<Superchess>(&data).expect("a network");
    assert!(rounding.0 < 1.0 && rounding.1 < 3.0, "{rounding:?}");
    let (first, last) = (losses[0], losses[losses.len() - 1]);
    assert!(last.training < 0.5 * first.training, "{losses:?}");
    assert!(last.held_out < 0.9 * first.held_out, "{losses:?}");

    let read = Parameters::<Superchess>::from_bytes(&network.to_bytes()).expect("our own file");
    assert!(sums_fit(&read));
    assert_eq!(read.origin().positions, data.training.len() as u64);
}

/// Data, seed and settings determine the network, whatever the number of threads.
#[test]
fn training_repeats() {
    let data = dataset::<Superchess>(60);
    let mut train = schedule(GameName::Superchess);
    train.schedule.epochs = 1;
    let run = |threads, train: &Train| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads")
            .install(|| train.learn::<Superchess>(&data).expect("a network"))
            .parameters
            .to_bytes()
    };
    let [one, three] = [1, 3].map(|threads| run(threads, &train));
    assert_eq!(one, three);
    train.schedule.seed = 4;
    assert_ne!(run(1, &train), one);
}

/// A network that starts from another one equals it at a learning rate of zero, and soon exceeds one that starts from
/// random weights.
#[test]
fn training_goes_on_from_a_network() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("start.nn");
    let data = dataset::<Chess>(100);
    let learn = |train: &Train| train.learn::<Chess>(&data);
    let mut train = schedule(GameName::Chess);
    let first = learn(&train).expect("a network");
    std::fs::write(&path, first.parameters.to_bytes()).expect("a file");
    train.schedule.epochs = 1;
    let fresh = learn(&train).expect("a network");
    train.schedule.start = Some(path.clone());
    train.schedule.rate = 1e-9;
    let same = learn(&train).expect("a network").parameters;
    assert_eq!(same.weights(), first.parameters.weights());
    assert_eq!(same.biases(), first.parameters.biases());
    assert_eq!(same.output(), first.parameters.output());
    assert_eq!(same.output_biases(), first.parameters.output_biases());
    train.schedule.rate = 0.001;
    let next = learn(&train).expect("a network");
    assert!(next.losses[0].training < 0.9 * fresh.losses[0].training);

    // A wider one has the same values at first, and its new neurons learn.
    train.hidden = 64;
    train.schedule.rate = 1e-9;
    let wide = learn(&train).expect("a network").parameters;
    for (wide, narrow) in [
        (wide.weights(), first.parameters.weights()),
        (wide.biases(), first.parameters.biases()),
        (wide.output(), first.parameters.output()),
    ] {
        let rows = wide.chunks_exact(64).zip(narrow.chunks_exact(32));
        assert!(rows.clone().all(|(wide, narrow)| wide[..32] == *narrow));
        assert_eq!(rows.len(), narrow.len() / 32);
    }
    assert!(
        wide.output()
            .chunks_exact(64)
            .all(|row| row[32..] == [0; 32])
    );
    train.schedule.rate = 0.01;
    let wide = learn(&train).expect("a network");
    assert!(wide.losses[0].training < 0.9 * fresh.losses[0].training);
    assert!(
        wide.parameters
            .output()
            .chunks_exact(64)
            .any(|row| row[32..] != [0; 32])
    );
    std::fs::write(&path, wide.parameters.to_bytes()).expect("a file");
    train.hidden = 32;
    assert!(learn(&train).is_err(), "more neurons");
    std::fs::write(&path, &first.parameters.to_bytes()[1..]).expect("a file");
    assert!(learn(&train).is_err(), "no network");
}

#[test]
fn odd_shapes_are_refused() {
    let data = dataset::<Chess>(2);
    for hidden in [0, 31, 48, 288] {
        let train = Train {
            hidden,
            ..schedule(GameName::Chess)
        };
        assert!(train.learn::<Chess>(&data).is_err());
    }
}

/// Files are read whole, held-out games are not trained on, data of another game is refused, and a curve is drawn.
#[test]
fn commands_work_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    let blocks: Vec<_> = {
        let table = table();
        (0..150)
            .map(|id| {
                let play = Play { nodes: 10, ..PLAY };
                Block::new(2 * id, &selfplay::play::<Chess>(&play, 7, 2 * id, &table))
            })
            .collect()
    };
    write(&path, &blocks);
    let set = Dataset::read::<Chess>(std::slice::from_ref(&path)).expect("data");
    let all: usize = blocks.iter().map(|block| block.positions).sum();
    assert_eq!(set.training.len() + set.held_out.len(), all);
    let games: Vec<_> = blocks
        .iter()
        .filter(|block| is_held_out(7, block.id))
        .collect();
    assert!(!games.is_empty());
    for (game, range) in games.iter().zip(&set.held_out_games) {
        assert_eq!(
            game.records().expect("records"),
            &set.held_out[range.clone()]
        );
    }
    assert!(Dataset::read::<Superchess>(std::slice::from_ref(&path)).is_err());

    let out = folder.path().join("chess.nn");
    let run = |words: &str| {
        let words = words
            .replace("DATA", &path.display().to_string())
            .replace("OUT", &out.display().to_string());
        crate::run(Cli::try_parse_from(words.split(' ')).expect("a command line"))
    };
    run("fauve-training train chess DATA --out OUT --hidden 32 --epochs 2 --batch 500")
        .expect("a network");
    let bytes = std::fs::read(&out).expect("the network");
    Parameters::<Chess>::from_bytes(&bytes).expect("our own file");
    let curve = std::fs::read_to_string(out.with_extension("svg")).expect("the curve");
    assert!(curve.starts_with("<svg") && curve.contains("held out"));

    run("fauve-training measure chess DATA --network OUT --plot OUT.svg").expect("figures");
    let plot = std::fs::read_to_string(folder.path().join("chess.nn.svg")).expect("the plot");
    assert!(plot.starts_with("<svg") && plot.contains("engine") && plot.contains("perfect"));
    assert!(run("fauve-training measure superchess DATA --network OUT").is_err());
    assert!(run("fauve-training measure chess DATA --network DATA").is_err());
    // Existing games are not played again, and new ones are appended.
    let more = folder.path().join("more");
    let generate = |games: u64| {
        let words = format!(
            "fauve-training generate chess --nodes 10 --seed 3 --games {games} --shard 2/3 --out {}",
            more.display()
        );
        run(&words).expect("games");
        std::fs::read(&more).expect("the file")
    };
    let (first, again, longer) = (generate(3), generate(3), generate(5));
    assert!(first == again && longer.len() > first.len() && longer.starts_with(&first));
    let (_, mut reader) = Reader::open(&more).expect("a data file");
    let ids: Vec<_> = std::iter::from_fn(|| reader.next().expect("a whole file"))
        .map(|block| block.id)
        .collect();
    assert_eq!(ids, [1, 4, 7, 10, 13]);
}

/// All games of a folder come nearer to their goals in turn, a run that was ended goes on in the same files, and another
/// engine's games go into files of their own.
#[test]
fn a_folder_is_filled_in_turn() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display();
    let run =
        |words: &str| crate::run(Cli::try_parse_from(words.split(' ')).expect("a command line"));
    let collect = |portion: u32, goals: &str| {
        run(&format!(
            "fauve-training collect {path} --portion {portion} {goals}"
        ))
        .expect("games");
    };
    let positions = |name: &str| {
        let (_, mut reader) = Reader::open(&folder.path().join(name)).expect("a data file");
        let blocks = std::iter::from_fn(|| reader.next().expect("a whole file"));
        blocks.map(|block| block.positions).sum::<usize>()
    };
    let reaches = |name: &str, goal: usize| {
        let found = positions(name);
        assert!((goal..goal + 400).contains(&found), "{name}: {found}");
    };
    collect(30, "--goal chess=60 --goal dicechess=40");
    reaches("chess-1.data", 60);
    reaches("dicechess-1.data", 40);
    let before = std::fs::read(folder.path().join("chess-1.data")).expect("the file");
    collect(1000, "--goal chess=600 --goal dicechess=40");
    reaches("chess-1.data", 600);
    let after = std::fs::read(folder.path().join("chess-1.data")).expect("the file");
    assert!(after.starts_with(&before));

    let path_of_other = folder.path().join("chess-7.data");
    let mut other = Writer::open(
        &path_of_other,
        &Head {
            seed: 7,
            shards: 1,
            ..head()
        },
    )
    .expect("a writer");
    other.add(&blocks()[0]).expect("room on the disk");
    drop(other);
    let others = positions("chess-7.data");
    std::fs::remove_file(folder.path().join("chess-1.data")).expect("the file");
    collect(1000, &format!("--goal chess={}", others + 30));
    assert_eq!(positions("chess-7.data"), others);
    reaches("chess-8.data", 30);
    // A file whose writer was killed within its head is begun again.
    for length in [0, 5, 10, 40] {
        std::fs::write(folder.path().join("chess-8.data"), &before[..length]).expect("a file");
        collect(1000, &format!("--goal chess={}", others + 30));
        reaches("chess-8.data", 30);
    }
    run(&format!("fauve-training list {path}")).expect("a table");
    assert!(run(&format!("fauve-training list {path}/none")).is_err());
    for goal in ["go=5", "chess=many", "chess"] {
        let words = format!("fauve-training collect {path} --goal {goal}");
        assert!(Cli::try_parse_from(words.split(' ')).is_err(), "{goal}");
    }
}

#[test]
fn start_positions_of_cubes_4d_vary() {
    let mut fens = std::collections::HashSet::new();
    for n in 0..300 {
        let game = Cubes::start_of_game(&mut Random::new(1, n), PoolRule::Mixed);
        assert!(game.position().is_in_play());
        fens.insert(game.position().fen());
    }
    assert!(fens.len() > 150, "{} arrays", fens.len());
}

#[test]
fn games_of_cubes_4d_are_worth_learning_from() {
    games_are_worth_learning_from::<Cubes>();
}

#[test]
fn start_positions_vary() {
    let mut fens = std::collections::HashSet::new();
    for n in 0..500 {
        let game = Superchess::start_of_game(&mut Random::new(1, n), PoolRule::Mixed);
        assert!(game.position().is_in_play());
        fens.insert(game.position().fen());
    }
    assert!(fens.len() > 250, "{} arrays", fens.len());
}
