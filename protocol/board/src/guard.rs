//! Who may ask: pages that came from this server only. Other pages in the same browser reach the port, too, by its number or
//! under a name that was made to point here (DNS rebinding); they are recognised by Host and Origin. Where other machines reach the
//! server, everything needs a key besides, which the first visit brings in its address and leaves in a cookie.

use crate::board::FILES;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::time::Duration;

/// What the page may do: its own scripts and styles, requests to its own server, nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Time that a request has, unless its answer is a stream of events.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The port of HTTP, which clients leave out where they name a host.
const HTTP: u16 = 80;

/// What other pages are answered.
const OTHER_PAGES: &str = "requests of other pages are refused";

/// What a visitor without the key is answered.
const NO_KEY: &str = "this board is shared with a key: open the whole address that the program printed, which ends with ?key= and the key";
/// How long a browser keeps the key, in seconds: a week.
const KEY_AGE: u32 = 604_800;

/// The names under which the server is known, and the key that it asks for.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    port: u16,
    hosts: Vec<String>,
    origins: Vec<String>,
    /// Asked for where other machines reach the server.
    key: Option<String>,
}

impl Names {
    /// Those of a port on this machine only, or, with a key, of all its addresses.
    pub(crate) fn of_port(port: u16, key: Option<String>) -> Self {
        let names = ["127.0.0.1", "localhost"];
        let mut hosts: Vec<String> = names.map(|name| format!("{name}:{port}")).to_vec();
        if port == HTTP {
            hosts.extend(names.map(str::to_owned));
        }
        let origins = hosts.iter().map(|host| format!("http://{host}")).collect();
        Self {
            port,
            hosts,
            origins,
            key,
        }
    }

    /// Whether a host is this server. From other machines it is called by its number: a name could be anybody's.
    fn is_known(&self, host: &str) -> bool {
        let is_number = || {
            let mut address = host.parse::<SocketAddr>();
            if self.port == HTTP && address.is_err() {
                address = format!("{host}:{HTTP}").parse();
            }
            address.is_ok_and(|address| address.port() == self.port)
        };
        self.hosts.iter().any(|known| known == host) || (self.key.is_some() && is_number())
    }

    /// Whether an origin is a page of the host that is asked.
    fn is_own(&self, origin: &str, host: &str) -> bool {
        let scheme_and_host = origin.strip_prefix("http://");
        self.origins.iter().any(|known| known == origin) || scheme_and_host == Some(host)
    }

    /// The name of the cookie: cookies are shared by all ports of a host.
    fn cookie_name(&self) -> String {
        format!("fauve-{}", self.port)
    }

