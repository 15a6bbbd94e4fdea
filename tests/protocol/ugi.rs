//! UGI: its own greeting, new game and clocks, questions, and no word for the expected reply.

use super::driver::Engine;

#[test]
fn a_game_in_ugi() {
    let mut engine = Engine::start(&[]);
    engine.send("ugi");
    let (lines, _) = engine.until("ugiok", |line| line == "ugiok");
    assert!(lines.iter().any(|line| line.starts_with("id name Fauve")));
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("option name UCI_Variant"))
    );
    for line in ["uginewgame", "position startpos moves e2e4"] {
        engine.send(line);
    }
    engine.sync();
    for (question, answer) in [
        ("query p1turn", "response false"),
        ("query gameover", "response false"),
        ("query result", "response none"),
    ] {
        engine.send(question);
        assert_eq!(engine.expect("response"), answer);
    }
    engine.send("go p1time 2000 p2time 2000 p1inc 10 p2inc 10");
    let best = engine.expect("bestmove ");
    assert_eq!(best.split(' ').count(), 2, "{best}");
    engine.send("position startpos moves f2f3 e7e5 g2g4 d8h4");
    engine.sync();
    for (question, answer) in [
        ("query gameover", "response true"),
        ("query result", "response p2win"),
    ] {
        engine.send(question);
        assert_eq!(engine.expect("response"), answer);
    }
}
