use super::context::SearchContext;
use super::perft::run_perft;
use super::state::Session;
use crate::wire::go::{DEEPEST_PERFT, Request};
use crate::wire::report::{Best, PvLine};
use crate::wire::search_thread::Job;
use fauve_engine::rules::{
    Game, Roll, Turn, legal_steps, panic_text, parse_turn, position_after, printable, split_roll,
    turn_token,
};
use fauve_engine::search::{Answer, Clock, Control, Engine, Limits, Report, Searcher};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Searches of the game.
impl<G: Engine> Session<G> {
    /// Prepares a `go` command: returns warnings to print at once, and the job for the search thread.
    pub fn go(&self, request: &Request, context: SearchContext) -> (Vec<String>, Job) {
        let mut messages = request.warnings.clone();
        if let Some(question) = &request.doubling {
            let (answer, job) = super::doubling::ask(self.game(), question, request, context);
            messages.extend(answer);
            return (messages, job);
        }
        let mut game = self.game().clone();
        if let Some(dice) = &request.dice {
            match Roll::parse(dice) {
                None => messages.push(format!("go dice: cannot read {}", printable(dice))),
                Some(roll) if game.position().awaits_roll() => game.set_roll(roll),
                Some(_) => messages.push("go dice: no roll is awaited here".to_owned()),
            }
        }
        if game.position().awaits_roll()
            && let Some(roll) = self.played.due_roll()
        {
            game.set_roll(roll);
        }
        if let Some(depth) = request.perft {
            if depth > DEEPEST_PERFT {
                let refusal = format!("go perft takes at most {DEEPEST_PERFT} turns");
                let job: Job = Box::new(move |_| Some(context.format.message(&refusal)));
                return (messages, job);
            }
            let job: Job =
                Box::new(move |control| Some(run_perft(game.position(), depth, &context, control)));
            return (messages, job);
        }
        let limits = limits(&game, request, context.cpu_clock, &mut messages);
        let job: Job = Box::new(move |control| Some(run_search(&game, &limits, &context, control)));
        (messages, job)
    }
}

/// The limits of a search of this game.
pub(super) fn limits<G: Engine>(
    game: &Game<G>,
    request: &Request,
    cpu_clock: bool,
    messages: &mut Vec<String>,
) -> Limits<G> {
    let position = game.position();
    let mut limits = Limits {
        depth: request.depth,
        nodes: request.nodes,
        mate: request.mate,
        movetime: request.movetime.filter(|_| !cpu_clock),
        cputime: request.movetime.filter(|_| cpu_clock),
        clock: request
            .clock(position.side_to_move())
            .map(|(left, increment)| Clock {
                left,
                increment,
                turns_to_go: request.moves_to_go,
            }),
        infinite: request.infinite,
        ponder: request.ponder,
        searchmoves: Vec::new(),
    };
    if !position.awaits_roll() {
        for token in &request.searchmoves {
            match split_roll(token).and_then(|(_, rest)| parse_turn(position, rest)) {
                Ok(turn) => limits.searchmoves.push(turn),
                Err(error) => messages.push(format!("searchmoves: {error}")),
            }
        }
    }
    limits
}

fn run_search<G: Engine>(
    game: &Game<G>,
    limits: &Limits<G>,
    context: &SearchContext,
    control: &Control,
) -> String {
    let root = *game.position();
    let searched = catch_unwind(AssertUnwindSafe(|| {
        Searcher::new(&context.table, &context.settings, control).run(game, limits, &mut |report| {
            say_report(&root, &report, context);
        })
    }));
    let (best, ponder) = match searched {
        Ok(Answer { best, ponder, .. }) => (best, ponder),
        Err(panic) => {
            context.message(&format!(
                "Error: the search failed ({}); answering with an arbitrary legal turn",
                panic_text(&*panic)
            ));
            control.wait_for_release(limits.infinite, limits.ponder);
            (any_turn(&root, &limits.searchmoves), None)
        }
    };
    answer(&root, best, ponder, context)
}

fn say_report<G: Engine>(root: &G, report: &Report<G>, context: &SearchContext) {
    let line = match report {
        Report::Pv(info) => Some(
            context
                .format
                .pv(&PvLine::new(root, info, context.show_wdl)),
        ),
        Report::Current {
            depth,
            turn,
            number,
        } => context
            .format
            .current(*depth, &turn_token(root, turn), *number),
        Report::Roll {
            roll,
            weight,
            win_chance,
            turn,
        } => {
            let mut rolled = *root;
            rolled.set_roll(*roll);
            let token = turn_token(&rolled, turn);
            let text = format!("roll {roll} weight {weight} chance {win_chance:.4} best {token}");
            Some(context.format.message(&text))
        }
        Report::Message(text) => Some(context.format.message(text)),
    };
    if let Some(line) = line {
        context.output.say(&line);
    }
}

/// The `bestmove` line of a search.
fn answer<G: Engine>(
    root: &G,
    best: Option<Turn<G::Step>>,
    ponder: Option<Turn<G::Step>>,
    context: &SearchContext,
) -> String {
    let best = best.map_or(
        Best {
            turn: None,
            ponder: None,
        },
        |mut turn| {
            let mut ponder = ponder.map(|reply| turn_token(&position_after(root, &turn), &reply));
            if context.single_moves && turn.len() > 1 {
                turn.truncate(1);
                ponder = None;
            }
            Best {
                turn: Some(turn_token(root, &turn)),
                ponder,
            }
        },
    );
    context.format.best(&best)
}

/// Any legal turn, one of `among` if that is not empty: the answer after a failed search.
fn any_turn<G: Engine>(root: &G, among: &[Turn<G::Step>]) -> Option<Turn<G::Step>> {
    let mut turn = among.first().cloned().unwrap_or_default();
    let mut position = position_after(root, &turn);
    while turn.is_empty() || position.is_mid_turn() {
        let step = *legal_steps(&position).first()?;
        position.play(step);
        turn.push(step);
    }
    Some(turn)
}
