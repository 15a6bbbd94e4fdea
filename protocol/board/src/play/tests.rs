use super::{Annotation, AnyGame, Place, PlayError, begin, open};
use crate::files::GameFile;
use crate::view::View;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::DiceSeed;
use fauve_engine::search::{Control, Table};
use fauve_game::tree::Path;

fn start(variant: Variant, fen: Option<&str>) -> Box<dyn AnyGame> {
    begin(variant, fen, &[], DiceSeed(42))
        .expect("a position")
        .0
}

/// The position after some turns of the game.
fn at(game: &dyn AnyGame, turns: usize) -> View {
    let path = Path::main(turns);
    let place = Place {
        path,
        ..Place::default()
    };
    game.at(&place).expect("a position of the game").view()
}

/// Plays the first, the last or a middle step, over and over.
fn wander(game: &mut dyn AnyGame, steps: usize) {
    for number in 0..steps {
        let allowed = game.view().steps;
        let Some(step) = allowed.get(number * 7919 % allowed.len().max(1)) else {
            return;
        };
        game.step(&step.token).expect("a step of the view");
    }
}

#[test]
fn everything_can_be_taken_back() {
    for &variant in Variant::ALL {
        let mut game = start(variant, None);
        let first = game.view();
        wander(&mut *game, 40);
        while game.undo_step() {}
        let turns = game.turns().len();
        assert!(turns > 8, "{variant}");
        assert_eq!(at(&*game, 0), first);
        assert_eq!(at(&*game, turns).pieces, game.view().pieces);
        while game.undo_turn() {}
        assert_eq!(game.view(), first, "{variant}");
        assert!(!game.undo_step() && game.partial_turn().is_empty());
    }
}

#[test]
fn the_beginning_of_the_first_turn_can_be_taken_back() {
    for variant in [Variant::TwoMove, Variant::DiceChess] {
        let fen = (variant == Variant::TwoMove)
            .then_some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 2");
        let mut game = start(variant, fen);
        let first = game.view();
        let step = first.steps.iter().find(|step| step.token.starts_with('b'));
        let is_whole = game.step(&step.expect("a step").token).expect("legal");
        assert!(!is_whole, "{variant}");
        assert!(game.undo_turn(), "{variant}: something was taken back");
        assert_eq!(game.view(), first, "{variant}");
        assert!(!game.undo_turn(), "{variant}: nothing is left");
    }
}

#[test]
fn a_game_is_the_same_after_its_turns_are_read_again() {
    for &variant in Variant::ALL {
        let mut game = start(variant, None);
        wander(&mut *game, 60);
        while game.undo_step() {}
        let mut again = start(variant, Some(&game.start_fen()));
        for turn in game.turns() {
            let token = match &turn.roll {
                Some(roll) => format!("{roll}:{}", turn.token),
                None => turn.token.clone(),
            };
            again.turn(&token).expect("a turn that was played");
        }
        assert_eq!(again.turns(), game.turns(), "{variant}");
        let pgn = game.pgn(["w".to_owned(), "b".to_owned()], &[]);
        let opened = open_text(&pgn).expect("a game");
        assert_eq!(opened.turns(), game.turns(), "{variant}: {pgn}");
    }
}

#[test]
fn tries_that_are_no_steps_are_answered_and_change_nothing() {
    let squares: Vec<String> = [
        "a1", "b1", "e1", "e2", "e4", "e8", "e10", "f8", "k6", "o15", "A", "x", "",
    ]
    .iter()
    .map(ToString::to_string)
    .collect();
    for &variant in Variant::ALL {
        let mut game = start(variant, None);
        for _ in 0..12 {
            for from in &squares {
                for to in &squares {
                    assert!(
                        game.explain(from, to).ends_with('.'),
                        "{variant} {from} {to}: {}",
                        game.explain(from, to)
                    );
                }
            }
            for typed in [
                "",
                " ",
                ",",
                ",,e4",
                "é",
                "♘é4 ep",
                "1.",
                "0-0 0-0",
                "(0,0)(",
                "(-99,0,9)-(0,0)",
                "A@",
                "@h1",
                "castle x",
                "O-O-O-O",
                "e4 e5 e6 e7",
                "🎲",
                "N1f3=Q@",
                "a99b99",
                "-",
                "e\u{301}4",
            ] {
                let refused = game.read(typed).expect_err(typed);
                assert!(refused.len() > 10, "{variant} '{typed}': {refused}");
            }
            wander(&mut *game, 3);
        }
        let before = game.view();
        assert!(game.step("a1a1").is_err() && game.step("").is_err() && game.turn("x").is_err());
        assert_eq!(game.view(), before);
        let _ = (game.dangers(), game.static_eval());
    }
}

