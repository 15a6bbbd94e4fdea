//! The page, embedded.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asset {
    /// Its path on the server.
    pub(crate) path: &'static str,
    pub(crate) mime: &'static str,
    /// The file as gzip: it is sent so, every browser unpacks it.
    pub(crate) packed: &'static [u8],
}

/// The page itself; `{start}` stands for what the program was started with.
pub(crate) const HOME: &str = include_str!("page/index.html");
pub(crate) const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";
const TEXT: &str = "text/plain; charset=utf-8";

macro_rules! assets {
    ($($name:literal, $mime:ident;)*) => {
        /// All files of the page: nothing else can be asked for.
        pub(crate) const ASSETS: &[Asset] = &[
            $(Asset {
                path: concat!("/", $name),
                mime: $mime,
                packed: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".gz")),
            },)*
            library!("preact", "preact.module.js"),
            library!("three", "three.module.min.js"),
            library!("three", "three.core.min.js"),
        ];
    };
}

/// A file of a library, which is in the repository as it is sent.
macro_rules! library {
    ($folder:literal, $name:literal) => {
        Asset {
            path: concat!("/", $name),
            mime: JS,
            packed: include_bytes!(concat!("page/", $folder, "/", $name, ".gz")),
        }
    };
}

assets! {
    "style.css", CSS;
    "icon.svg", SVG;
    "manifest.webmanifest", MANIFEST;
    "main.js", JS;
    "api.js", JS;
    "text.js", JS;
    "dom.js", JS;
    "settings.js", JS;
    "pieces.js", JS;
    "flat.js", JS;
    "relief.js", JS;
    "stage.js", JS;
    "turn.js", JS;
    "dice.js", JS;
    "frame.js", JS;
    "panels.js", JS;
    "solid.js", JS;
    "analysis.js", JS;
    "graph.js", JS;
    "puzzles.js", JS;
    "puzzles-chess.txt", TEXT;
    "puzzles-superchess.txt", TEXT;
    "puzzles-twomove.txt", TEXT;
    "puzzles-dicechess.txt", TEXT;
    "puzzles-cubes4d.txt", TEXT;
    "report.js", JS;
    "picture.js", JS;
    "files.js", JS;
    "sounds.js", JS;
    "diagram.js", JS;
    "retry.js", JS;
    "fields.js", JS;
    "setup.js", JS;
    "match.js", JS;
    "place.js", JS;
    "premove.js", JS;
    "looks.js", JS;
    "notation.js", JS;
    "notes.js", JS;
    "keys.js", JS;
    "rules.js", JS;
}

/// The file of a path.
pub(crate) fn asset(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    use flate2::read::GzDecoder;
    use std::io::Read;

    /// How the paths of libraries and puzzles begin.
    const OTHERS: [&str; 3] = ["/three.", "/preact.", "/puzzles-"];

    /// The files of the page itself, with their texts.
    fn own() -> impl Iterator<Item = (&'static str, String)> {
        let is_other = |path: &str| OTHERS.iter().any(|other| path.starts_with(other));
        let own = ASSETS.iter().filter(move |asset| !is_other(asset.path));
        own.map(|asset| (asset.path, unpacked(asset)))
    }

    fn unpacked(asset: &Asset) -> String {
        let mut text = String::new();
        let read = GzDecoder::new(asset.packed).read_to_string(&mut text);
        read.expect(asset.path);
        text
    }

    #[test]
    fn every_file_of_the_page_is_there_as_it_was_written() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page");
        let files = std::fs::read_dir(page).unwrap().map(Result::unwrap);
        let files = files.filter(|file| file.file_type().unwrap().is_file());
        let mut written: Vec<_> = files
            .map(|file| {
                let path = format!("/{}", file.file_name().to_str().unwrap());
                (path, std::fs::read_to_string(file.path()).unwrap())
            })
            .filter(|(path, _)| path != "/index.html")
            .collect();
        let mut embedded: Vec<_> = own().map(|(path, text)| (path.to_owned(), text)).collect();
        written.sort();
        embedded.sort();
        assert_eq!(written, embedded);
    }

    #[test]
    fn the_puzzles_are_there_as_they_were_made_and_small() {
        let puzzles = ASSETS
            .iter()
            .filter(|asset| asset.path.starts_with("/puzzles-"));
        let (mut bytes, mut count) = (0, 0);
        for asset in puzzles {
            let name = asset.path.trim_start_matches("/puzzles-");
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/puzzles/");
            let made = std::fs::read_to_string(format!("{folder}{name}")).unwrap();
            assert!(unpacked(asset) == made, "{name}");
            bytes += asset.packed.len();
            count += 1;
        }
        assert_eq!(count, 5);
        assert!(bytes < 60_000, "{bytes}");
    }

    #[test]
    fn the_page_is_small() {
        let bytes = HOME.len() + own().map(|(_, text)| text.len()).sum::<usize>();
        println!("{bytes} bytes without three.js");
        assert!(bytes < 400_000, "{bytes}");
    }

    #[test]
    fn the_page_fetches_nothing_from_elsewhere() {
        // The library names its documentation; the policy of the page lets nothing of it be fetched.
        for (path, text) in own() {
            for link in text.match_indices("://").map(|(at, _)| &text[..at]) {
                let scheme = link
                    .rsplit(|letter: char| !letter.is_ascii_alphabetic())
                    .next();
                let namespace = text[link.len()..].starts_with("://www.w3.org/");
                assert!(
                    namespace || !matches!(scheme, Some("http" | "https" | "ws" | "wss")),
                    "{path}"
                );
            }
        }
    }
}
