use super::state::Cecp;
use crate::wire::engine_session::EngineSession;
use crate::wire::options::{Definition, Kind, definitions};

/// The names of the games on this wire.
pub(super) const VARIANTS: &str = "normal,fischerandom,super";

/// What the engine can do, and its options.
impl Cecp {
    /// The answer to `protover`.
    pub(super) fn features(session: &EngineSession) {
        let mut lines = vec![format!(
            "feature ping=1 setboard=1 usermove=1 analyze=1 memory=1 smp=1 exclude=1 colors=0 sigint=0 sigterm=0 \
             debug=1 variants=\"{VARIANTS}\" myname=\"Fauve {}\"",
            env!("CARGO_PKG_VERSION")
        )];
        for definition in definitions() {
            lines.extend(feature(&definition));
        }
        lines.push("feature done=1".to_owned());
        session.output.say(&lines.join("\n"));
    }

    /// `option NAME=VALUE`, or `option NAME` for a button.
    pub(super) fn option(session: &mut EngineSession, text: &str) {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let (name, value) = (name.trim(), value.trim());
        // Check boxes are 0 and 1 on this wire.
        let is_check = definitions().iter().any(|definition| {
            definition.name.eq_ignore_ascii_case(name)
                && matches!(definition.kind, Kind::Check { .. })
        });
        let value = match value {
            "1" if is_check => "true",
            "0" if is_check => "false",
            other => other,
        };
        session.set_option(name, value);
    }
}

/// The `feature option` line of an option, for those that this protocol has no other words for.
fn feature(definition: &Definition) -> Option<String> {
    let name = definition.name;
    let has_words = matches!(
        name,
        "Hash" | "Threads" | "Ponder" | "MultiPV" | "Prologue" | "Promotion Pool" | "Turn Output"
    );
    if name.starts_with("UCI_") && name != "UCI_LimitStrength" && name != "UCI_Elo" || has_words {
        return None;
    }
    let control = match &definition.kind {
        Kind::Check { default } => format!("-check {}", u8::from(*default)),
        Kind::Spin { default, min, max } => format!("-spin {default} {min} {max}"),
        Kind::Combo { default, choices } => {
            let words: Vec<String> = choices
                .iter()
                .map(|&word| format!("{}{word}", if word == *default { "*" } else { "" }))
                .collect();
            format!("-combo {}", words.join(" /// "))
        }
        Kind::Button => "-button".to_owned(),
        Kind::Text { default } => format!("-string {default}"),
    };
    Some(format!("feature option=\"{name} {control}\""))
}