/// The first game of a text.
fn open_text(text: &str) -> Result<Box<dyn AnyGame>, PlayError> {
    open_with_words(text).map(|(game, _)| game)
}

/// The first game of a text, and what there is to say of it.
fn open_with_words(text: &str) -> Result<(Box<dyn AnyGame>, Vec<String>), PlayError> {
    let file = GameFile::read(text.to_owned(), "chess").expect("a game");
    let game = file.game(0).expect("a game");
    let variant = fauve_game::names::variant(&game.variant).expect("a known game");
    open(variant, &game.pgn.expect("a PGN"), false, DiceSeed(7))
}

#[test]
fn a_game_with_an_illegal_turn_is_opened_as_far_as_it_is_legal() {
    let text = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 {best} (1. d4 d5) e5 2. Ke3 Nc6 1-0\n";
    let (game, words) = open_with_words(text).expect("two turns");
    assert_eq!(game.turns().len(), 2);
    assert_eq!(game.turns()[0].beside.variations.len(), 1);
    let said = "The game was read as far as it is legal: turn 2 of White: 'Ke3' is not legal.";
    assert_eq!(words, [said]);
    assert_eq!(game.end().expect("the result").result, "1-0");
    let (game, words) = open_with_words("1. e4 e5 2. Sf3 Sc6 3. 0-0").expect("four turns");
    assert_eq!((game.turns().len(), words.len()), (4, 2), "{words:?}");
}

/// Castling through an attacked square: by the rules of DiceChess as they are written it is not allowed.
const CASTLING: &str = "[Variant \"dicechess\"]\n[CastleThroughCheck \"true\"]\n[SetUp \"1\"]\n\
     [FEN \"4kr2/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O,Rxf8 {KRR} *\n";

#[test]
fn rule_switches_of_a_game_that_is_opened_count() {
    let game = open_text(CASTLING).expect("castling is allowed");
    assert_eq!(game.turns().len(), 1);
    let switch = ("Castle Through Check".to_owned(), "true".to_owned());
    assert_eq!(game.rules(), std::slice::from_ref(&switch));
    assert!(open_text(&CASTLING.replace("\"true\"", "\"false\"")).is_err());
    let fen = "4kr2/8/8/8/8/8/8/4K2R w K - 0 1";
    let variant = Variant::DiceChess;
    let with = |rules: &[(String, String)]| {
        begin(variant, Some(fen), rules, DiceSeed(1))
            .expect("a position")
            .0
    };
    assert!(with(&[switch]).turn("KRR:O-O,Rxf8").is_ok());
    assert!(with(&[]).turn("KRR:O-O,Rxf8").is_err());
}

