//! What a tuner knows, and the file that keeps it.

use crate::input::read_whole;
use crate::record::Header;
use crate::record::save::save;
use crate::tuning::spsa::Schedule;
use fauve_engine::core::zobrist::splitmix;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The version of the file's format.
const FORMAT: u32 = 1;

/// Everything that determines what is found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The conditions of the games; its players are the two settings that meet.
    pub games: Header,
    /// What is tuned, and how.
    pub schedule: Schedule,
}

/// Progress of a tuner.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    format: u32,
    /// What it works on.
    pub settings: Settings,
    /// Number of pairs that are played and learnt from.
    pub pairs: u64,
    /// The values of the parameters.
    pub values: Vec<f64>,
    /// Numbers of games that the first setting of a pair has won, drawn and lost.
    pub games: [u64; 3],
}

/// The file: the state and its checksum.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checksummed {
    check: String,
    state: State,
}

/// Why a tuner cannot be resumed from a file, which is left unchanged.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The file is not the state of a tuner, or it is damaged.
    #[error("{}: it is not the state of a tuner, or damaged, and stays as it is ({reason})", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The file is the state of a tuner with other settings.
    #[error(
        "{}: it is the state of other settings; give the same to resume it, or another --state",
        .0.display()
    )]
    OtherSettings(PathBuf),
}

impl State {
    /// The state before the first pair.
    pub fn new(settings: Settings) -> Self {
        let parameters = &settings.schedule.parameters;
        Self {
            format: FORMAT,
            values: parameters.iter().map(|parameter| parameter.start).collect(),
            settings,
            pairs: 0,
            games: [0; 3],
        }
    }

    /// Whether there is nothing left to play.
    pub const fn is_finished(&self) -> bool {
        self.pairs >= self.settings.schedule.pairs
    }

    /// Reads a file, if there is one.
    ///
    /// # Errors
    /// When the file cannot be read, or is not as [`State::save`] wrote it.
    pub fn load(path: &Path) -> Result<Option<Self>, StateError> {
        let text = match read_whole(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let path = path.to_owned();
                return Err(StateError::System { path, error });
            }
        };
        let damaged = |reason: String| StateError::Damaged {
            path: path.to_owned(),
            reason,
        };
        let Checksummed { check, state } =
            serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        if check != state.check() {
            return Err(damaged("its checksum is wrong".to_owned()));
        }
        state
            .verify()
            .map_err(|reason| damaged(reason.to_owned()))?;
        Ok(Some(state))
    }

    /// The state from which a tuner with these settings continues: that of the file, or a new one if there is no file.
    ///
    /// # Errors
    /// When the file cannot be read or belongs to other settings.
    pub fn resume(path: &Path, settings: Settings) -> Result<Self, StateError> {
        match Self::load(path)? {
            None => Ok(Self::new(settings)),
            Some(state) if state.settings == settings => Ok(state),
            Some(_) => Err(StateError::OtherSettings(path.to_owned())),
        }
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), StateError> {
        let sealed = Checksummed {
            check: self.check(),
            state: self.clone(),
        };
        let text = serde_json::to_string_pretty(&sealed).map_err(io::Error::from);
        text.and_then(|text| save(path, format!("{text}\n").as_bytes()))
            .map_err(|error| StateError::System {
                path: path.to_owned(),
                error,
            })
    }

    /// Checksum of the state's JSON: splitmix64 chained over its bytes, as 16 hexadecimal digits.
    fn check(&self) -> String {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let sum = text
            .iter()
            .fold(0, |sum, &byte| splitmix(sum, u64::from(byte)));
        format!("{sum:016x}")
    }

    /// Whether the parts fit together, for files that were not written by this program.
    fn verify(&self) -> Result<(), &'static str> {
        let Schedule {
            parameters, pairs, ..
        } = &self.settings.schedule;
        if self.format != FORMAT {
            return Err("another version of the format");
        }
        if self.values.len() != parameters.len() {
            return Err("not a value for each parameter");
        }
        if self.pairs > *pairs || self.games.iter().sum::<u64>() != 2 * self.pairs {
            return Err("the numbers of pairs and games do not agree");
        }
        let in_range = |(value, parameter): (&f64, &crate::tuning::spsa::Tuned)| {
            (f64::from(parameter.min)..=f64::from(parameter.max)).contains(value)
        };
        if !self.values.iter().zip(parameters).all(in_range) {
            return Err("a value out of its range");
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod samples {
    use super::*;
    use crate::tuning::spsa::Tuned;

    /// Two parameters, 400 pairs.
    pub fn schedule() -> Schedule {
        let parameter = |name: &str, start, max, step| Tuned {
            name: name.to_owned(),
            start,
            min: 0,
            max,
            step,
        };
        Schedule {
            parameters: vec![
                parameter("late_base", 3.0, 30, 1.0),
                parameter("futility_base", 100.0, 600, 10.0),
            ],
            pairs: 400,
            batch: 8,
            rate: 0.02,
            seed: 7,
        }
    }

    pub fn settings() -> Settings {
        Settings {
            games: crate::record::samples::header(),
            schedule: schedule(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            Self(std::env::temp_dir().join(format!("fauve-tune-{}-{name}", std::process::id())))
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[test]
    fn a_file_gives_back_what_was_written() {
        let file = Scratch::new("back.json");
        let mut state = State::new(samples::settings());
        assert_eq!(State::load(&file.0).unwrap(), None);
        state.values = vec![0.1 + 0.2, 100.0 / 3.0];
        (state.pairs, state.games) = (3, [1, 2, 3]);
        state.save(&file.0).unwrap();
        assert_eq!(State::load(&file.0).unwrap(), Some(state.clone()));
        assert_eq!(State::resume(&file.0, samples::settings()).unwrap(), state);
    }

    #[test]
    fn a_damaged_file_is_refused_and_stays() {
        let file = Scratch::new("damaged.json");
        State::new(samples::settings()).save(&file.0).unwrap();
        let whole = std::fs::read_to_string(&file.0).unwrap();
        let cases = [
            whole[..whole.len() / 2].to_owned(),
            String::new(),
            whole.replace("100.0", "101.0"),
            whole.replace("\"pairs\": 0", "\"pairs\": 1"),
            whole.replace("\"seed\": 7", "\"seed\": 8"),
            whole.replace("\"format\": 1", "\"format\": 2"),
            whole.replace("\"check\"", "\"chuck\""),
        ];
        for damaged in cases {
            assert_ne!(damaged, whole);
            std::fs::write(&file.0, &damaged).unwrap();
            let error = State::resume(&file.0, samples::settings()).unwrap_err();
            assert!(matches!(error, StateError::Damaged { .. }), "{error}");
            assert_eq!(std::fs::read_to_string(&file.0).unwrap(), damaged);
        }
    }

    #[test]
    fn other_settings_are_refused() {
        let file = Scratch::new("other.json");
        State::new(samples::settings()).save(&file.0).unwrap();
        let mut others = [
            samples::settings(),
            samples::settings(),
            samples::settings(),
        ];
        others[0].schedule.seed += 1;
        others[1].schedule.parameters[0].step = 2.0;
        others[2].games.margin += 1;
        for other in others {
            let error = State::resume(&file.0, other).unwrap_err();
            assert!(matches!(error, StateError::OtherSettings(_)), "{error}");
        }
    }
}
