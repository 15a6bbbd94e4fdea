//! Players on processors of their own: the threads of a game stay on the same processors, so that games that are played at the same time
//! do not take each other's.

use std::io;

/// Processors that cannot be given to games.
#[derive(Debug, thiserror::Error)]
pub enum AffinityError {
    /// No list of processors.
    #[error("--affinity: cannot read '{}'; write processors by their numbers, such as 0-3,8", fauve_engine::rules::printable(.0))]
    List(String),
    /// Processors that do not exist, or that the system does not give to this program.
    #[error("--affinity: processor {0} is not one that this program may use")]
    Unusable(usize),
    /// More games than processors.
    #[error("--affinity: {games} at a time with {threads} thinking in each need {needed} processors, and there are {there}",
        games = counted(*games, "game"), threads = counted(*threads, "thread"), needed = games * threads)]
    TooFew {
        /// Games at a time.
        games: usize,
        /// Threads that think at a time in a game.
        threads: usize,
        /// Processors.
        there: usize,
    },
    /// A system where it cannot be done.
    #[error("--affinity: only Linux lets the players of a match be bound to processors")]
    OtherSystem,
    /// The system's word.
    #[error("--affinity: {0}")]
    System(#[from] io::Error),
}

fn counted(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

/// The processors of a game, by their numbers in the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Processors(Vec<usize>);

impl Processors {
    /// Shares processors out: this number of threads for each of this number of games. `list` names the processors, `0-3,8`; without it all
    /// that this program may use are taken, one of each core before the second ones.
    ///
    /// # Errors
    /// Lists that cannot be read, processors that cannot be used, too few of them, and systems other than Linux.
    pub fn share_out(
        list: Option<&str>,
        games: usize,
        threads: usize,
    ) -> Result<Vec<Self>, AffinityError> {
        let usable = system::usable()?;
        let named = match list {
            None => usable,
            Some(list) => {
                let named = parse(list).ok_or_else(|| AffinityError::List(list.to_owned()))?;
                if let Some(&other) = named.iter().find(|number| !usable.contains(number)) {
                    return Err(AffinityError::Unusable(other));
                }
                named
            }
        };
        split(&named, games, threads)
    }

    /// Binds this thread, and what it starts from now on.
    ///
    /// # Errors
    /// The system's.
    pub fn bind_this_thread(&self) -> io::Result<()> {
        system::bind_this_thread(&self.0)
    }

    /// Binds all threads of a player's program, and of what it has started. Threads that end meanwhile are passed over.
    pub fn bind_group(&self, leader: u32) {
        system::bind_group(&self.0, leader);
    }
}

fn split(
    processors: &[usize],
    games: usize,
    threads: usize,
) -> Result<Vec<Processors>, AffinityError> {
    let threads = threads.max(1);
    let shares = processors.chunks_exact(threads).take(games);
    let shares: Vec<_> = shares.map(|share| Processors(share.to_vec())).collect();
    if shares.len() < games {
        return Err(AffinityError::TooFew {
            games,
            threads,
            there: processors.len(),
        });
    }
    Ok(shares)
}

/// Reads a list of processors as Linux writes it, `0-3,8`; each counts once.
fn parse(list: &str) -> Option<Vec<usize>> {
    const MOST: usize = 1 << 16;
    let mut processors = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if first > last || last >= MOST {
            return None;
        }
        for number in first..=last {
            if !processors.contains(&number) {
                processors.push(number);
            }
        }
    }
    Some(processors)
}

