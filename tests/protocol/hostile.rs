//! Lines that no sane GUI sends. Whatever comes, the program stays alive, says `readyok`, and then gives a legal turn.

use super::driver::Engine;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const LINES: usize = 1000;

/// Sound lines from which malformed ones are made. Nothing here allocates much or opens files, whatever is cut off.
fn sound(variant: &str) -> Vec<String> {
    let mut lines: Vec<String> = [
        "uci",
        "isready",
        "ucinewgame",
        "position startpos",
        "position startpos moves e2e4 e7e5 g1f3 b8c6",
        "position startpos moves d2d4,c1f4 d7d5,c8f5",
        "position startpos moves PNB:b2b4,c1a3,b1c3 123:0000",
        "position startpos moves E@h1 V@b8 A@f1 S@d8,b8g8",
        "position startpos moves right e8@f9 e6f7q",
        "position startpos-left",
        "setoption name MultiPV value 3",
        "setoption name Move Overhead value 12",
        "setoption name Turn Output value single",
        "setoption name Turn Output value joined",
        "setoption name UCI_ShowWDL value true",
        "setoption name Prologue value false",
        "setoption name Array value 77",
        "setoption name Promotion Pool value physical",
        "setoption name Castle Through Check value true",
        "setoption name Free Material value true",
        "setoption name UCI_Elo value 1500",
        "go depth 3",
        "go nodes 500",
        "go movetime 3",
        "go wtime 100 btime 100 winc 1 binc 1 movestogo 3",
        "go infinite searchmoves e2e4 d2d4",
        "go ponder wtime 100 btime 100",
        "go mate 2 nodes 400",
        "go perft 2",
        "go dice 136",
        "go dice PBK nodes 100",
        "stop",
        "ponderhit",
        "d",
        "eval",
        "flip",
        "undo",
        "roll 135",
        "roll",
        "play e2e4",
        "legal e2",
        "query gameover",
        "query fen",
        "query roll",
        "compiler",
        "help",
        "# remark",
    ]
    .map(str::to_owned)
    .to_vec();
    for fen in fens(variant) {
        // FENs are where most can go wrong.
        for _ in 0..12 {
            lines.push(format!("position fen {fen}"));
        }
        lines.push(format!("position fen {fen} moves e2e4"));
    }
    lines
}

fn fens(variant: &str) -> &'static [&'static str] {
    match variant {
        "superchess" => &[
            "evbqkbsa/pppppppp/8/8/8/8/PPPPPPPP/EVBQKBSA[NNRRnnrr] w - - 0 1",
            "rnbqkbne/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNE b KQkq - 0 1 p1",
            "4k3/P6P/8/8/8/8/p6p/4KQ~2[NR] w - - 0 1",
        ],
        "twomove" => &[
            "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2 1:g1f3",
            "rnbqkbnr/p1p1pppp/8/8/1pPpP3/8/PP1P1PPP/RNBQKBNR b KQkq c3e3 0 2 2",
        ],
        "dicechess" => &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB seed:1f",
            "r2q2r1/ppp1nk1p/2B2p2/3p3b/1P1Pp2P/4P2N/PP3P2/RNB4K b - d3 0 1 pqq",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -",
        ],
        "cubes4d" => &[
            "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1",
            "e10:2r1n1q1k1g1n2b/011p1p1p10/2110112/011P1P1P10/2R1N1Q1K1G1N2B b RBrb Gg - - 1 pre",
        ],
        _ => &[
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ],
    }
}

/// One malformed line, without its newline.
fn malformed(sound: &[String], random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut below = |limit: usize| (random.next_u64() % limit as u64) as usize;
    let line = &sound[below(sound.len())];
    let mut bytes = line.clone().into_bytes();
    match below(10) {
        // Truncated.
        0 => bytes.truncate(below(bytes.len() + 1)),
        // Any bytes.
        1 => bytes = (0..below(200)).map(|_| below(256) as u8).collect(),
        // A few bytes of a sound line changed, put in or left out.
        2..=4 => {
            for _ in 0..=below(4) {
                let place = below(bytes.len().max(1));
                match below(3) {
                    0 if !bytes.is_empty() => bytes[place] = below(256) as u8,
                    1 if !bytes.is_empty() => drop(bytes.remove(place)),
                    _ => bytes.insert(place.min(bytes.len()), b"0 9/kKpPqQ:!~-,@[]w#"[below(20)]),
                }
            }
        }
        // Numbers replaced by ones out of any range.
        5 => {
            let huge = [
                "-1",
                "0",
                "99999999999999999999999",
                "-99999999999999999999999",
                "1e9",
                "0x10",
                "NaN",
            ][below(7)];
            bytes = line
                .split(' ')
                .map(|word| {
                    if word.bytes().all(|byte| byte.is_ascii_digit()) {
                        huge
                    } else {
                        word
                    }
                })
                .collect::<Vec<_>>()
                .join(" ")
                .into_bytes();
        }
        // Words in disorder.
        6 => {
            let mut words: Vec<&str> = line.split(' ').collect();
            for _ in 0..4 {
                let (a, b) = (below(words.len()), below(words.len()));
                words.swap(a, b);
            }
            bytes = words.join(" ").into_bytes();
        }
        // Words twice, and two lines in one.
        7 => {
            let other = &sound[below(sound.len())];
            bytes = format!("{line} {other}").into_bytes();
        }
        // Blanks of all kinds.
        8 => {
            let blank = ["\t", "  ", "\u{a0}", "\u{2003}", "\r"][below(5)];
            bytes = line.replace(' ', blank).into_bytes();
        }
        // Long.
        _ => {
            let word = [" e2e4", " moves", "/", " fen", ",a2a3", "K"][below(6)];
            bytes.extend(word.repeat(below(5000)).into_bytes());
        }
    }
    bytes.retain(|&byte| byte != b'\n');
    bytes
}

