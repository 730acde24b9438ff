//! Who may speak with us. A page of another site can send requests here from the browser of somebody at this machine;
//! its `Origin` gives it away. A name that an attacker points at 127.0.0.1 would make it the same origin (DNS
//! rebinding); the `Host` gives that away.
//!
//! So the `Host` is an address of this machine, which no attacker can make his own, or a name that was allowed. The
//! `Origin`, where there is one, is the `Host`, or a name that was allowed: a proxy may pass requests on under a `Host`
//! of its own, while the browser knows the public name alone.

use super::complaints::Complaints;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::uri::Authority;
use axum::http::{StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hippolyta::words::shown;
use std::fmt::{self, Display, Formatter};
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;

/// A host as browsers name it: `play.example`, `play.example:8443`, `[::1]:8080`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    host: Host,
    /// `None` if it is the default of a scheme that is not named.
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Host {
    Ip(IpAddr),
    /// In lower case, without the dot that may end it.
    Name(String),
}

const HTTP: u16 = 80;
const HTTPS: u16 = 443;

fn is_default(port: u16) -> bool {
    port == HTTP || port == HTTPS
}

impl Name {
    /// `None` for what is no host, and for one with a user's name before it.
    fn parse(text: &str) -> Option<Self> {
        let authority: Authority = text.parse().ok()?;
        let host = authority.host();
        let port = match text.strip_prefix(host)? {
            "" | ":" => None,
            rest => {
                let digits = rest.strip_prefix(':').filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
                Some(digits.parse().ok()?)
            }
        };
        let host = match host.strip_prefix('[') {
            Some(bracketed) => Host::Ip(IpAddr::V6(bracketed.strip_suffix(']')?.parse().ok()?)),
            None => {
                let name = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
                let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
                match name.parse() {
                    Ok(ip) => Host::Ip(IpAddr::V4(ip)),
                    Err(_) if !name.is_empty() && name.bytes().all(fits) => Host::Name(name),
                    Err(_) => return None,
                }
            }
        };
        Some(Self { host, port })
    }

    /// The host of an `Origin`, whose port is always known.
    fn of_origin(text: &str) -> Option<Self> {
        let uri: Uri = text.parse().ok()?;
        let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
        let default = match scheme {
            "http" => HTTP,
            "https" => HTTPS,
            _ => return None,
        };
        let name = Self::parse(authority.as_str())?;
        Some(Self { port: name.port.or(Some(default)), ..name })
    }

    /// Whether a request to `host` may be meant by this name, which was allowed; `own` is the port that we listen at.
    fn allows_host(&self, host: &Self, own: u16) -> bool {
        self.host == host.host
            && match (self.port, host.port) {
                (None, None) => true,
                (None, Some(port)) => is_default(port) || port == own,
                (Some(port), None) => is_default(port),
                (Some(port), Some(other)) => port == other,
            }
    }

    /// Whether pages of `origin` are ours by this name, which was allowed or is the host that they speak with. A host
    /// without a port says nothing of the scheme: a proxy in front may have the other one.
    fn allows_origin(&self, origin: &Self) -> bool {
        self.host == origin.host
            && match self.port {
                None => origin.port.is_some_and(is_default),
                port => port == origin.port,
            }
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match &self.host {
            Host::Ip(IpAddr::V6(ip)) => write!(f, "[{ip}]")?,
            Host::Ip(ip) => write!(f, "{ip}")?,
            Host::Name(name) => f.write_str(name)?,
        }
        match self.port {
            Some(port) if !is_default(port) => write!(f, ":{port}"),
            _ => Ok(()),
        }
    }
}

/// A value of `--allow-host`: also the address of a page, as people copy it.
impl FromStr for Name {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or(text);
        let name = name.strip_suffix('/').unwrap_or(name);
        Self::parse(name).ok_or_else(|| {
            "a host as browsers name it is expected: play.example, play.example:8443 or [2001:db8::1]".to_owned()
        })
    }
}

/// A site whose pages may show ours in a frame: `https://site.example`, also `https://*.site.example`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ancestor(String);

