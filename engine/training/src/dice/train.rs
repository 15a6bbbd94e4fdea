//! Trains a network for DiceChess on the results of games.

use super::file::read;
use super::network_of;
use super::position::Record;
use crate::chart::draw_losses;
use crate::dataset::{HELD_OUT, is_held_out};
use crate::optimiser::{Example, Goal, Loss, sigmoid};
use crate::quantised::{fitting, write_network};
use crate::random::Random;
use crate::schedule::Schedule;
use crate::views::Views;
use anyhow::{Result, ensure};
use clap::Args;
use fauve_engine::eval::Evaluate;
use fauve_engine::eval::dice::attacks;
use fauve_engine::eval::network::{HasNetwork, Network};
use fauve_engine::rules::dice::DiceChess;
use rayon::prelude::*;
use std::path::PathBuf;

/// Train a network for DiceChess on games from `dice-generate`.
#[derive(Args, Clone, Debug)]
pub struct Train {
    /// Files written by `dice-generate`
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Output file of the network
    #[arg(long)]
    out: PathBuf,
    /// Output file of the loss curve, as SVG [default: beside the network]
    #[arg(long)]
    curve: Option<PathBuf>,
    /// Hidden neurons of each perspective: a multiple of 32 from 32 to 256
    #[arg(long, default_value_t = 32)]
    hidden: usize,
    /// Train on about one position in this number of each game, because neighbouring positions are similar
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Network whose values of later positions contribute to the target (temporal differences)
    #[arg(long)]
    teacher: Option<PathBuf>,
    /// With a teacher, the weight of later positions in the target: 1 is the result alone, 0 the teacher's value of the
    /// next position
    #[arg(long, default_value_t = 0.8)]
    lambda: f32,
    #[command(flatten)]
    schedule: Schedule,
}

/// A position before a roll, with the parts of its value that do not depend on the network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lost {
    record: Record,
    /// Number of the 216 throws that capture the king.
    throws: u8,
    /// Value of the attacks of the side that rolls, in centipawns.
    attacks: i16,
    /// Target probability, 0 to 1.
    target: f32,
}

impl Lost {
    pub fn new(record: Record) -> Option<Self> {
        let position = record.position()?;
        Some(Self {
            record,
            target: record.points(),
            throws: u8::try_from(position.king_capture()).ok()?,
            attacks: i16::try_from(attacks(&position)).ok()?,
        })
    }

    fn king(&self) -> f32 {
        f32::from(self.throws) / 216.0
    }

    /// The winning probability of a network value, and the share of it that the network decides.
    fn chance(&self, value: f32) -> (f32, f32) {
        let rest = sigmoid(value + f32::from(self.attacks) / DiceChess::SCALE as f32);
        (self.king() + (1.0 - self.king()) * rest, rest)
    }

    /// Winning probability by the engine's own evaluation.
    pub fn at_present(&self) -> Option<f32> {
        let value = f64::from(self.record.position()?.evaluate());
        Some((1.0 / (1.0 + 10f64.powf(-value / 400.0))) as f32)
    }

    /// Winning probability by a network of the engine.
    pub fn by(&self, network: &Network<DiceChess>) -> Option<f32> {
        let value = network.evaluate(&self.record.position()?);
        Some(self.chance(value as f32 / DiceChess::SCALE as f32).0)
    }
}

impl Example<DiceChess> for Lost {
    #[inline]
    fn views(&self) -> Views {
        Views::of_pieces::<DiceChess>(self.record.side(), self.record.pieces())
    }

    /// The log loss of `c + (1 - c) sigmoid(value)`, where `c` is the probability of capturing the king.
    #[inline]
    fn loss(&self, value: f32, _: Goal) -> (f32, f32) {
        let (chance, rest) = self.chance(value);
        let chance = chance.clamp(1e-6, 1.0 - 1e-6);
        let loss = log_loss(chance, self.target);
        (loss, (chance - self.target) * rest / chance)
    }
}

impl Train {
    /// Runs the command.
    ///
    /// # Errors
    /// If data cannot be read, or the network cannot be written.
    pub fn run(&self) -> Result<()> {
        ensure!(self.every > 0, "one position in 0");
        ensure!((0.0..=1.0).contains(&self.lambda), "lambda is not in 0..1");
        self.schedule.with_threads(|| self.train())
    }

    /// Sets the targets of a game's positions to lambda-returns of temporal differences (Sutton, "Learning to predict by
    /// the methods of temporal differences", Machine Learning 3, 1988): the result, mixed with the teacher's values of the
    /// positions between.
    fn look_ahead(&self, game: &mut [Lost], teacher: &Network<DiceChess>) {
        let mut later: Option<f32> = None;
        for example in game.iter_mut().rev() {
            if let Some(later) = later {
                example.target = later;
            }
            let value = example.by(teacher).unwrap_or(example.target);
            later = Some(1.0 - (self.lambda * example.target + (1.0 - self.lambda) * value));
        }
    }

