//! Who may speak with us. A page of another site can send requests here from the browser of somebody at this machine;
//! its `Origin` gives it away. A name that an attacker points at 127.0.0.1 would make it the same origin (DNS
//! rebinding); the `Host` gives that away.

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// What `Host` and `Origin` may be.
pub(super) struct Guard {
    address: SocketAddr,
    allowed: Vec<String>,
}

impl Guard {
    pub fn new(address: SocketAddr, allowed: Vec<String>) -> Self {
        Self { address, allowed }
    }

    /// Whether requests to this host are meant for us: to an address that we listen at, or a name that was allowed.
    fn knows_host(&self, host: &str) -> bool {
        if self.allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(host)) {
            return true;
        }
        let Ok(authority) = host.parse::<axum::http::uri::Authority>() else { return false };
        if authority.port_u16().unwrap_or(80) != self.address.port() {
            return false;
        }
        let name = authority.host().trim_start_matches('[').trim_end_matches(']');
        match name.parse::<IpAddr>() {
            Ok(ip) => ip == self.address.ip() || self.address.ip().is_unspecified(),
            Err(_) => name.eq_ignore_ascii_case("localhost") && (self.listens_to_itself()),
        }
    }

    fn listens_to_itself(&self) -> bool {
        self.address.ip().is_loopback() || self.address.ip().is_unspecified()
    }

    /// What is wrong with a request, if something is.
    fn objection(&self, headers: &HeaderMap) -> Option<&'static str> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let host = text(header::HOST).unwrap_or_default();
        if !self.knows_host(host) {
            return Some("this host is not served here; see hippolyta serve --help, --allow-host");
        }
        let origin = text(header::ORIGIN)?;
        let same = origin.parse::<Uri>().is_ok_and(|origin| {
            let scheme = origin.scheme_str();
            (scheme == Some("http") || scheme == Some("https"))
                && origin.authority().is_some_and(|origin| origin.as_str().eq_ignore_ascii_case(host))
        });
        if same { None } else { Some("pages of other sites may not use this server") }
    }
}

const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// Refuses requests that are not meant for us, and adds the headers that all answers have.
pub(super) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.objection(request.headers()) {
        Some(objection) => (StatusCode::FORBIDDEN, objection).into_response(),
        None => next.run(request).await,
    };
    response.headers_mut().extend(HEADERS);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objection(guard: &Guard, host: &str, origin: Option<&str>) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        guard.objection(&headers)
    }

    #[test]
    fn names_of_others_and_pages_of_others_are_refused() {
        let guard = Guard::new("127.0.0.1:8080".parse().unwrap(), vec!["play.example".to_owned()]);
        for (host, origin) in [
            ("127.0.0.1:8080", None),
            ("127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("LOCALHOST:8080", Some("http://localhost:8080")),
            ("play.example", Some("https://play.example")),
        ] {
            assert_eq!(objection(&guard, host, origin), None, "{host} {origin:?}");
        }
        for (host, origin) in [
            ("", None),
            ("127.0.0.1", None),
            ("127.0.0.1:80", None),
            ("evil.example:8080", None),
            ("evil.example:8080", Some("http://evil.example:8080")),
            ("192.168.0.7:8080", None),
            ("localhost.evil.example:8080", None),
            ("127.0.0.1:8080", Some("http://evil.example")),
            ("127.0.0.1:8080", Some("http://127.0.0.1:9090")),
            ("127.0.0.1:8080", Some("http://localhost:8080")),
            ("127.0.0.1:8080", Some("null")),
            ("127.0.0.1:8080", Some("file://127.0.0.1:8080")),
        ] {
            assert!(objection(&guard, host, origin).is_some(), "{host} {origin:?}");
        }
    }

    #[test]
    fn a_server_for_the_net_is_reached_by_numbers() {
        let guard = Guard::new("0.0.0.0:80".parse().unwrap(), Vec::new());
        assert_eq!(objection(&guard, "192.168.0.7", Some("http://192.168.0.7")), None);
        assert_eq!(objection(&guard, "localhost", None), None);
        assert!(objection(&guard, "box.lan", None).is_some());
    }
}
