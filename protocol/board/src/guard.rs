//! Who may ask: pages that came from this server only. Other pages in the same browser reach the port, too, by its number or
//! under a name that was made to point here (DNS rebinding); they are recognised by Host and Origin.

use crate::board::FILES;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::time::Duration;

/// What the page may do: its own scripts and styles, requests to its own server, nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// How long an answer may take that is no stream of events.
const PATIENCE: Duration = Duration::from_secs(30);

/// What other pages are answered.
const OTHER_PAGES: &str = "requests of other pages are refused";

/// The names under which the server is known.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Names {
    /// Those of a port.
    pub(crate) fn of_port(port: u16) -> Self {
        let hosts: Vec<String> = ["127.0.0.1", "localhost"]
            .iter()
            .map(|name| format!("{name}:{port}"))
            .collect();
        let origins = hosts.iter().map(|host| format!("http://{host}")).collect();
        Self { hosts, origins }
    }

    /// Why a request is refused.
    fn refusal(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Option<(StatusCode, String)> {
        let text = |name| headers.get(name).map(HeaderValue::to_str);
        let host = headers.get_all(header::HOST).iter().count();
        match text(header::HOST) {
            Some(Ok(name)) if host == 1 && self.hosts.iter().any(|known| known == name) => {}
            _ => {
                // Through a tunnel the browser has to ask for the same name and port.
                let address = self.hosts.first().map_or("", String::as_str);
                let (_, port) = address.split_once(':').unwrap_or_default();
                let why = format!(
                    "this board answers at http://{address}/ only; through ssh: ssh -L {port}:{address}"
                );
                return Some((StatusCode::MISDIRECTED_REQUEST, why));
            }
        }
        match text(header::ORIGIN) {
            None => {}
            Some(Ok(origin)) if self.origins.iter().any(|known| known == origin) => {}
            Some(_) => return Some((StatusCode::FORBIDDEN, OTHER_PAGES.to_owned())),
        }
        let fetch = |name| headers.get(name).and_then(|value| value.to_str().ok());
        // A link that is clicked in another page opens this one, which changes nothing by being opened.
        let is_link = method == Method::GET
            && path == "/"
            && fetch("sec-fetch-mode") == Some("navigate")
            && fetch("sec-fetch-dest") == Some("document");
        if let Some(site) = fetch("sec-fetch-site")
            && !matches!(site, "same-origin" | "none")
            && !is_link
        {
            return Some((StatusCode::FORBIDDEN, OTHER_PAGES.to_owned()));
        }
        if method == Method::POST {
            // Both are types that no form of another page can send.
            let (mime, why) = match path {
                FILES => ("application/octet-stream", "files are sent as bytes"),
                _ => ("application/json", "requests are JSON"),
            };
            let is_meant = matches!(text(header::CONTENT_TYPE), Some(Ok(given)) if given.split(';').next() == Some(mime));
            if !is_meant {
                return Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, why.to_owned()));
            }
        }
        None
    }
}

/// Refuses what does not come from the page, ends what takes too long, and says to the browser what the page may do.
pub(crate) async fn guard(State(names): State<Names>, request: Request, next: Next) -> Response {
    let refusal = names.refusal(request.method(), request.uri().path(), request.headers());
    let mut response = match refusal {
        Some((status, why)) => (status, why).into_response(),
        None => match tokio::time::timeout(PATIENCE, next.run(request)).await {
            Ok(response) => response,
            Err(_) => (StatusCode::REQUEST_TIMEOUT, "this took too long").into_response(),
        },
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(
        "cross-origin-resource-policy",
        HeaderValue::from_static("same-origin"),
    );
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(method: &Method, headers: &[(&'static str, &str)]) -> u16 {
        status_of(method, "/api/games", headers)
    }

    fn status_of(method: &Method, path: &str, headers: &[(&'static str, &str)]) -> u16 {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        let refusal = Names::of_port(8484).refusal(method, path, &map);
        refusal.map_or(200, |(status, _)| status.as_u16())
    }

    #[test]
    fn a_link_in_another_page_opens_the_page_and_nothing_else() {
        let link = |mode, dest| {
            [
                ("host", "127.0.0.1:8484"),
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-mode", mode),
                ("sec-fetch-dest", dest),
            ]
        };
        let clicked = link("navigate", "document");
        assert_eq!(status_of(&Method::GET, "/", &clicked), 200);
        assert_eq!(status_of(&Method::GET, "/api/games", &clicked), 403);
        assert_eq!(status_of(&Method::POST, "/", &clicked), 403);
        assert_eq!(
            status_of(&Method::GET, "/", &link("navigate", "iframe")),
            403
        );
        assert_eq!(
            status_of(&Method::GET, "/", &link("no-cors", "document")),
            403
        );
    }

    #[test]
    fn only_the_page_itself_is_answered() {
        let host = ("host", "127.0.0.1:8484");
        let json = ("content-type", "application/json; charset=utf-8");
        let get = &Method::GET;
        assert_eq!(status(get, &[host]), 200);
        assert_eq!(status(get, &[("host", "localhost:8484")]), 200);
        for other in [
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost.evil.example:8484",
            "[::1]:8484",
            "",
        ] {
            assert_eq!(status(get, &[("host", other)]), 421, "{other}");
        }
        assert_eq!(status(get, &[]), 421);
        assert_eq!(status(get, &[host, host]), 421);
        assert_eq!(
            status(get, &[host, ("origin", "http://127.0.0.1:8484")]),
            200
        );
        for other in [
            "null",
            "http://127.0.0.1:80",
            "https://127.0.0.1:8484",
            "http://evil.example",
        ] {
            assert_eq!(status(get, &[host, ("origin", other)]), 403, "{other}");
        }
        assert_eq!(status(get, &[host, ("sec-fetch-site", "same-origin")]), 200);
        assert_eq!(status(get, &[host, ("sec-fetch-site", "cross-site")]), 403);
        assert_eq!(status(&Method::POST, &[host, json]), 200);
        assert_eq!(status(&Method::POST, &[host]), 415);
        assert_eq!(
            status(&Method::POST, &[host, ("content-type", "text/plain")]),
            415
        );
    }
}
