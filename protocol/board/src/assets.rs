//! The page, embedded.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asset {
    /// Its path on the server.
    pub(crate) path: &'static str,
    pub(crate) mime: &'static str,
    pub(crate) text: &'static str,
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
            $(Asset { path: $path, mime: $mime, text: include_str!(concat!("page/", $file)) },)*
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
    "/panels.js" = "panels.js", JS;
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
        let bytes = HOME.len() + ASSETS.iter().map(|asset| asset.text.len()).sum::<usize>();
        println!("{bytes} bytes in {} files", 1 + ASSETS.len());
        assert!(bytes < 400_000, "{bytes}");
    }

    #[test]
    fn the_page_fetches_nothing_from_elsewhere() {
        for asset in ASSETS {
            for link in asset
                .text
                .match_indices("://")
                .map(|(at, _)| &asset.text[..at])
            {
                let scheme = link
                    .rsplit(|letter: char| !letter.is_ascii_alphabetic())
                    .next();
                let namespace = asset.text[link.len()..].starts_with("://www.w3.org/");
                assert!(
                    namespace || !matches!(scheme, Some("http" | "https" | "ws" | "wss")),
                    "{}",
                    asset.path
                );
            }
        }
    }
}
