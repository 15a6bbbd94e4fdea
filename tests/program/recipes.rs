//! The recipes of `protocol/tournaments.md` for many machines, run as they stand there, with fewer and shorter games: the parts of a
//! tournament are those of one run.

use crate::scratch::Scratch;
use crate::skipped::has_gnu_parallel;
use fauve_referee::record::{GameRecord, Record};
use std::path::Path;
use std::process::Command;

const TEXT: &str = include_str!("../../protocol/tournaments.md");

/// The block of code in which these words stand.
fn recipe(words: &str) -> String {
    let mut parts = TEXT.split("```").skip(1).step_by(2);
    let block = parts.find(|block| block.contains(words)).expect(words);
    // Behind the language.
    let (_, lines) = block.split_once('\n').expect("lines");
    lines.to_owned()
}

/// The recipe with small games.
fn shortened(recipe: &str) -> String {
    let mut short = recipe.to_owned();
    for (long, quick) in [
        ("nodes=2000", "nodes=40"),
        ("nodes=1000", "nodes=20"),
        (
            "--rounds 400",
            "--rounds 8 --max-turns 20 --openings random:4",
        ),
        (
            "--rounds 20000",
            "--rounds 2 --max-turns 20 --openings random:4",
        ),
        ("--tc 8+0.08", "--depth 1"),
    ] {
        short = short.replace(long, quick);
    }
    assert_ne!(short, recipe);
    short
}

/// A folder with the program in its `bin`, under the names that the recipes have for it.
fn machine(name: &str) -> Scratch {
    let folder = Scratch::folder(name);
    for made in ["bin", "records"] {
        std::fs::create_dir(folder.at(made)).expect("a folder");
    }
    for link in ["bin/fauve", "new", "old"] {
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_fauve"), folder.at(link)).expect("a link");
    }
    folder
}

/// Runs lines of the shell in the folder.
fn shell(folder: &Scratch, lines: &str, variables: &[(&str, &str)]) {
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["-e", "-c", lines])
        .current_dir(&folder.0)
        .env("HOME", &folder.0)
        .env("PATH", format!("{}:{path}", folder.at("bin")))
        .envs(variables.iter().copied())
        .output()
        .expect("bash is there");
    assert!(
        output.status.success(),
        "{lines}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn games(path: &str) -> Vec<GameRecord> {
    let games = Record::read(Path::new(path)).expect(path).games;
    let mut games: Vec<GameRecord> = games.into_iter().map(GameRecord::timeless).collect();
    games.sort_by_key(|game| game.game);
    games
}

/// The eight records in `parts`, joined by the line of the text, against one run of the same match.
fn are_one_run(folder: &Scratch, parts: &str, command: &str) {
    let one = command
        .split_once(" --shard")
        .expect("a share")
        .0
        .replace("exec ", "");
    shell(folder, &format!("{one} --quiet --record one-run"), &[]);
    let merge = recipe("fauve merge");
    let merge = merge
        .lines()
        .find(|line| line.starts_with("fauve merge"))
        .expect("a line");
    shell(folder, &format!("cd {parts}; {merge}"), &[]);
    let joint = games(&folder.at(&format!("{parts}/all.jsonl")));
    assert_eq!(joint.len(), 16);
    assert_eq!(joint, games(&folder.at("one-run")));
}

/// What stands between quotation marks behind `--wrap`.
fn wrapped(recipe: &str) -> String {
    let joined = recipe.replace("\\\n", " ");
    let (_, rest) = joined.split_once("--wrap '").expect("a command");
    rest.split_once('\'').expect("its end").0.to_owned()
}

