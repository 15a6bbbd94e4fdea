//! What two tournaments differ in, where their records are to be one.

use crate::plan::openings::Openings;
use crate::player::identity::Identity;
use crate::record::header::Header;
use fauve_engine::rules::printable;
use serde_json::Value;
use std::fmt;

/// The longest value that is quoted, in characters.
const LONGEST_VALUE: usize = 60;

/// A setting of two tournaments that is not the same in both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The setting, as users know it.
    pub setting: String,
    /// Its value in the first.
    pub first: String,
    /// Its value in the second.
    pub second: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} / {}", self.setting, self.first, self.second)
    }
}

/// The differences as one text.
pub fn listed(differences: &[Difference]) -> String {
    let texts: Vec<String> = differences.iter().map(Difference::to_string).collect();
    texts.join("; ")
}

/// The settings that make two tournaments different ones. Programs, networks and books are compared by what is in them,
/// wherever they are, as far as both records know it. Not compared are the referee and the version of the format.
pub fn differences(first: &Header, second: &Header) -> Vec<Difference> {
    let [mut first, mut second] = [first, second].map(Clone::clone);
    second.format = first.format;
    (first.referee, second.referee) = (None, None);
    let mut found = Vec::new();
    for (one, other) in first.engines.iter_mut().zip(&mut second.engines) {
        if let (Some(a), Some(b)) = (&one.program, &other.program) {
            if !a.is_same(b) && one.name == other.name {
                found.push(Difference {
                    setting: format!("program of engine {}", printable(&one.name)),
                    first: a.to_string(),
                    second: b.to_string(),
                });
            }
            for spec in [&mut *one, &mut *other] {
                spec.command.clear();
                spec.directory = None;
            }
        }
        if let (Some(a), Some(b)) = (&one.network, &other.network) {
            if !a.is_same(b) && one.name == other.name {
                found.push(Difference {
                    setting: format!("network of engine {}", printable(&one.name)),
                    first: a.to_string(),
                    second: b.to_string(),
                });
            }
            one.forget_network();
            other.forget_network();
        }
        for spec in [one, other] {
            spec.program = None;
            spec.network = None;
        }
    }
    openings(&mut first.openings, &mut second.openings, &mut found);
    let values = [&first, &second].map(|header| serde_json::to_value(header).unwrap_or_default());
    let [Value::Object(mut first), Value::Object(mut second)] = values else {
        return found;
    };
    let engines = [first.remove("engines"), second.remove("engines")];
    if let [Some(Value::Array(one)), Some(Value::Array(other))] = engines {
        of_engines(&one, &other, &mut found);
    }
    of_objects("", &first, &second, &mut found);
    found
}

/// Books are compared by their positions.
fn openings(first: &mut Openings, second: &mut Openings, found: &mut Vec<Difference>) {
    let digests = (first.digest(), second.digest());
    if let (Some(a), Some(b)) = digests
        && let (
            Openings::File { path, book, .. },
            Openings::File {
                path: other,
                book: other_book,
                ..
            },
        ) = (&mut *first, &mut *second)
    {
        if a != b {
            found.push(Difference {
                setting: "openings".to_owned(),
                first: format!("{} ({a})", printable(path)),
                second: format!("{} ({b})", printable(other)),
            });
        }
        for (path, book) in [(path, book), (other, other_book)] {
            path.clear();
            book.forget();
        }
    }
}

fn of_engines(first: &[Value], second: &[Value], found: &mut Vec<Difference>) {
    let name = |engine: &Value| quoted(engine.get("name"));
    let names = |engines: &[Value]| engines.iter().map(name).collect::<Vec<_>>();
    if names(first) != names(second) {
        found.push(Difference {
            setting: "engines".to_owned(),
            first: names(first).join(", "),
            second: names(second).join(", "),
        });
        return;
    }
    for (one, other) in first.iter().zip(second) {
        if let (Value::Object(a), Value::Object(b)) = (one, other) {
            of_objects(&format!("engine {}: ", name(one)), a, b, found);
        }
    }
}

type Object = serde_json::Map<String, Value>;

fn of_objects(prefix: &str, first: &Object, second: &Object, found: &mut Vec<Difference>) {
    let mut keys: Vec<&String> = first.keys().chain(second.keys()).collect();
    keys.sort();
    keys.dedup();
    for key in keys {
        let (one, other) = (first.get(key), second.get(key));
        if one != other {
            found.push(Difference {
                setting: format!("{prefix}{}", word(key)),
                first: quoted(one),
                second: quoted(other),
            });
        }
    }
}

/// What users call a field of the record.
fn word(key: &str) -> &str {
    match key {
        "max_turns" => "max-turns",
        "pairings" => "tournament",
        "rules" => "rule",
        "command" => "cmd",
        "arguments" => "args",
        "directory" => "dir",
        "protocol" => "proto",
        other => other,
    }
}

fn quoted(value: Option<&Value>) -> String {
    let text = match value {
        None => return "none".to_owned(),
        Some(Value::String(text)) => printable(text),
        Some(value) => value.to_string(),
    };
    if text.chars().count() <= LONGEST_VALUE {
        return text;
    }
    text.chars().take(LONGEST_VALUE).chain(['…']).collect()
}

/// Takes over what only one of two records of one tournament knows.
pub fn complete(into: &mut Header, from: &Header) {
    into.referee.clone_from(&from.referee);
    for (one, other) in into.engines.iter_mut().zip(&from.engines) {
        complete_identity(&mut one.program, other.program.as_ref());
        complete_identity(&mut one.network, other.network.as_ref());
    }
}

fn complete_identity(into: &mut Option<Identity>, from: Option<&Identity>) {
    match (into, from) {
        (Some(into), Some(from)) if into.id.is_none() => into.id.clone_from(&from.id),
        (into @ None, Some(from)) => *into = Some(from.clone()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples::header;

    fn program(sha256: &str, id: Option<&str>) -> Identity {
        Identity {
            id: id.map(str::to_owned),
            size: 7,
            sha256: sha256.to_owned(),
        }
    }

    #[test]
    fn the_settings_that_differ_are_named() {
        let one = header();
        assert_eq!(differences(&one, &one), []);
        let mut other = one.clone();
        other.margin = 21;
        other.engines[1].limit.nodes = Some(5);
        assert_eq!(
            listed(&differences(&one, &other)),
            "engine b: limit: {} / {\"nodes\":5}; margin: 20 / 21"
        );
        other.engines.pop();
        assert!(listed(&differences(&one, &other)).starts_with("engines: a, b / a; "));
    }

    #[test]
    fn a_program_is_known_by_what_is_in_it_and_not_by_its_path() {
        let mut one = header();
        one.engines[0].command = "/here/engine".to_owned();
        let mut other = header();
        other.engines[0].command = "/there/engine".to_owned();
        assert_eq!(
            listed(&differences(&one, &other)),
            "engine a: cmd: /here/engine / /there/engine"
        );
        one.engines[0].program = Some(program("ab", None));
        other.engines[0].program = Some(program("ab", Some("Engine 1")));
        assert_eq!(differences(&one, &other), []);
        other.engines[0].command = "/here/engine".to_owned();
        other.engines[0].program = Some(program("cd", Some("Engine 2")));
        let text = listed(&differences(&one, &other));
        assert!(text.starts_with("program of engine a: "), "{text}");
        assert!(text.contains("Engine 2"), "{text}");
    }
}