#[test]
fn rule_switches_of_a_record_count() {
    let record = r#"{"type":"tournament","format":1,"event":"e","variant":"dicechess","rules":[["Castle Through Check","true"]],"engines":[{"name":"a","command":"self","protocol":"uci","limit":{"nodes":9}},{"name":"b","command":"self","protocol":"uci","limit":{"nodes":1}}],"pairings":"roundrobin","rounds":2,"seed":3,"openings":{"random":{"turns":8,"balance":60}},"margin":20,"stall":60000}
{"type":"game","game":1,"white":"a","black":"b","start":"4kr2/8/8/8/8/8/8/4K2R w K - 0 1","turns":[{"roll":"KRR","token":"e1g1,f1f8"}],"result":"1-0","termination":"crash","reason":"Black crashes"}
"#;
    let game = open_text(record).expect("castling is allowed");
    assert_eq!(game.turns().len(), 1);
    let other = record.replace(r#""true""#, r#""false""#);
    assert!(open_text(&other).is_err());
    let unknown = record.replace("Castle Through Check", "No Such Rule");
    let refused = GameFile::read(unknown, "chess").expect_err("an unknown switch");
    assert_eq!(refused, "there is no rule switch 'No Such Rule'");
}

#[test]
fn games_that_are_not_played_here_are_refused_by_name() {
    let atomic = "[Event \"a\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n";
    let refused = GameFile::read(atomic.to_owned(), "chess").expect_err("not played here");
    assert_eq!(refused, "the game 'Atomic' is not known here");
    let two = format!("{atomic}\n[Event \"b\"]\n[Variant \"From Position\"]\n\n1. e4 *\n");
    let file = GameFile::read(two, "chess").expect("one of them is played here");
    let listed = [0, 1].map(|index| file.game(index).expect("a game"));
    let games =
        crate::games::Games::new(crate::room::EngineRoom::new(1, std::time::Duration::ZERO));
    let refused = games.begin(&listed[0]).err().map(|why| why.to_string());
    assert_eq!(
        refused.as_deref(),
        Some("the game 'Atomic' is not known here")
    );
    assert!(games.begin(&listed[1]).is_ok());
}

#[test]
fn a_game_that_was_opened_is_written_with_everything_that_its_file_says() {
    let text = "[Event \"Match\"]\n[Site \"Riga\"]\n[Date \"1960.03.15\"]\n[White \"Tal\"]\n[Black \"Botvinnik\"]\n\
        [Result \"1-0\"]\n[ECO \"B10\"]\n\n1. e4 $1 {[%clk 1:30:00] best} (1. d4 {or so} 1... d5 (1... Nf6)) 1... c6 {\n\
        [%cal Gd7d5]} 1-0\n";
    let mut game = open_text(text).expect("a game");
    let written = game.pgn(["Human".to_owned(), "Human".to_owned()], &[]);
    let words = |text: &str| {
        text.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace("{ ", "{")
    };
    assert_eq!(words(&written), words(text));
    game.turn("d2d4").expect("a turn");
    let longer = game.pgn(["Human".to_owned(), "Human".to_owned()], &[]);
    assert!(
        longer.contains("[White \"Tal\"]") && longer.contains("[Result \"*\"]"),
        "{longer}"
    );
    assert!(
        words(&longer).contains("{[%cal Gd7d5]} 2. d4 *"),
        "{longer}"
    );
}

#[test]
fn what_a_piece_is_worth_is_what_the_evaluation_says() {
    use fauve_engine::eval::{Evaluator, Inspect};
    use fauve_engine::rules::dice::DiceChess;
    use fauve_engine::rules::{Notation, Rules};
    let static_eval = start(Variant::DiceChess, None).static_eval();
    let position = DiceChess::start(&<DiceChess as Rules>::Options::default());
    let evaluator = <DiceChess as fauve_engine::eval::Evaluate>::Evaluator::new(None);
    let values = evaluator.piece_values(&position).expect("values");
    let queen = static_eval.pieces.iter().find(|worth| worth.square == "d1");
    assert_eq!(queen.map(|worth| worth.cp), values.ranks[0][3]);
    assert_eq!(static_eval.pieces.len(), 30, "kings have no value");
}

#[test]
fn the_luck_of_a_roll_is_its_value_less_the_mean_of_all_rolls() {
    use fauve_engine::rules::dice::DiceChess;
    use fauve_engine::rules::{Chance, Notation, Rules};
    let mut game = start(Variant::DiceChess, None);
    wander(&mut *game, 1);
    while game.turns().len() < 2 {
        wander(&mut *game, 1);
    }
    let mut seen = Vec::new();
    game.review(50, &Control::default(), &mut |assessed| seen.push(assessed));
    let first = DiceChess::start(&<DiceChess as Rules>::Options::default());
    assert!(first.awaits_roll());
    let table = Table::new(1).expect("memory");
    let due = fauve_game::luck::luck(&first, DiceSeed(42).roll(0), &table);
    assert_eq!(seen[0].luck, due);
}

#[test]
fn a_draw_is_accepted_by_the_score_and_the_length_of_the_game() {
    let table = Table::new(4).expect("memory");
    let accepts = |fen: &str, side| {
        let game = start(Variant::Chess, Some(fen));
        game.accepts_draw(side, &table, &Control::default())
    };
    assert!(!accepts("startpos", Color::Black), "early and even");
    let worse = "4k3/8/8/8/8/8/8/QQ2K3 b - - 0 5";
    assert!(accepts(worse, Color::Black), "lost");
    assert!(!accepts(worse, Color::White), "won");
    let even = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 60";
    assert!(
        accepts(even, Color::Black) || accepts(even, Color::White),
        "late and even"
    );
}

#[test]
fn a_variation_is_played_step_by_step_in_every_game_and_kept_in_the_file() {
    for &variant in Variant::ALL {
        let mut game = start(variant, None);
        wander(&mut *game, 24);
        while game.undo_step() {}
        let turns = game.turns().len();
        // From every third position: the last step that is allowed, until the turn is complete.
        for before in (1..turns).step_by(3) {
            let mut place = Place {
                path: Path::main(before),
                ..Place::default()
            };
            loop {
                let there = game.at(&place).expect("a position of the game");
                let steps = there.view().steps;
                let Some(step) = steps.last() else {
                    assert!(
                        place.steps.is_empty(),
                        "{variant}: a turn that cannot be completed"
                    );
                    break;
                };
                place.steps.push(step.token.clone());
                if game
                    .at(&place)
                    .expect("a legal step")
                    .partial_turn()
                    .is_empty()
                {
                    break;
                }
            }
            if place.steps.is_empty() {
                continue;
            }
            let expected = game.at(&place).expect("a legal turn").view().pieces;
            let path = game.vary(&place, &[]).expect("a variation");
            let note = Annotation {
                comment: Some("what if".to_owned()),
                nags: Some(vec![5]),
                shapes: Some(vec!["Gd2d4".to_owned(), "Re4".to_owned()]),
            };
            game.annotate(&path, &note).expect("a place of the game");
            let behind = Place {
                path,
                ..Place::default()
            };
            assert_eq!(
                game.at(&behind).expect("behind it").view().pieces,
                expected,
                "{variant}"
            );
        }
        assert_eq!(game.turns().len(), turns, "the game itself is as it was");
        let pgn = game.pgn(["w".to_owned(), "b".to_owned()], &[]);
        let opened = open_text(&pgn).expect("a game");
        assert_eq!(opened.turns(), game.turns(), "{variant}: {pgn}");
        assert!(pgn.contains("what if"), "{variant}: {pgn}");
    }
}

#[test]
fn places_that_are_none_are_refused() {
    let mut game = start(Variant::Chess, None);
    let place = |text: &str| Place {
        path: text.parse().expect(text),
        ..Place::default()
    };
    assert!(game.at(&place("1")).is_err());
    assert!(game.vary(&place("7.0.1"), &[]).is_err());
    assert!(game.promote(&Path::main(0)).is_err() && game.delete(&Path::main(0)).is_err());
    let rolled = Place {
        roll: Some("PNB".to_owned()),
        ..Place::default()
    };
    assert!(game.at(&rolled).is_err(), "there are no dice in chess");
    game.turn("e2e4").expect("legal");
    let illegal = Place {
        steps: vec!["e2e4".to_owned()],
        ..place("1")
    };
    assert!(game.at(&illegal).is_err() && game.vary(&illegal, &[]).is_err());
    assert!(
        game.annotate(&Path::main(3), &Annotation::default())
            .is_err()
    );
}

#[test]
fn a_line_that_does_not_fit_into_the_tree_adds_none_of_its_turns() {
    let full = "(1. e4) ".repeat(fauve_game::study::LARGEST_TREE - 2);
    let mut game = open_text(&format!("1. d4 {full} *")).expect("a large tree");
    let variations = game.turns()[0].beside.variations.len();
    let line = ["c2c4", "e7e5"].map(str::to_owned);
    assert!(game.vary(&Place::default(), &line).is_err());
    assert!(game.vary(&Place::default(), &line[..1]).is_ok());
    let after = game.turns()[0].beside.variations.len();
    assert_eq!(after, variations + 1, "only the line that fits");
}

#[test]
fn the_dice_of_the_first_position_may_be_named_with_the_turn() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNK";
    let play = |turn: &str| {
        let mut game = start(Variant::DiceChess, Some(fen));
        game.turn(turn).map(|()| game)
    };
    let given = play("PNK:d2d4,g1f3,e1d2").expect("the dice of the position");
    let plain = play("d2d4,g1f3,e1d2").expect("a turn");
    assert_eq!(given.turns(), plain.turns());
    assert_eq!(given.turns()[0].roll.as_deref(), Some("PNK"));
    assert_eq!(given.seed(), plain.seed());
    assert!(play("PNN:d2d4,g1f3,b1c3").is_err(), "other dice");
}
