use crate::plan::schedule::Random;
use fauve_engine::rules::{Game, Notation, Roll, Rules, Turn, legal_steps};
use fauve_engine::search::{Control, Engine, Limits, Score, Searcher, Settings, Table};

/// How often a random opening is tried before the most balanced one is taken.
const ATTEMPTS: u64 = 200;
/// What the search may spend to judge a random opening.
pub(super) const JUDGEMENT_NODES: u64 = 2000;

/// A position after random turns in which neither side is much better, and which is not the end.
pub(super) fn balanced<G: Engine>(
    turns: u32,
    balance: Option<i32>,
    random: &mut Random,
    options: &G::Options,
) -> G {
    let table = balance.and_then(|_| Table::new(1).ok());
    let mut best: Option<(i32, G)> = None;
    for _ in 0..ATTEMPTS {
        let Some(game) = random_game::<G>(turns, random, options) else {
            continue;
        };
        let advantage = table.as_ref().map_or(0, |table| advantage(&game, table));
        if best.as_ref().is_none_or(|(least, _)| advantage < *least) {
            best = Some((advantage, *game.position()));
        }
        if advantage <= balance.unwrap_or(i32::MAX) {
            break;
        }
    }
    best.map_or_else(|| G::start(options), |(_, position)| position)
}

/// What a short search sees for either side, in centipawns.
pub(super) fn advantage<G: Engine>(game: &Game<G>, table: &Table) -> i32 {
    table.clear();
    let limits = Limits {
        nodes: Some(JUDGEMENT_NODES),
        ..Limits::default()
    };
    let answer = Searcher::new(table, &Settings::default(), &Control::default()).run(
        game,
        &limits,
        &mut |_| {},
    );
    match answer.score {
        Score::Cp(cp) => cp.abs(),
        Score::Mate(_) => i32::MAX,
    }
}

/// A game of random turns that has not ended.
fn random_game<G: Notation>(
    turns: u32,
    random: &mut Random,
    options: &G::Options,
) -> Option<Game<G>> {
    let mut game = Game::new(G::start(options), *options);
    for _ in 0..turns {
        if game.outcome().is_some() {
            return None;
        }
        if game.position().awaits_roll() {
            game.set_roll(random_roll(random));
        }
        for step in random_turn(game.position(), random) {
            game.play(step);
        }
    }
    game.outcome().is_none().then_some(game)
}

fn random_roll(random: &mut Random) -> Roll {
    let mut face = || random.below(6) as u8 + 1;
    Roll::new([face(), face(), face()]).expect("every face is 1 to 6")
}

/// A legal turn (the rest of it, from mid-turn), each step random among the legal ones. Empty if there is none.
pub fn random_turn<G: Rules>(position: &G, random: &mut Random) -> Turn<G::Step> {
    let mut turn = Turn::new();
    let mut position = *position;
    loop {
        let steps = legal_steps(&position);
        if steps.is_empty() {
            break;
        }
        let step = steps[random.below(steps.len())];
        position.play(step);
        turn.push(step);
        if !position.is_mid_turn() {
            break;
        }
    }
    turn
}