    /// What becomes of a request as far as the key is concerned.
    fn admit(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Admission {
        let Some(key) = &self.key else {
            return Admission::Known;
        };
        let query = uri.query().unwrap_or_default();
        let mut words = form_urlencoded::parse(query.as_bytes());
        if *method == Method::GET
            && uri.path() == "/"
            && let Some((_, given)) = words.find(|(name, _)| name == "key")
        {
            return if is_same(&given, key) {
                let name = self.cookie_name();
                Admission::Greeted(format!(
                    "{name}={key}; Path=/; Max-Age={KEY_AGE}; HttpOnly; SameSite=Lax"
                ))
            } else {
                Admission::Unknown
            };
        }
        let cookies = headers.get_all(header::COOKIE).iter();
        let mut cookies = cookies
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='));
        let name = self.cookie_name();
        if cookies.any(|(other, given)| other == name && is_same(given, key)) {
            Admission::Known
        } else {
            Admission::Unknown
        }
    }

    /// Why a request is refused, whoever it comes from.
    fn refusal(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Option<(StatusCode, String)> {
        let text = |name| headers.get(name).map(HeaderValue::to_str);
        let host = headers.get_all(header::HOST).iter().count();
        let name = match text(header::HOST) {
            Some(Ok(name)) if host == 1 && self.is_known(name) => name,
            _ => {
                // Through a tunnel the browser has to ask for the same name and port.
                let address = self.hosts.first().map_or("", String::as_str);
                let (_, port) = address.split_once(':').unwrap_or_default();
                let why = format!(
                    "this board answers at http://{address}/ only; through ssh: ssh -L {port}:{address}"
                );
                return Some((StatusCode::MISDIRECTED_REQUEST, why));
            }
        };
        match text(header::ORIGIN) {
            None => {}
            Some(Ok(origin)) if self.is_own(origin, name) => {}
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

/// Who sends a request, where a key is asked for.
#[derive(PartialEq, Eq, Debug)]
enum Admission {
    /// One that needs no key, or has it.
    Known,
    /// One that brings the key in the address; it gets this cookie, and is sent to the address without the key.
    Greeted(String),
    /// One without the key.
    Unknown,
}

/// Compares a key in a time that does not depend on where the texts differ.
fn is_same(given: &str, key: &str) -> bool {
    let differences = given.bytes().zip(key.bytes()).map(|(a, b)| a ^ b);
    given.len() == key.len() && differences.fold(0, |all, one| all | one) == 0
}

/// The answer to a request, or why there is none.
async fn answer(names: &Names, request: Request, next: Next) -> Response {
    let (method, uri, headers) = (request.method(), request.uri(), request.headers());
    if let Some((status, why)) = names.refusal(method, uri.path(), headers) {
        return (status, why).into_response();
    }
    match names.admit(method, uri, headers) {
        Admission::Known => {}
        Admission::Greeted(cookie) => {
            let headers = [
                (header::SET_COOKIE, cookie.as_str()),
                (header::LOCATION, "/"),
            ];
            return (StatusCode::SEE_OTHER, headers).into_response();
        }
        Admission::Unknown => return (StatusCode::FORBIDDEN, NO_KEY).into_response(),
    }
    match tokio::time::timeout(REQUEST_TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => (StatusCode::REQUEST_TIMEOUT, "this took too long").into_response(),
    }
}

/// Refuses what does not come from the page, ends what takes too long, and says to the browser what the page may do.
pub(crate) async fn guard(State(names): State<Names>, request: Request, next: Next) -> Response {
    let mut response = answer(&names, request, next).await;
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
        let refusal = Names::of_port(8484, None).refusal(method, path, &map);
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

    const KEY: &str = "0123456789abcdef0123456789abcdef";

    fn admission(uri: &str, cookies: &[&str]) -> Admission {
        let mut headers = HeaderMap::new();
        for cookie in cookies {
            headers.append(header::COOKIE, HeaderValue::from_str(cookie).unwrap());
        }
        let names = Names::of_port(8484, Some(KEY.to_owned()));
        names.admit(&Method::GET, &uri.parse().unwrap(), &headers)
    }

    #[test]
    fn whoever_brings_the_key_gets_a_cookie_and_needs_it_no_more() {
        let Admission::Greeted(cookie) = admission(&format!("/?key={KEY}"), &[]) else {
            panic!("the key is right");
        };
        let (pair, rest) = cookie.split_once(';').expect("what the browser may do");
        assert!(rest.contains("HttpOnly") && rest.contains("SameSite=Lax"));
        for uri in ["/", "/main.js", "/api/games", "/?other=1"] {
            assert_eq!(admission(uri, &[pair]), Admission::Known, "{uri}");
            assert_eq!(admission(uri, &["a=b; c=d", pair]), Admission::Known);
            assert_eq!(
                admission(uri, &[&format!("a=b; {pair}; c")]),
                Admission::Known
            );
        }
    }

    #[test]
    fn without_the_key_nothing_is_answered() {
        let others = [
            String::new(),
            "fauve-8484".to_owned(),
            "fauve-8484=".to_owned(),
            format!("fauve-8484={}", &KEY[1..]),
            format!("fauve-8484={KEY}0"),
            format!("fauve-8485={KEY}"),
            format!("fauve-8484={}", KEY.to_uppercase()),
        ];
        for uri in [
            "/",
            "/main.js",
            "/api/games",
            "/?key",
            "/?key=",
            "/?key=0",
            "/nowhere",
        ] {
            for cookie in &others {
                assert_eq!(
                    admission(uri, &[cookie]),
                    Admission::Unknown,
                    "{uri}, {cookie}"
                );
            }
        }
        // The key is taken in the address of the page only, and a wrong one is not made good by the cookie.
        assert_eq!(
            admission(&format!("/api/games?key={KEY}"), &[]),
            Admission::Unknown
        );
        let cookie = format!("fauve-8484={KEY}");
        assert_eq!(admission("/?key=0", &[&cookie]), Admission::Unknown);
    }

    #[test]
    fn a_shared_board_is_called_by_its_number_and_asked_by_its_own_pages() {
        let names = Names::of_port(8484, Some(KEY.to_owned()));
        let status = |headers: &[(&'static str, &str)]| {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.append(*name, HeaderValue::from_str(value).unwrap());
            }
            let refusal = names.refusal(&Method::GET, "/api/games", &map);
            refusal.map_or(200, |(status, _)| status.as_u16())
        };
        for host in [
            "192.168.1.5:8484",
            "[fe80::1]:8484",
            "localhost:8484",
            "127.0.0.1:8484",
        ] {
            assert_eq!(status(&[("host", host)]), 200, "{host}");
            let own = format!("http://{host}");
            assert_eq!(status(&[("host", host), ("origin", &own)]), 200, "{host}");
            let other = ("origin", "http://192.168.1.6:8484");
            assert_eq!(status(&[("host", host), other]), 403, "{host}");
        }
        for host in [
            "evil.example:8484",
            "192.168.1.5",
            "192.168.1.5:80",
            "1.2.3:8484",
            "",
        ] {
            assert_eq!(status(&[("host", host)]), 421, "{host}");
        }
    }

    #[test]
    fn on_the_port_of_http_hosts_have_no_port() {
        let status = |key: Option<&str>, host: &str, origin: &str| {
            let mut map = HeaderMap::new();
            map.append("host", HeaderValue::from_str(host).unwrap());
            map.append("origin", HeaderValue::from_str(origin).unwrap());
            let names = Names::of_port(80, key.map(str::to_owned));
            let refusal = names.refusal(&Method::GET, "/api/games", &map);
            refusal.map_or(200, |(status, _)| status.as_u16())
        };
        for host in ["127.0.0.1", "localhost", "127.0.0.1:80", "localhost:80"] {
            for key in [None, Some(KEY)] {
                assert_eq!(status(key, host, &format!("http://{host}")), 200, "{host}");
                assert_eq!(status(key, host, "http://evil.example"), 403, "{host}");
            }
        }
        for host in ["192.168.1.5", "[fe80::1]", "192.168.1.5:80"] {
            let own = format!("http://{host}");
            assert_eq!(status(Some(KEY), host, &own), 200, "{host}");
            assert_eq!(status(None, host, &own), 421, "{host}");
        }
        for host in ["evil.example", "127.0.0.1:8484", "192.168.1.5:8484", ""] {
            assert_eq!(status(Some(KEY), host, "http://127.0.0.1"), 421, "{host}");
        }
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