#[cfg(target_os = "linux")]
mod system {
    use super::{AffinityError, parse};
    use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_setaffinity};
    use std::collections::BTreeSet;
    use std::fs;
    use std::io;

    /// How often the threads of a program are looked for: one that begins while others are bound is found the next time.
    const PASSES: usize = 4;

    /// The processors that this program may use: the first of each core, then the second ones, and so on.
    pub(super) fn usable() -> Result<Vec<usize>, AffinityError> {
        let set = sched_getaffinity(None).map_err(io::Error::from)?;
        let mut usable: Vec<usize> = (0..CpuSet::MAX_CPU)
            .filter(|&number| set.is_set(number))
            .collect();
        usable.sort_by_cached_key(|&number| (place_in_core(number), number));
        Ok(usable)
    }

    /// How many processors of the same core come before this one.
    fn place_in_core(number: usize) -> usize {
        let path = format!("/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list");
        let siblings = fs::read_to_string(path).ok();
        let siblings = siblings.and_then(|list| parse(list.trim()));
        siblings.map_or(0, |siblings| {
            siblings.iter().filter(|&&other| other < number).count()
        })
    }

    fn set_of(processors: &[usize]) -> CpuSet {
        let mut set = CpuSet::new();
        for &number in processors {
            set.set(number);
        }
        set
    }

    pub(super) fn bind_this_thread(processors: &[usize]) -> io::Result<()> {
        Ok(sched_setaffinity(None, &set_of(processors))?)
    }

    pub(super) fn bind_group(processors: &[usize], leader: u32) {
        let set = set_of(processors);
        let mut bound = BTreeSet::new();
        for _ in 0..PASSES {
            let new: Vec<i32> = threads(leader)
                .into_iter()
                .filter(|&thread| bound.insert(thread))
                .collect();
            if new.is_empty() {
                return;
            }
            for thread in new {
                // One that has ended is not there any more.
                let _ = sched_setaffinity(Pid::from_raw(thread), &set);
            }
        }
    }

    /// The threads of all processes of a group.
    fn threads(leader: u32) -> Vec<i32> {
        numbers("/proc")
            .into_iter()
            .filter(|process| group_of(*process) == Some(leader))
            .flat_map(|process| numbers(&format!("/proc/{process}/task")))
            .collect()
    }

    /// The entries of a folder whose names are numbers.
    fn numbers(folder: &str) -> Vec<i32> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect()
    }

    /// The group of a process: the third field behind its name, which may hold anything.
    fn group_of(process: i32) -> Option<u32> {
        let stat = fs::read(format!("/proc/{process}/stat")).ok()?;
        let stat = String::from_utf8_lossy(&stat);
        let (_, rest) = stat.rsplit_once(')')?;
        rest.split_whitespace().nth(2)?.parse().ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::AffinityError;
    use std::io;

    pub(super) fn usable() -> Result<Vec<usize>, AffinityError> {
        Err(AffinityError::OtherSystem)
    }

    pub(super) fn bind_this_thread(_: &[usize]) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn bind_group(_: &[usize], _: u32) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors_are_read_as_linux_writes_them() {
        assert_eq!(parse("0-3,8"), Some(vec![0, 1, 2, 3, 8]));
        assert_eq!(parse("2, 1-2"), Some(vec![2, 1]));
        for bad in ["", "x", "1-", "3-1", "-1", "0,,1", "0-99999999"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn each_game_has_processors_of_its_own() {
        let shares = |games, threads| {
            split(&[4, 5, 6, 7, 8], games, threads)
                .map(|shares| shares.into_iter().map(|share| share.0).collect::<Vec<_>>())
                .map_err(|error| error.to_string())
        };
        assert_eq!(shares(2, 2), Ok(vec![vec![4, 5], vec![6, 7]]));
        assert_eq!(shares(1, 0), Ok(vec![vec![4]]));
        assert_eq!(
            shares(3, 2).unwrap_err(),
            "--affinity: 3 games at a time with 2 threads thinking in each need 6 processors, and there are 5"
        );
    }

    /// A program that has started others is bound with them, when it runs already.
    #[cfg(target_os = "linux")]
    #[test]
    fn all_of_a_program_is_bound() {
        use std::os::unix::process::CommandExt;
        use std::process::{Command, Stdio};
        let usable = system::usable().unwrap();
        let one = Processors(vec![usable[0]]);
        let mut child = Command::new("sh")
            .args(["-c", "sleep 100 & echo $!; wait"])
            .process_group(0)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let output = child.stdout.take().unwrap();
        io::BufRead::read_line(&mut io::BufReader::new(output), &mut line).unwrap();
        one.bind_group(child.id());
        let allowed = |process: &str| {
            let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
            let list = status
                .lines()
                .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
            parse(list.unwrap().trim()).unwrap()
        };
        let found = [child.id().to_string().as_str(), line.trim()].map(allowed);
        let group = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap();
        child.wait().unwrap();
        assert_eq!(found, [vec![usable[0]], vec![usable[0]]]);
    }
}
