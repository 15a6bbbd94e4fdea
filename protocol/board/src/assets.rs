//! The page, embedded.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asset {
    /// Its path on the server.
    pub(crate) path: &'static str,
    pub(crate) mime: &'static str,
    pub(crate) bytes: &'static [u8],
}

impl Asset {
    /// Whether it is embedded as gzip, and sent so.
    pub(crate) fn is_packed(&self) -> bool {
        self.bytes.starts_with(&[0x1f, 0x8b])
    }
}

/// The page itself; `{start}` stands for what the program was started with.
pub(crate) const HOME: &str = include_str!("page/index.html");
pub(crate) const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! assets {
    ($($path:literal = $file:literal, $mime:ident;)*) => {
        /// All files of the page: nothing else can be asked for.
        pub(crate) const ASSETS: &[Asset] = &[
            $(Asset { path: $path, mime: $mime, bytes: include_bytes!(concat!("page/", $file)) },)*
        ];
    };
}

assets! {
    "/style.css" = "style.css", CSS;
    "/icon.svg" = "icon.svg", SVG;
    "/main.js" = "main.js", JS;
    "/api.js" = "api.js", JS;
    "/text.js" = "text.js", JS;
    "/dom.js" = "dom.js", JS;
    "/settings.js" = "settings.js", JS;
    "/men.js" = "men.js", JS;
    "/flat.js" = "flat.js", JS;
    "/relief.js" = "relief.js", JS;
    "/stage.js" = "stage.js", JS;
    "/turn.js" = "turn.js", JS;
    "/dice.js" = "dice.js", JS;
    "/frame.js" = "frame.js", JS;
    "/panels.js" = "panels.js", JS;
    "/solid.js" = "solid.js", JS;
    "/three.module.min.js" = "three/three.module.min.js.gz", JS;
    "/three.core.min.js" = "three/three.core.min.js.gz", JS;
    "/analysis.js" = "analysis.js", JS;
    "/graph.js" = "graph.js", JS;
    "/setup.js" = "setup.js", JS;
    "/match.js" = "match.js", JS;
    "/rules.js" = "rules.js", JS;
}

/// The file of a path.
pub(crate) fn asset(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small() {
        let own = ASSETS.iter().filter(|asset| !asset.is_packed());
        let bytes = HOME.len() + own.map(|asset| asset.bytes.len()).sum::<usize>();
        println!("{bytes} bytes without three.js");
        assert!(bytes < 400_000, "{bytes}");
    }

    #[test]
    fn the_page_fetches_nothing_from_elsewhere() {
        // The library names its documentation; the policy of the page lets nothing of it be fetched.
        for asset in ASSETS.iter().filter(|asset| !asset.is_packed()) {
            let text = std::str::from_utf8(asset.bytes).expect("text");
            for link in text.match_indices("://").map(|(at, _)| &text[..at]) {
                let scheme = link
                    .rsplit(|letter: char| !letter.is_ascii_alphabetic())
                    .next();
                let namespace = text[link.len()..].starts_with("://www.w3.org/");
                assert!(
                    namespace || !matches!(scheme, Some("http" | "https" | "ws" | "wss")),
                    "{}",
                    asset.path
                );
            }
        }
    }
}