/// The line for GNU parallel, on this machine alone; where that is not installed, for each number by the shell.
#[test]
fn the_recipe_for_gnu_parallel_is_one_run() {
    let folder = machine("parallel");
    let recipe = shortened(&recipe("parallel --sshloginfile"));
    let joined = recipe.replace("\\\n", " ");
    let line = joined.lines().next().expect("a line");
    if has_gnu_parallel("the shell runs its recipe") {
        // Its own name for this machine.
        std::fs::write(folder.at("records/hosts"), ":\n").expect("a file");
        shell(&folder, &format!("cd records; {line}"), &[]);
    } else {
        let (_, command) = line.split_once("fauve match").expect("a command");
        let (command, numbers) = command.split_once(":::").expect("its arguments");
        let command = command.replace("{}", "$number");
        shell(
            &folder,
            &format!("cd records; for number in {numbers}; do fauve match {command}; done"),
            &[],
        );
    }
    let (_, command) = line.split_once("fauve match").expect("a command");
    are_one_run(&folder, "records", &format!("fauve match {command}"));
}

/// What a Slurm array runs on each node; `.ci/slurm` runs it in a real Slurm.
#[test]
fn the_recipe_for_slurm_is_one_run() {
    let folder = machine("slurm");
    let command = wrapped(&shortened(&recipe("sbatch --array=1-8")));
    for task in 1..=8 {
        let task = task.to_string();
        let line = format!("cd records; {command}");
        shell(&folder, &line, &[("SLURM_ARRAY_TASK_ID", &task)]);
    }
    are_one_run(&folder, "records", &command);
}

/// What the pods of a Kubernetes job run, of which one is evicted and starts again.
#[test]
fn the_recipe_for_kubernetes_is_one_run() {
    let folder = machine("kubernetes");
    let recipe = shortened(&recipe("kind: Job"));
    let (_, rest) = recipe.split_once("- exec ").expect("a command");
    let (command, _) = rest.split_once("volumeMounts").expect("its end");
    let command = command.split_whitespace().collect::<Vec<_>>().join(" ");
    let here = command.replace("/records/", "records/");
    assert_ne!(here, command);
    for index in [0, 1, 2, 3, 3, 4, 5, 6, 7] {
        let index = index.to_string();
        shell(&folder, &here, &[("JOB_COMPLETION_INDEX", &index)]);
    }
    are_one_run(&folder, "records", &command);
}

/// The watched array, of two shares instead of fifty: when all is played the scheduler's jobs are cancelled.
#[test]
fn the_recipe_for_a_watched_test_ends_its_jobs() {
    let folder = machine("watched");
    let recipe = shortened(&recipe("fauve watch"));
    let command = wrapped(&recipe).replace("/50", "/2");
    let watch = recipe
        .lines()
        .find(|line| line.starts_with("fauve watch"))
        .expect("a line");
    let scancel = folder.at("bin/scancel");
    std::fs::write(&scancel, "#!/bin/sh\necho \"$@\" > cancelled\n").expect("a file");
    let task = |number: u32| format!("(export SLURM_ARRAY_TASK_ID={number}; {command} --quiet) &");
    let lines = format!(
        "chmod +x {scancel}\n{}\n{}\n{watch}\nwait",
        task(1),
        task(2)
    );
    shell(&folder, &lines, &[]);
    let cancelled = std::fs::read_to_string(folder.at("cancelled")).expect("it was run");
    assert_eq!(cancelled, "--name=wrap\n");
    let both = ["records/1.jsonl", "records/2.jsonl"].map(|name| games(&folder.at(name)).len());
    assert_eq!(both, [2, 2]);
}

/// The processes whose command line names this record.
#[cfg(target_os = "linux")]
fn processes_of(record: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").expect("processes").flatten();
    let of_it = entries.filter(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let mut words = line.split(|&byte| byte == 0);
        words
            .next()
            .is_some_and(|program| program.ends_with(b"fauve"))
            && words.any(|word| word == record.as_bytes())
    });
    of_it
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

