use super::screen::Screen;
use super::value::Value;
use crate::terminal::{
    PrintError, View, can_redraw, count, draw, fit_terminal, line_san, size, wrap,
};
use crate::wire::report::PvLine;
use anyhow::Result;
use fauve_engine::core::Color;
use fauve_engine::rules::{Game, Outcome, legal_steps, turn_san, turn_token};
use fauve_engine::search::{Answer, Control, Engine, Info, Report, Score};
use fauve_game::assess::{
    Thinker, after_turn, bound_from_white, expected_points, from_white, white_points, white_wdl,
};
use serde::Serialize;

/// A principal variation, for `--json`.
#[derive(Serialize)]
struct Line<'a> {
    depth: u32,
    seldepth: u32,
    multipv: usize,
    #[serde(flatten)]
    value: Value,
    nodes: u64,
    ms: u128,
    pv: &'a [String],
}

/// Analyses one position.
pub(super) fn analyse<G: Engine>(game: &Game<G>, thinker: &Thinker, json: bool) -> Result<()> {
    let root = game.position();
    let mut screen = Screen::new(can_redraw() && !json);
    if !json {
        print_board(&mut screen, root)?;
        let head = format!(
            "{:<7} {:>6} {:>6} {:>5} {:>7}  line (White's view)",
            "depth", "pawns", "points", "nodes", "time"
        );
        writeln!(screen.out, "\n{}", fit_terminal(&head))?;
    }
    let mut thinker = thinker.clone();
    if root.in_prologue() {
        // What each turn of a prologue leads to is known, and there are few.
        let turns = legal_steps(root).len();
        thinker.settings.multi_pv = thinker.settings.multi_pv.max(turns);
    }
    let control = Control::default();
    let mut printed = Ok(());
    let answer = thinker.search(game, &control, &mut |report| {
        let done = match report {
            Report::Pv(info) if json => print_json(&mut screen, root, &info),
            Report::Pv(info) => print_line(&mut screen, root, &info),
            Report::Message(text) if !json => screen.message(&text),
            Report::Message(_) | Report::Roll { .. } | Report::Current { .. } => Ok(()),
        };
        if done.is_err() && printed.is_ok() {
            // Nobody reads on: no use in thinking on.
            printed = done;
            control.stop();
        }
    });
    printed?;
    if !json {
        print_best(&mut screen, game, &answer)?;
    }
    Ok(())
}

/// Says that a game is drawn, without a search.
pub(super) fn print_draw<G: Engine>(game: &Game<G>, end: Outcome, json: bool) -> Result<()> {
    let mut screen = Screen::new(false);
    if json {
        let line = Line {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            value: Value::new(Score::Cp(0), [0, 1000, 0]),
            nodes: 0,
            ms: 0,
            pv: &[],
        };
        writeln!(screen.out, "{}", serde_json::to_string(&line)?)?;
    } else {
        print_board(&mut screen, game.position())?;
        writeln!(screen.out, "\n{end}")?;
    }
    Ok(())
}

/// The board with its notes, and the position string.
fn print_board<G: Engine>(screen: &mut Screen, root: &G) -> Result<(), PrintError> {
    let view = View::of(Color::White, "");
    writeln!(screen.out, "{}", draw(root, &view))?;
    let notes = wrap(&root.board_notes(), size().1);
    if !notes.is_empty() {
        writeln!(screen.out, "{notes}")?;
    }
    writeln!(screen.out, "\n{}", root.fen())
}

/// The value of a line, White's view, as everywhere in `analyse`.
fn white_value<G: Engine>(root: &G, info: &Info<G>) -> Value {
    let mover = root.side_to_move();
    // Without a turn to play, a win is on the board and not a turn away.
    let score = if info.pv.is_empty() {
        after_turn(info.score)
    } else {
        info.score
    };
    Value::new(from_white(score, mover), white_wdl(info.wdl, mover))
        .bounded(bound_from_white(info.bound, mover))
}

fn print_json<G: Engine>(screen: &mut Screen, root: &G, info: &Info<G>) -> Result<(), PrintError> {
    let line = PvLine::new(root, info, true);
    let line = Line {
        depth: line.depth,
        seldepth: line.seldepth,
        multipv: line.multipv,
        value: white_value(root, info),
        nodes: line.nodes,
        ms: line.time.as_millis(),
        pv: &line.pv,
    };
    let json = serde_json::to_string(&line).expect("numbers and text are JSON");
    writeln!(screen.out, "{json}")
}

fn print_line<G: Engine>(screen: &mut Screen, root: &G, info: &Info<G>) -> Result<(), PrintError> {
    let text = format!(
        "{:>3}/{:<3} {:>6} {:>5.1}% {:>5} {:>6.2}s  {}",
        info.depth,
        info.seldepth,
        white_value(root, info).text(),
        white_points(expected_points(info), root.side_to_move()) * 100.0,
        count(info.nodes),
        info.time.as_secs_f64(),
        line_san(root, &info.pv)
    );
    screen.line(info.multipv, text)
}

fn print_best<G: Engine>(
    screen: &mut Screen,
    game: &Game<G>,
    answer: &Answer<G>,
) -> Result<(), PrintError> {
    let root = game.position();
    let text = match (&answer.best, game.outcome()) {
        (Some(turn), _) => match (turn_san(root, turn), turn_token(root, turn)) {
            (san, token) if san == token => format!("best {san}"),
            (san, token) => format!("best {san}  ({token})"),
        },
        (None, Some(end)) => end.to_string(),
        (None, None) => "no best turn".to_owned(),
    };
    writeln!(screen.out, "\n{text}")
}