/// A value of `--frame-ancestors`.
impl FromStr for Ancestor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let origin = text.strip_suffix('/').unwrap_or(text);
        // One part of a name may be left open.
        let named = origin.replacen("://*.", "://", 1);
        match Name::of_origin(&named) {
            Some(Name { host: Host::Ip(_), .. }) if named != origin => None,
            name => name,
        }
        // A path says nothing to browsers here.
        .filter(|_| named.split_once("://").is_some_and(|(_, rest)| !rest.contains(['/', '?', '#'])))
        .map(|_| Self(origin.to_ascii_lowercase()))
        .ok_or_else(|| "the origin of a site is expected: https://site.example or https://*.site.example".to_owned())
    }
}

/// Who may show our pages in frames, as browsers want to be told. What each answer needs for it beside is in [`check`].
fn framing(ancestors: &[Ancestor]) -> HeaderMap {
    let sites: String = ancestors.iter().map(|ancestor| format!(" {}", ancestor.0)).collect();
    let policy = if sites.is_empty() { "'none'".to_owned() } else { format!("'self'{sites}") };
    let mut headers = HeaderMap::new();
    if !sites.is_empty() {
        // A site that is kept apart from all others frames only what keeps its own frames and files to that, too.
        headers.insert(EMBEDDER_POLICY, HeaderValue::from_static("require-corp"));
    }
    if let Ok(policy) = HeaderValue::from_str(&format!("frame-ancestors {policy}")) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    if sites.is_empty() {
        // For browsers that are older than the policy.
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    headers
}

/// Values that `Host` and `Origin` may have, and who may show our pages in frames.
pub(super) struct Guard {
    address: SocketAddr,
    allowed: Vec<Name>,
    framing: HeaderMap,
    complaints: Arc<Complaints>,
}

impl Guard {
    pub fn new(address: SocketAddr, allowed: Vec<Name>, ancestors: &[Ancestor], complaints: Arc<Complaints>) -> Self {
        Self { address, allowed, framing: framing(ancestors), complaints }
    }

    /// Whether requests to this host are meant for us: to an address that we listen at, or a name that was allowed.
    /// Its port may be another one: that of a tunnel or of a container that leads here.
    fn knows_host(&self, name: &Name) -> bool {
        let own = self.address.ip();
        let is_ours = match &name.host {
            Host::Ip(ip) => own.is_unspecified() || *ip == own || own.is_loopback() && ip.is_loopback(),
            Host::Name(name) => name == "localhost" && (own.is_unspecified() || own.is_loopback()),
        };
        is_ours || self.allowed.iter().any(|allowed| allowed.allows_host(name, self.address.port()))
    }

    /// The fault of a request, if it has one, and what helps.
    fn objection(&self, uri: &Uri, headers: &HeaderMap) -> Option<String> {
        let host = match only(headers, header::HOST) {
            Ok(Some(host)) => host,
            Ok(None) => return Some("a request without a host".to_owned()),
            Err(()) => return Some("a request with two hosts, or with none that can be read".to_owned()),
        };
        // Where the first line of a request names a host, that is the one which counts.
        let named = uri.authority().map(Authority::as_str);
        let mut known = None;
        for text in named.into_iter().chain([host]) {
            match Name::parse(text) {
                Some(name) if self.knows_host(&name) => known = known.or(Some(name)),
                Some(name) => {
                    return Some(format!(
                        "{name} is not known as a name of this server; if it is one, or a proxy in front sends it: \
                         hippolyta serve --allow-host {name}"
                    ));
                }
                None => return Some(format!("the host '{}' cannot be read", shown(text))),
            }
        }
        // Refused, it would be empty; so it says what is wrong, as its engine is refused.
        if is_of_page(uri) {
            return None;
        }
        let origin = match only(headers, header::ORIGIN) {
            Ok(Some(origin)) => origin,
            Ok(None) => return None,
            Err(()) => return Some("a request with two origins, or with one that cannot be read".to_owned()),
        };
        let Some(page) = Name::of_origin(origin) else {
            return Some(format!(
                "pages of other sites may not use this server: this one's origin is '{}'",
                shown(origin)
            ));
        };
        let is_ours = known.is_some_and(|host| host.allows_origin(&page))
            || self.allowed.iter().any(|allowed| allowed.allows_origin(&page));
        (!is_ours).then(|| {
            format!(
                "pages of other sites may not use this server; if a proxy in front shows it as {}: \
                 hippolyta serve --allow-host {page}",
                origin.to_ascii_lowercase()
            )
        })
    }
}

/// Whether a file is part of the page, which alone does nothing.
fn is_of_page(uri: &Uri) -> bool {
    matches!(uri.path(), "/" | "/index.html") || uri.path().starts_with("/assets/")
}

/// The only header of this name.
fn only(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        _ => Err(()),
    }
}

