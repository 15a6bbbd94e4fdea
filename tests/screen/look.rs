//! How a screen looks on a light and on a dark terminal: every cell's colours, and whether they can be told apart.

use std::collections::BTreeMap;
use std::fmt::Write;
use vt100::Color;

/// The colours of a terminal where a program sets none.
struct Theme {
    name: &'static str,
    letters: [u8; 3],
    ground: [u8; 3],
}

const THEMES: [Theme; 2] = [
    Theme {
        name: "light",
        letters: [0x22, 0x22, 0x22],
        ground: [0xff, 0xff, 0xff],
    },
    Theme {
        name: "dark",
        letters: [0xcc, 0xcc, 0xcc],
        ground: [0x00, 0x00, 0x00],
    },
];

/// What letters of the size and weight of a board have to have at least (WCAG 2.2, 1.4.11 and 1.4.3 for large text).
const LEAST_CONTRAST: f64 = 3.0;

impl Theme {
    /// A colour as this terminal shows it; programs may set those that do not differ between terminals.
    fn resolve(color: Color, own: [u8; 3]) -> [u8; 3] {
        match color {
            Color::Default => own,
            Color::Idx(number @ 16..=231) => {
                let number = number - 16;
                [number / 36, number / 6 % 6, number % 6]
                    .map(|level| if level == 0 { 0 } else { 55 + 40 * level })
            }
            Color::Idx(number @ 232..) => [8 + 10 * (number - 232); 3],
            Color::Idx(number) => panic!("colour {number} is another on every terminal"),
            Color::Rgb(r, g, b) => [r, g, b],
        }
    }
}

/// The relative luminance of a colour (WCAG 2.2).
fn luminance(color: [u8; 3]) -> f64 {
    let [r, g, b] = color.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    one.max(other) / one.min(other)
}

/// The text, and below it for each theme which cells have which colours: a letter per pair, `.` the terminal's own.
pub fn look(screen: &vt100::Screen) -> String {
    let mut text = screen.contents().trim_end().to_owned();
    let (lines, columns) = screen.size();
    let used = text.lines().count() as u16;
    for theme in &THEMES {
        let mut pairs: BTreeMap<([u8; 3], [u8; 3]), char> = BTreeMap::new();
        let mut rows = Vec::new();
        for y in 0..lines.get().min(used) {
            let mut row = String::new();
            for x in 0..columns.get() {
                let cell = screen.cell(y, x).expect("a cell");
                let is_own = cell.bgcolor() == Color::Default && cell.fgcolor() == Color::Default;
                let letters = Theme::resolve(cell.fgcolor(), theme.letters);
                let ground = Theme::resolve(cell.bgcolor(), theme.ground);
                if !cell.contents().trim().is_empty() {
                    let found = contrast(letters, ground);
                    let shown = cell.contents();
                    assert!(
                        found >= LEAST_CONTRAST,
                        "{}: '{shown}' in line {y} has a contrast of {found:.1}",
                        theme.name
                    );
                }
                let next = char::from(b'a' + pairs.len() as u8);
                row.push(if is_own {
                    '.'
                } else {
                    *pairs.entry((letters, ground)).or_insert(next)
                });
            }
            rows.push(row.trim_end_matches('.').to_owned());
        }
        let _ = write!(text, "\n\n== {}", theme.name);
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.sort_by_key(|&(_, letter)| letter);
        for ((letters, ground), letter) in pairs {
            let hex = |color: [u8; 3]| color.map(|part| format!("{part:02x}")).concat();
            let contrast = contrast(letters, ground);
            let (letters, ground) = (hex(letters), hex(ground));
            let _ = write!(text, "\n{letter}: {letters} on {ground}, {contrast:.1}");
        }
        for row in rows {
            let _ = write!(text, "\n{row}");
        }
    }
    text
}