/// Sends lines, with a look now and then whether the program is alive, and in the end asks for a legal turn.
fn survive(variant: &str, lines: impl Iterator<Item = Vec<u8>>) -> usize {
    let mut engine = Engine::of(variant);
    let mut sent = 0;
    for (number, line) in lines.enumerate() {
        if String::from_utf8_lossy(&line)
            .split_whitespace()
            .any(|word| word == "quit")
        {
            continue;
        }
        engine.send_bytes(&line);
        engine.send_bytes(b"\n");
        sent += 1;
        if number % 20 == 19 {
            engine.send("stop");
            engine.sync();
        }
    }
    engine.idle();
    legal_turn(&mut engine, variant);
    sent
}

/// From whatever state: the start position, a search, and the engine's own word that the turn is legal.
fn legal_turn(engine: &mut Engine, variant: &str) {
    engine.send("setoption name Turn Output value joined");
    engine.send("setoption name MultiPV value 1");
    engine.send("setoption name Prologue value true");
    engine.send(&format!("setoption name UCI_Variant value {variant}"));
    engine.send("position startpos");
    engine.send("ucinewgame");
    engine.sync();
    let dice = if variant == "dicechess" {
        "dice PNB"
    } else {
        ""
    };
    let search = engine.go(&format!("nodes 2000 {dice}"));
    let prefix = if dice.is_empty() { "" } else { "PNB:" };
    engine.quietly(&format!("play {prefix}{}", search.best));
}

fn random_lines(variant: &str, seed: u64) {
    let sound = sound(variant);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let sent = survive(
        variant,
        (0..LINES + LINES / 20).map(|_| malformed(&sound, &mut random)),
    );
    assert!(sent >= LINES, "{sent}");
}

#[test]
fn random_lines_in_chess() {
    random_lines("chess", 1);
}

#[test]
fn random_lines_in_superchess() {
    random_lines("superchess", 2);
}

#[test]
fn random_lines_in_dicechess() {
    random_lines("dicechess", 4);
}

#[test]
fn random_lines_in_twomove() {
    random_lines("twomove", 3);
}

#[test]
fn random_lines_in_cubes4d() {
    random_lines("cubes4d", 5);
}

#[test]
fn classes_of_malformed_lines() {
    for variant in super::VARIANTS {
        let mut lines: Vec<Vec<u8>> = [
            "position",
            "position fen",
            "position startpos moves",
            "position startpos moves moves moves",
            "position fen moves e2e4",
            "position fen fen fen",
            "position startpos moves ,,,, e2e4",
            "position startpos moves : PNB: :e2e4 777:e2e4",
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
            "position fen kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w - - 0 1",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 99999999999999999999",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - -5 -5",
            "position fen ////////// w - - 0 1",
            "position fen 99999999999/8 w - - 0 1",
            "position fen a:1K/1k w - - - - 1",
            "position fen o15:1K1/1k1 w - - - - 1",
            "position fen e99999999999999999999:1K/1k w - - - - 1",
            "position fen \u{e9}\u{4e2d}\u{1f600}/8/8/8/8/8/8/8 w - - 0 1",
            "setoption name",
            "setoption value",
            "setoption name Hash value 99999999999999999999",
            "setoption name Hash value -99999999999999999999",
            "setoption name Threads value 1000000",
            "setoption name Array value 432",
            "setoption name UCI_Variant value",
            "go go go depth 1",
            "go depth",
            "go searchmoves",
            "go searchmoves \u{0} \u{7f} depth 1",
            "go dice",
            "go dice 777",
            "go dice dice dice",
            "go perft",
            "go perft -1",
            "go perft 99999999999",
            "go wtime wtime wtime",
            "go mate 0 depth 1",
            "play",
            "play ,",
            "play 0000",
            "legal ,,,",
            "roll 000",
            "roll PNBRQK",
            "undo undo undo",
            "query",
            "flip flip flip",
            "bench nothing",
            "\u{0}",
            "\u{feff}",
        ]
        .iter()
        .map(|line| line.as_bytes().to_vec())
        .collect();
        lines.push(b"\xff\xfe\xfd position startpos".to_vec());
        lines.push(b"position fen \xff\xff\xff w - - 0 1".to_vec());
        lines.push(b"setoption name \xc3 value \xc3".to_vec());
        survive(variant, lines.into_iter());
    }
}

#[test]
fn a_line_of_ten_megabytes() {
    for (start, bytes) in [
        ("position startpos moves", 10_000_000),
        ("position fen", 2_000_000),
        ("go", 2_000_000),
        ("setoption name", 2_000_000),
        ("", 2_000_000),
    ] {
        let mut line = start.as_bytes().to_vec();
        line.extend(b" e2e4 e7e5 \xff".repeat(bytes / 12));
        survive("chess", std::iter::once(line));
    }
    // A game that is legal all along, but longer than any.
    let mut line = b"position startpos moves".to_vec();
    line.extend(b" g1f3 g8f6 f3g1 f6g8".repeat(10_000));
    survive("chess", std::iter::once(line));
}