    fn train(&self) -> Result<()> {
        let teacher = network_of(self.teacher.as_deref())?;
        let teacher = teacher.as_ref();
        let (mut training, mut held_out) = (Vec::new(), Vec::new());
        for path in &self.data {
            let (head, games) = read(path)?;
            let name = path.display();
            say!("{name}: {} games", games.len());
            let parts: Vec<(bool, Vec<Lost>)> = games
                .par_iter()
                .map(|game| {
                    let mut random = Random::new(self.schedule.seed, game.id);
                    let held_out = is_held_out(head.seed, game.id);
                    let records = game.records.iter();
                    let mut examples: Vec<_> = records.filter_map(|&one| Lost::new(one)).collect();
                    if let Some(teacher) = teacher
                        && !held_out
                    {
                        self.look_ahead(&mut examples, teacher);
                    }
                    examples.retain(|_| random.one_in(self.every));
                    (held_out, examples)
                })
                .collect();
            for (out, examples) in parts {
                if out { &mut held_out } else { &mut training }.extend(examples);
            }
        }
        ensure!(
            !training.is_empty() && !held_out.is_empty(),
            "too few games: one in {HELD_OUT} is held out"
        );
        say!(
            "{} positions to learn from, {} held out",
            training.len(),
            held_out.len()
        );
        say!(
            "log loss of the engine's evaluation, held out: {:.6}",
            mean_loss(&held_out, Lost::at_present)
        );
        self.learn(&training, &held_out)
    }

    fn learn(&self, training: &[Lost], held_out: &[Lost]) -> Result<()> {
        let (learner, losses) = self.schedule.run::<DiceChess, Lost>(
            self.hidden,
            training,
            held_out,
            (0.0, Loss::Log, DiceChess::SCALE as f32),
        )?;
        let origin = self.schedule.origin(training.len());
        let parameters = fitting::<DiceChess>(&learner.weights, learner.layout, origin)?;
        let network = Network::new(&parameters);
        say!(
            "log loss of the engine's integers, held out: {:.6}",
            mean_loss(held_out, |example| example.by(&network))
        );
        write_network(&parameters, &self.out)?;
        draw_losses(&self.out, self.curve.as_deref(), &losses)
    }
}

/// Mean log loss of predicted probabilities on examples.
fn mean_loss(examples: &[Lost], chance: impl Fn(&Lost) -> Option<f32> + Sync) -> f64 {
    let losses = examples.par_iter().filter_map(|example| {
        Some(f64::from(log_loss(
            chance(example)?,
            example.record.points(),
        )))
    });
    losses.sum::<f64>() / examples.len() as f64
}

/// Log loss of a probability against the points of a game.
fn log_loss(chance: f32, points: f32) -> f32 {
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    -points * chance.ln() - (1.0 - points) * (1.0 - chance).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use crate::quantised::sums_fit;
    use clap::Parser;
    use fauve_engine::eval::network::Parameters;
    use fauve_engine::rules::Notation;
    use fauve_engine::rules::dice::Options;
    use std::path::Path;

    /// A queen's die captures the king, an enemy rook is attacked, and the target lies between the results.
    fn example(result: u8, target: f32) -> Lost {
        let fen = "k6r/8/8/8/8/8/7Q/QK6 w - - 0 1";
        let parsed = DiceChess::from_fen(fen, &Options::default()).unwrap();
        let example = Lost::new(Record::new(&parsed.position, result)).unwrap();
        assert!(example.throws >= 91 && example.attacks > 0);
        assert!(example.at_present().unwrap() > 0.5);
        Lost { target, ..example }
    }

    #[test]
    fn the_slope_is_the_derivative_of_the_loss() {
        let goal = Goal {
            lambda: 0.0,
            loss: Loss::Log,
            odds: DiceChess::SCALE as f32,
            decay: 0.0,
        };
        for (result, target) in [(0, 0.0), (2, 1.0), (1, 0.5), (2, 0.8)] {
            let example = example(result, target);
            for value in [-3.0, -0.5, 0.0, 0.7, 2.5] {
                let (_, slope) = example.loss(value, goal);
                let [more, less] =
                    [value + 0.01, value - 0.01].map(|value| example.loss(value, goal).0);
                let expected = (more - less) / 0.02;
                assert!((slope - expected).abs() < 2e-3, "{slope} {expected}");
            }
        }
    }

    #[test]
    fn games_become_a_network_and_a_teacher() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        crate::dice::tests::generate(5, 120, Path::new(&path("data")));
        let run = |more: &str| {
            let words = format!(
                "fauve-training dice-train {} --epochs 2 --batch 200 --threads 1 {more}",
                path("data")
            );
            crate::run(Cli::try_parse_from(words.split_whitespace()).unwrap())
        };
        run(&format!("--out {}", path("one"))).unwrap();
        run(&format!(
            "--out {} --teacher {} --lambda 0.5",
            path("two"),
            path("one")
        ))
        .unwrap();
        let bytes = ["one", "two"].map(|name| std::fs::read(path(name)).unwrap());
        assert_ne!(bytes[0], bytes[1]);
        for bytes in &bytes {
            let network = Parameters::<DiceChess>::from_bytes(bytes).unwrap();
            assert!(sums_fit(&network) && network.origin().positions > 100);
        }
        assert!(
            run(&format!(
                "--out {} --teacher {}",
                path("three"),
                path("data")
            ))
            .is_err()
        );
        assert!(run(&format!("--out {} --every 0", path("three"))).is_err());
        assert!(run(&format!("--out {} --lambda 1.5", path("three"))).is_err());
    }
}