const EMBEDDER_POLICY: HeaderName = HeaderName::from_static("cross-origin-embedder-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const HEADERS: [(HeaderName, HeaderValue); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (RESOURCE_POLICY, HeaderValue::from_static("same-origin")),
];

/// Refuses requests that are not meant for us, and adds the headers that all answers have.
pub(super) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let is_shown = guard.framing.contains_key(EMBEDDER_POLICY) && is_of_page(request.uri());
    let mut response = match guard.objection(request.uri(), request.headers()) {
        Some(objection) => {
            guard.complaints.say(&format!("refused: {objection}"));
            (StatusCode::FORBIDDEN, format!("{objection}\n")).into_response()
        }
        None => next.run(request).await,
    };
    response.headers_mut().extend(HEADERS);
    response.headers_mut().extend(guard.framing.clone());
    if is_shown {
        response.headers_mut().insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str, allowed: &[&str]) -> Guard {
        let allowed = allowed.iter().map(|name| name.parse().unwrap()).collect();
        Guard::new(address.parse().unwrap(), allowed, &[], Arc::default())
    }

    fn objection(guard: &Guard, host: &str, origin: Option<&str>) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        guard.objection(&Uri::from_static("/ws"), &headers)
    }

    #[test]
    fn names_of_others_and_pages_of_others_are_refused() {
        let guard = guard("127.0.0.1:8080", &["play.example", "box.example:8443"]);
        for (host, origin) in [
            ("127.0.0.1:8080", None),
            ("127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("LOCALHOST:8080", Some("http://localhost:8080")),
            ("localhost.:8080", Some("http://localhost.:8080")),
            // Through a tunnel or the port of a container.
            ("localhost:9000", Some("http://localhost:9000")),
            ("127.0.0.1", Some("http://127.0.0.1")),
            ("[::1]:8080", Some("http://[0:0:0:0:0:0:0:1]:8080")),
            // Proxies that pass the public name on, with its port or without.
            ("play.example", None),
            ("play.example", Some("https://play.example")),
            ("Play.Example.", Some("https://PLAY.example")),
            ("play.example:443", Some("https://play.example")),
            ("play.example", Some("https://play.example:443")),
            ("play.example:80", Some("http://play.example")),
            ("play.example:8080", Some("http://play.example:8080")),
            ("box.example:8443", Some("https://box.example:8443")),
            // Proxies that do not, as nginx and Apache by default.
            ("127.0.0.1:8080", Some("https://play.example")),
            ("127.0.0.1:8080", Some("http://play.example:80")),
            ("localhost", Some("https://box.example:8443")),
        ] {
            assert_eq!(objection(&guard, host, origin), None, "{host} {origin:?}");
        }
        for (host, origin) in [
            ("", None),
            ("evil.example:8080", None),
            ("evil.example:8080", Some("http://evil.example:8080")),
            ("evil.example", Some("https://play.example")),
            ("192.168.0.7:8080", None),
            ("localhost.evil.example:8080", None),
            ("evil.play.example", None),
            ("play.example.evil.example", None),
            ("play.example:9000", None),
            ("box.example", None),
            ("me@127.0.0.1:8080", None),
            ("127.0.0.1:8080:8080", None),
            ("127.0.0.1:99999", None),
            ("127.0.0.1:8080", Some("http://evil.example")),
            ("127.0.0.1:8080", Some("https://evil.play.example")),
            ("127.0.0.1:8080", Some("http://play.example:9090")),
            ("127.0.0.1:8080", Some("https://box.example")),
            ("127.0.0.1:8080", Some("http://127.0.0.1:9090")),
            ("127.0.0.1:8080", Some("http://localhost:8080")),
            ("127.0.0.1:8080", Some("http://play.example@evil.example")),
            ("127.0.0.1:8080", Some("http://evil@127.0.0.1:8080")),
            ("play.example", Some("http://play.example:8080")),
            ("play.example:443", Some("http://play.example:8443")),
            ("127.0.0.1:8080", Some("null")),
            ("127.0.0.1:8080", Some("")),
            ("127.0.0.1:8080", Some("file://127.0.0.1:8080")),
            ("127.0.0.1:8080", Some("ftp://play.example")),
        ] {
            assert!(objection(&guard, host, origin).is_some(), "{host} {origin:?}");
        }
    }

    #[test]
    fn sites_that_may_frame_the_page_are_named_by_their_origin() {
        let policy = |sites: &[&str]| {
            let sites: Vec<Ancestor> = sites.iter().map(|site| site.parse().unwrap()).collect();
            framing(&sites)[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned()
        };
        assert_eq!(policy(&[]), "frame-ancestors 'none'");
        assert_eq!(
            policy(&["https://Site.example/", "https://*.other.example:8443", "http://127.0.0.1:3000"]),
            "frame-ancestors 'self' https://site.example https://*.other.example:8443 http://127.0.0.1:3000"
        );
        for site in [
            "",
            "*",
            "site.example",
            "https://",
            "https://*",
            "https://*.",
            "https://*.127.0.0.1",
            "ftp://site.example",
            "https://site.example/page",
            "https://site.example;script-src",
            "https://site.example https://b.example",
            "https://a.*.example",
            "https://site.example,b.example",
            "'self'",
        ] {
            assert!(site.parse::<Ancestor>().is_err(), "{site}");
        }
    }

    #[test]
    fn a_server_for_the_net_is_reached_by_numbers() {
        let guard = guard("0.0.0.0:80", &[]);
        assert_eq!(objection(&guard, "192.168.0.7", Some("http://192.168.0.7")), None);
        assert_eq!(objection(&guard, "192.168.0.7:9000", Some("http://192.168.0.7:9000")), None);
        assert_eq!(objection(&guard, "localhost", None), None);
        assert!(objection(&guard, "box.lan", None).is_some());
    }

    #[test]
    fn whoever_is_refused_reads_what_to_allow_and_that_helps() {
        for (host, origin) in [
            ("box.lan:9000", Some("http://box.lan:9000")),
            ("hippolyta", None),
            ("127.0.0.1:8080", Some("https://play.example")),
            ("127.0.0.1:8080", Some("https://play.example:8443")),
        ] {
            let message = objection(&guard("127.0.0.1:8080", &[]), host, origin).unwrap();
            let (_, name) = message.split_once("--allow-host ").unwrap();
            assert_eq!(objection(&guard("127.0.0.1:8080", &[name]), host, origin), None, "{message}");
        }
    }

    #[test]
    fn headers_that_come_twice_and_hosts_in_the_first_line_count() {
        let guard = guard("127.0.0.1:8080", &[]);
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8080"));
        assert!(guard.objection(&Uri::from_static("http://evil.example/ws"), &headers).is_some());
        assert_eq!(guard.objection(&Uri::from_static("http://localhost:8080/ws"), &headers), None);
        headers.append(header::HOST, HeaderValue::from_static("evil.example"));
        assert!(guard.objection(&Uri::from_static("/"), &headers).is_some());
    }

    #[test]
    fn a_name_to_allow_may_be_the_address_of_a_page() {
        for text in ["https://Play.example/", "play.example.", "play.example"] {
            assert_eq!(text.parse::<Name>().unwrap().to_string(), "play.example");
        }
        assert_eq!("[2001:DB8::1]:8443".parse::<Name>().unwrap().to_string(), "[2001:db8::1]:8443");
        for text in ["", "*", "*.example", "bücher.example", "a b", "play.example/amazons", "a@b", "ftp://play.example"]
        {
            assert!(text.parse::<Name>().is_err(), "{text}");
        }
    }
}