/// Sixteen shares of a sequential test under GNU parallel, a third of which are killed while they play and started again by it: no game is
/// lost or played twice, the decision is that of one run, and all jobs end with it.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "half a minute: cargo test -- --ignored long_"]
fn long_a_third_of_sixteen_workers_is_killed_and_the_decision_is_the_same() {
    if !has_gnu_parallel("none of its sixteen workers is killed") {
        return;
    }
    let folder = machine("killed");
    let command = "fauve match --quiet --seed 3 --rounds 20000 --max-turns 120 --openings random:6 --concurrency 1 \
                   --engine proto=internal name=a nodes=160 option.Hash=1 \
                   --engine proto=internal name=b nodes=100 option.Hash=1 \
                   --resign score=500 turns=2 --draw score=20 turns=4 after=20 --sprt elo0=0 elo1=25";
    let record = |worker: usize| folder.at(&format!("records/{worker}.jsonl"));
    let share = format!(
        "{command} --shard {{}}/16 --record {}",
        folder.at("records/{}.jsonl")
    );
    let path = format!("{}:{}", folder.at("bin"), std::env::var("PATH").unwrap());
    let numbers: Vec<String> = (1..=16).map(|number| number.to_string()).collect();
    let mut scheduler = Command::new("parallel")
        .args([
            "--jobs",
            "16",
            "--retries",
            "9",
            "--joblog",
            "jobs",
            &share,
            ":::",
        ])
        .args(&numbers)
        .current_dir(&folder.0)
        .env("HOME", &folder.0)
        .env("PATH", &path)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("parallel");
    // As soon as they have games.
    let begin = std::time::Instant::now();
    let mut killed = 0;
    for worker in [2, 5, 7, 11, 16] {
        let lines = || {
            std::fs::read(record(worker))
                .map_or(0, |text| text.split(|&byte| byte == b'\n').count())
        };
        while lines() < 3 {
            assert!(
                begin.elapsed().as_secs() < 120,
                "worker {worker} does not play"
            );
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        for process in processes_of(&record(worker)) {
            let status = Command::new("kill").args(["-KILL", &process]).status();
            killed += usize::from(status.expect("kill").success());
        }
    }
    assert_eq!(killed, 5);
    let watched = Command::new("fauve")
        .args(["watch", "records", "--interval", "1"])
        .current_dir(&folder.0)
        .env("PATH", &path)
        .output()
        .expect("fauve watch");
    let played = |worker| games(&record(worker)).len();
    let at_decision: usize = (1..=16).map(played).sum();
    assert!(scheduler.wait().expect("its end").success());
    let at_end: usize = (1..=16).map(played).sum();
    // Each worker has finished the game that it was playing.
    assert!(at_end <= at_decision + 16, "{at_decision} {at_end}");
    let sprt = |output: &[u8]| {
        let text = String::from_utf8_lossy(output).into_owned();
        let line = text.lines().find(|line| line.starts_with("SPRT: "));
        line.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    shell(
        &folder,
        &format!("{command} --record one-run > one-report"),
        &[],
    );
    let one_report = std::fs::read(folder.at("one-report")).expect("a report");
    assert_eq!(sprt(&watched.stdout), sprt(&one_report));
    shell(&folder, "fauve merge records/*.jsonl --record all", &[]);
    let (joint, one) = (games(&folder.at("all")), games(&folder.at("one-run")));
    assert_eq!(joint.len(), at_end);
    let last = one.last().expect("games").game;
    let decided: Vec<_> = joint.into_iter().filter(|game| game.game <= last).collect();
    assert_eq!(decided, one);
}

/// The strength page comes from records as often as one likes, with its tables as Markdown and its pictures.
#[test]
fn the_strength_page_is_made_again_from_records() {
    let folder = machine("strength");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/strength-page.sh");
    let lines = format!(
        "mkdir -p games/twomove
        fauve match --variant twomove --games 4 --max-turns 20 --quiet --engine proto=random name=random \
            --engine proto=greedy name=greedy --record games/twomove/greedy.jsonl
        for n in 1 2; do {script} games >page-$n.md; done"
    );
    shell(&folder, &lines, &[("FAUVE", env!("CARGO_BIN_EXE_fauve"))]);
    let [first, again] = ["page-1.md", "page-2.md"]
        .map(|name| std::fs::read_to_string(folder.at(name)).expect(name));
    assert_eq!(first, again);
    assert!(first.contains("\n| player | Elo |"), "{first}");
    assert!(first.contains("\n| random | 0 |"), "{first}");
    assert!(Path::new(&folder.at("protocol/strength/twomove.svg")).exists());
}
