//! `hippolyta serve` as clients meet it: a real server, real sockets.

use crate::child::{command, poll};
use crate::common::folder::Folder;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::error::Error;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Message};
use tungstenite::{HandshakeError, WebSocket};

/// A server on a port of its own; ends with this.
pub struct Server {
    pub process: Child,
    pub address: SocketAddr,
}

impl Server {
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_as(Command::new(env!("CARGO_BIN_EXE_hippolyta")), arguments)
    }

    /// By a command that ends in the program.
    fn start_as(mut command: Command, arguments: &[&str]) -> Self {
        let mut process = command
            .args(["serve", "--port", "0", "--threads", "1", "--hash", "4"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").and_then(|line| line.strip_suffix('/')).unwrap();
        Self { process, address: address.parse().unwrap() }
    }

    /// The server's standard error until it ends, which is now.
    pub fn complaints(mut self) -> String {
        let _ = self.process.kill();
        let mut said = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        said
    }

    /// Status line, headers and body of an answer to `GET path` with these headers beside.
    fn get(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let (status, answer) = self.ask("GET", path, headers);
        (status, String::from_utf8(answer).unwrap())
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{request}\r\n").as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        (String::from_utf8_lossy(&answer).split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }

    fn try_connect(&self, headers: &[(&'static str, &str)]) -> Result<Client, u16> {
        connect(self.address, "/ws", headers)
    }

    pub fn connect(&self) -> Client {
        self.try_connect(&[]).unwrap()
    }

    /// Sends a signal and waits for the end.
    #[cfg(unix)]
    fn end_by(&mut self, signal: rustix::process::Signal) -> ExitStatus {
        let pid = rustix::process::Pid::from_child(&self.process);
        rustix::process::kill_process(pid, signal).unwrap();
        self.process.wait().unwrap()
    }
}

/// A WebSocket to whoever listens at `address`, or the status of the answer.
pub fn connect(address: SocketAddr, path: &str, headers: &[(&'static str, &str)]) -> Result<Client, u16> {
    let mut request = format!("ws://{address}{path}").into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, HeaderValue::from_str(value).unwrap());
    }
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    match tungstenite::client(request, stream) {
        Ok((socket, _)) => Ok(Client(socket)),
        Err(HandshakeError::Failure(Error::Http(response))) => Err(response.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub struct Client(pub WebSocket<TcpStream>);

impl Client {
    pub fn say(&mut self, text: &str) {
        self.0.send(Message::text(text)).unwrap();
    }

    pub fn hear(&mut self) -> Value {
        loop {
            match self.0.read().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    pub fn ask(&mut self, query: &Value) -> Value {
        self.say(&query.to_string());
        self.hear()
    }

    /// The code with which the server closes the socket.
    fn closed(&mut self) -> CloseCode {
        self.farewell().0
    }

    /// The code and the reason, which is a sentence.
    fn farewell(&mut self) -> (CloseCode, String) {
        loop {
            match self.0.read() {
                Ok(Message::Close(frame)) => {
                    let CloseFrame { code, reason } = frame.unwrap();
                    assert!(reason.ends_with('.') && reason.len() <= 123, "{reason}");
                    return (code, reason.to_string());
                }
                Ok(_) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn a_socket_carries_the_lines_of_analyse() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    assert_eq!(client.ask(&json!({"id": "v", "action": "version"}))["name"], "Hippolyta");
    let moves = client.ask(&json!({"id": "m", "action": "legal_moves", "variant": "amazons6"}));
    assert_eq!(moves["moves"].as_array().unwrap().len(), 544);
    let query = json!({"id": "a", "variant": "amazons6", "nodes": 2000, "multipv": 2, "includeOwnership": true});
    let mut answer = client.ask(&query);
    let file = Folder::new("serve-lines");
    std::fs::write(file.path("query"), format!("{query}\n")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_hippolyta"))
        .args(["analyse", "--hash", "4"])
        .stdin(std::fs::File::open(file.path("query")).unwrap())
        .output()
        .unwrap();
    let mut expected: Value = serde_json::from_slice(&output.stdout).unwrap();
    for answer in [&mut answer, &mut expected] {
        answer["rootInfo"]["timeMs"] = Value::Null;
        answer["rootInfo"]["hashFull"] = Value::Null;
    }
    assert_eq!(answer, expected);
    // A message is a line, whatever is in it.
    client.say("{\"id\": \"n\",\n\"action\": \"version\"}\n");
    assert_eq!(client.hear()["id"], "n");
    let error = client.ask(&json!({"id": "e", "fen": "none"}));
    assert_eq!((&error["id"], error["error"].is_string()), (&json!("e"), true));
}

#[test]
fn an_endless_search_is_ended_by_terminate_by_its_limit_or_by_leaving() {
    let server = Server::start(&["--longest", "2", "--sessions", "1"]);
    let endless = json!({"id": "s", "variant": "amazons", "nodes": 1_000_000_000_000_u64});
    let mut client = server.connect();
    client.say(&endless.to_string());
    client.say(&json!({"id": "t", "action": "terminate", "terminateId": "s"}).to_string());
    let ids = [client.hear(), client.hear()].map(|answer| answer["id"].as_str().unwrap().to_owned());
    assert!(ids.contains(&"s".to_owned()) && ids.contains(&"t".to_owned()), "{ids:?}");
    let began = Instant::now();
    assert!(client.ask(&endless)["rootInfo"]["nodes"].as_u64().unwrap() > 0);
    assert!(began.elapsed() >= Duration::from_millis(1_900));
    // Whoever leaves takes the search along: the only place is free again at once, not after its ten minutes.
    let server = Server::start(&["--sessions", "1"]);
    let mut client = server.connect();
    client.say(&endless.to_string());
    drop(client);
    let answer = poll(|| {
        let mut client = server.connect();
        client.say(&json!({"id": "v", "action": "version"}).to_string());
        match client.0.read().unwrap() {
            Message::Text(answer) => Some(answer),
            Message::Close(_) => None,
            other => panic!("{other:?}"),
        }
    });
    assert!(answer.is_some_and(|answer| answer.contains(r#""id":"v""#)));
}

#[test]
fn pages_of_other_sites_and_names_that_lead_here_are_refused() {
    let server = Server::start(&[]);
    let own = format!("http://{}", server.address);
    assert!(server.try_connect(&[("origin", &own)]).is_ok());
    assert_eq!(server.try_connect(&[("origin", "http://evil.example")]).err(), Some(403));
    assert_eq!(server.try_connect(&[("origin", "null")]).err(), Some(403));
    assert_eq!(server.get("/", &[]).0, 200);
    assert_eq!(server.get("/", &[("Host", &format!("evil.example:{}", server.address.port()))]).0, 403);
    // The page itself, whose scripts come with an origin, tells that its engine is refused.
    let (_, index) = server.get("/", &[]);
    let script = index.split('"').find(|word| word.ends_with(".js")).unwrap().trim_start_matches('.');
    for (path, status) in [
        ("/", 200),
        (script, 200),
        ("/ws", 403),
        ("/match/games", 403),
        ("/problems.json", 403),
        ("/explorer.json", 403),
    ] {
        assert_eq!(server.get(path, &[("Origin", "http://evil.example")]).0, status, "{path}");
    }
    assert_eq!(server.get(script, &[("Host", "evil.example"), ("Origin", "http://evil.example")]).0, 403);
}

#[test]
fn the_page_comes_from_the_binary() {
    let server = Server::start(&[]);
    let (status, index) = server.get("/", &[]);
    assert_eq!(status, 200);
    assert!(index.contains("text/html") && index.contains("nosniff"), "{index}");
    assert!(index.contains(r#"<meta name="hippolyta-host" content="socket""#), "{index}");
    let script = index.split('"').find(|word| word.ends_with(".js")).unwrap().trim_start_matches("./");
    let (status, script) = server.get(&format!("/{script}"), &[]);
    assert!(status == 200 && script.contains("text/javascript") && script.contains("immutable"));
    for missing in ["/nothing", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/assets/", "/match/games"] {
        assert_eq!(server.get(missing, &[]).0, 404, "{missing}");
    }
    // No error in the console of a page that asks whether there is a match.
    assert_eq!(server.get("/match/results", &[]).0, 204);
}

#[test]
fn messages_have_bounds() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.say(&"x".repeat((1 << 20) + 1));
    assert!(client.hear()["error"].as_str().unwrap().starts_with("not JSON"));
    client.0.send(Message::binary(vec![0; 9])).unwrap();
    assert_eq!(client.closed(), CloseCode::Unsupported);
    let mut client = server.connect();
    // The server closes before all of it is written.
    client.0.get_mut().write_all(&[0x81, 0xff, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    assert_eq!(client.closed(), CloseCode::Size);
    for (frame, code) in [
        (&[0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28][..], CloseCode::Invalid),
        // A bit that means nothing, a kind of frame that there is not, a frame without its mask.
        (&[0xc1, 0x80, 0, 0, 0, 0], CloseCode::Protocol),
        (&[0x83, 0x80, 0, 0, 0, 0], CloseCode::Protocol),
        (&[0x81, 0x01, b'x'], CloseCode::Protocol),
    ] {
        let mut client = server.connect();
        client.0.get_mut().write_all(frame).unwrap();
        assert_eq!(client.closed(), code, "{frame:?}");
    }
    assert_eq!(server.connect().ask(&json!({"id": "v", "action": "version"}))["id"], "v");
}

#[test]
fn a_file_of_many_megabytes_is_one_message() {
    let server = Server::start(&[]);
    let text = format!("1. d1d7,d7g7 {{{}}} a7b7,b7c7 *\n", "long ".repeat(1 << 20));
    let query = json!({"id": "f", "action": "read_games", "base64": BASE64_STANDARD.encode(&text), "name": "f.pgn"});
    assert!(query.to_string().len() > 6 << 20);
    let answer = server.connect().ask(&query);
    let moves = answer["games"][0]["record"]["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &answer["warnings"]), (2, &json!([])));
    assert_eq!(moves[0]["comment"].as_str().unwrap().len(), (5 << 20) - 1);
}

/// The most memory that a process has had, in MiB.
#[cfg(target_os = "linux")]
pub fn peak(process: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
}

#[test]
#[cfg(target_os = "linux")]
fn a_client_that_floods_is_kept_waiting() {
    let server = Server::start(&["--sessions", "2"]);
    let before = peak(&server.process);
    let mut client = server.connect();
    client.0.get_ref().set_write_timeout(Some(Duration::from_millis(700))).unwrap();
    // 16 MiB of lines may wait to be searched, as much as a longest line to be obeyed.
    let pad = "x".repeat(1 << 20);
    let mut sent = 0;
    let stalled = loop {
        let query = json!({"id": sent.to_string(), "nodes": 1_000_000_000_000_u64, "x": pad});
        match client.0.send(Message::text(query.to_string())) {
            Ok(()) => sent += 1,
            Err(error) => break error,
        }
        assert!(sent < 70, "{sent} messages were taken");
    };
    assert!(matches!(&stalled, Error::Io(error) if error.kind() == std::io::ErrorKind::WouldBlock), "{stalled}");
    let taken = peak(&server.process) - before;
    assert!(sent >= 16 && taken < 80, "{taken} MiB for {sent} messages");
    assert_eq!(server.connect().ask(&json!({"id": "v", "action": "version"}))["id"], "v");
}

#[test]
fn fifty_sessions_at_once_get_the_same_answer() {
    let server = Server::start(&["--sessions", "50"]);
    let query = json!({"id": "a", "variant": "iago", "nodes": 1000});
    let mut clients: Vec<_> = (0..50).map(|_| server.connect()).collect();
    let full = (CloseCode::Again, "The server is full: 50 sessions are open.".to_owned());
    assert_eq!(server.connect().farewell(), full);
    clients.iter_mut().for_each(|client| client.say(&query.to_string()));
    let answers: Vec<_> = clients.iter_mut().map(|client| client.hear()["moveInfos"].clone()).collect();
    assert_eq!(answers[0].as_array().unwrap().len(), 1);
    assert!(answers.iter().all(|answer| answer == &answers[0]));
}

#[test]
#[cfg(unix)]
fn it_ends_when_told_to_and_says_so_to_its_clients() {
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::INT] {
        let mut server = Server::start(&[]);
        let mut client = server.connect();
        client.say(&json!({"id": "s", "nodes": 1_000_000_000_000_u64}).to_string());
        let began = Instant::now();
        assert!(server.end_by(signal).success());
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        assert_eq!(client.closed(), CloseCode::Away);
    }
}

#[test]
fn a_match_is_shown_while_it_grows() {
    let folder = Folder::new("serve-match");
    let out = folder.path("match");
    let (_, message, status) = command(&["serve", "--port", "0", "--match", &out]);
    assert_eq!(status, 1, "{message}");
    assert!(message.contains("no match in"), "{message}");
    let (_, message, status) = command(&[
        "match",
        "--engine",
        "cmd=self",
        "name=one",
        "--engine",
        "cmd=self",
        "name=two",
        "--each",
        "nodes=20",
        "option.Hash=1",
        "--variant",
        "amazons6",
        "--games",
        "2",
        "--out",
        &out,
    ]);
    assert_eq!(status, 0, "{message}");
    let server = Server::start(&["--match", &out]);
    let (status, results) = server.get("/match/results", &[]);
    assert!(status == 200 && results.contains("Score of one vs two: "), "{results}");
    let (status, games) = server.get("/match/games", &[]);
    let (_, body) = games.split_once("\r\n\r\n").unwrap();
    assert_eq!((status, body.lines().count()), (200, 2), "{games}");
    let first = body.lines().next().unwrap().len() + 1;
    let (_, rest) = server.get(&format!("/match/games?from={first}"), &[]);
    assert!(rest.ends_with(&body[first..]) && !rest.contains(&body[..first]), "{rest}");
    for from in ["x", "-1", "9223372036854775808", "18446744073709551615", "18446744073709551616", "1.5"] {
        assert_eq!(server.get(&format!("/match/games?from={from}"), &[]).0, 400, "{from}");
    }
    assert!(server.get("/match/games?from=9223372036854775807", &[]).1.ends_with("\r\n\r\n"));
    // The folder may change meanwhile, also into something that is no match.
    #[cfg(unix)]
    for target in ["match.json", "/dev/zero"] {
        let games = std::path::Path::new(&out).join("games.jsonl");
        std::fs::remove_file(&games).unwrap();
        std::os::unix::fs::symlink(target, &games).unwrap();
        for path in ["/match/results", "/match/games"] {
            let (status, answer) = server.get(path, &[]);
            assert!(status == 500 && answer.ends_with("games.jsonl: not a file of this folder\n"), "{answer}");
        }
    }
}

#[test]
fn a_socket_that_the_client_closes_is_closed_by_both() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.0.close(Some(CloseFrame { code: CloseCode::Normal, reason: "".into() })).unwrap();
    assert!(matches!(client.0.read(), Ok(Message::Close(Some(frame))) if frame.code == CloseCode::Normal));
    assert!(matches!(client.0.read(), Err(Error::ConnectionClosed)));
}

#[test]
fn as_many_sessions_as_are_accepted_are_served() {
    let server = Server::start(&["--sessions", "600"]);
    let mut clients: Vec<_> = (0..600).map(|_| server.connect()).collect();
    for client in &mut clients {
        assert_eq!(client.ask(&json!({"id": "v", "action": "version"}))["id"], "v");
    }
    assert_eq!(server.connect().closed(), CloseCode::Again);
    assert_eq!(server.get("/problems.json", &[]).0, 200);
}

/// Whether the connection ends; nothing that came before it is looked at.
fn ends(mut stream: TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    match stream.read_to_end(&mut Vec::new()) {
        Ok(_) => true,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    }
}

#[test]
#[cfg(target_os = "linux")]
fn requests_that_never_end_shut_nobody_out() {
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -n 64; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_hippolyta")]);
    let server = Server::start_as(limited, &[]);
    let unfinished: Vec<_> = (0..120)
        .map(|number| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            let parts = [
                &b""[..],
                b"GET / HT",
                b"GET / HTTP/1.1\r\nHost: x\r\n",
                b"POST /ws HTTP/1.1\r\nContent-Length: 9\r\n",
            ];
            stream.write_all(parts[number % parts.len()]).unwrap();
            stream
        })
        .collect();
    let began = Instant::now();
    assert_eq!(server.get("/", &[]).0, 200);
    let mut sessions: Vec<_> = (0..16).map(|_| server.connect()).collect();
    assert_eq!(server.connect().farewell().1, "The server is full: 16 sessions are open.");
    for session in &mut sessions {
        assert_eq!(session.ask(&json!({"id": "v", "action": "version"}))["id"], "v");
    }
    assert!(began.elapsed() < Duration::from_secs(9), "{:?}", began.elapsed());
    // All of them end, at the latest when their time is over.
    assert!(unfinished.into_iter().all(ends));
    let said = server.complaints();
    assert!(said.contains("--sessions 64: 16 are served at a time"), "{said}");
    for most in [6, 8, 24] {
        let script = format!("ulimit -n {most}; exec {} serve --port 0", env!("CARGO_BIN_EXE_hippolyta"));
        let refused = Command::new("sh").args(["-c", &script]).output().unwrap();
        let errors = String::from_utf8(refused.stderr).unwrap();
        assert_eq!((refused.status.code(), errors.lines().count()), (Some(1), 1), "{errors}");
        assert!(errors.starts_with("hippolyta: too few open files are allowed here"), "{errors}");
    }
}

#[test]
fn a_connection_that_asks_nothing_ends() {
    let server = Server::start(&[]);
    let silent = TcpStream::connect(server.address).unwrap();
    let mut asked = TcpStream::connect(server.address).unwrap();
    asked.write_all(format!("GET /icon.svg HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).as_bytes()).unwrap();
    let mut body = TcpStream::connect(server.address).unwrap();
    body.write_all(format!("POST / HTTP/1.1\r\nHost: {}\r\nContent-Length: 9\r\n\r\n", server.address).as_bytes())
        .unwrap();
    for (stream, name) in [(silent, "silent"), (asked, "asked"), (body, "body")] {
        assert!(ends(stream), "{name}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn pings_whose_answers_nobody_reads_take_no_memory() {
    let server = Server::start(&[]);
    let peak = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", server.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap()
    };
    assert_eq!(server.connect().ask(&json!({"id": "v", "action": "version"}))["id"], "v");
    let before = peak();
    let mut floods: Vec<_> = (0..2).map(|_| server.connect()).collect();
    let ping = [&[0x89, 0x80 | 125, 0, 0, 0, 0][..], &[b'x'; 125]].concat().repeat(1_000);
    for flood in &mut floods {
        let stream = flood.0.get_mut();
        stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
        // The server may stop to read, or end the connection.
        let _ = (0..400).try_for_each(|_| stream.write_all(&ping));
        assert_eq!(server.connect().ask(&json!({"id": "v", "action": "version"}))["id"], "v");
    }
    let more = peak() - before;
    assert!(more < 24 << 10, "{more} KiB more for 100 MB of pings");
}

#[test]
fn odd_requests_are_answered_in_one_line() {
    let server = Server::start(&[]);
    for (method, path, status) in [
        ("POST", "/", 405),
        ("DELETE", "/match/games", 405),
        ("GET", "/ws", 426),
        ("POST", "/ws", 426),
        ("GET", "/%00", 404),
        ("GET", "//etc/passwd", 404),
        ("GET", "/assets/..%2findex.html", 404),
        ("GET", "/..\\..", 404),
    ] {
        let (found, answer) = server.ask(method, path, &[]);
        let answer = String::from_utf8(answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(found == status && body.lines().count() <= 1, "{method} {path}: {answer}");
    }
    assert_eq!(server.ask("GET", "/", &[("X-Long", &"x".repeat(60_000))]).0, 431);
    let (status, head) = server.ask("HEAD", "/problems.json", &[]);
    assert!(status == 200 && head.ends_with(b"\r\n\r\n"));
    // By HTTP/1.0 there are no WebSockets.
    assert_eq!(
        server.get("/ws", &[("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="), ("Sec-WebSocket-Version", "13")]).0,
        426
    );
    let said = server.complaints();
    assert!(said.contains("a WebSocket without its upgrade"), "{said}");
}

#[test]
fn refusals_are_said_once_with_what_helps() {
    let server = Server::start(&[]);
    for _ in 0..3 {
        assert_eq!(server.get("/", &[("Host", "box.example")]).0, 403);
        assert_eq!(server.try_connect(&[("origin", "https://play.example")]).err(), Some(403));
    }
    let said = server.complaints();
    assert_eq!(said.matches("--allow-host box.example\n").count(), 1, "{said}");
    assert_eq!(said.matches("--allow-host play.example\n").count(), 1, "{said}");
    let (_, message, status) = command(&["serve", "--port", "0", "--allow-host", "*.example"]);
    assert!(status == 2 && message.contains("play.example:8443"), "{message}");
}

#[test]
fn answers_are_compressed_for_whoever_can_read_that() {
    let server = Server::start(&[]);
    let length = |path: &str, encoding: &str| {
        let (status, answer) = server.ask("GET", path, &[("Accept-Encoding", encoding)]);
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap() + 4;
        let head = String::from_utf8(answer[..end].to_vec()).unwrap().to_ascii_lowercase();
        assert!(status == 200 && head.contains("vary: accept-encoding"), "{head}");
        assert_eq!(head.contains("content-encoding: gzip"), encoding.contains("br"), "{head}");
        answer.len() - end
    };
    for path in ["/problems.json", "/explorer.json", "/"] {
        assert!(length(path, "gzip, deflate, br") < length(path, "gzip;q=0, identity"), "{path}");
    }
    assert!(4 * length("/problems.json", "gzip, br") < length("/problems.json", "identity"));
    // A file that the client has is not sent again.
    let (_, answer) = server.get("/problems.json", &[]);
    let tag = answer.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    for known in [tag, &format!("\"x\", {tag}"), tag.trim_start_matches("W/")] {
        let (status, answer) = server.get("/problems.json", &[("If-None-Match", known)]);
        assert!(status == 304 && answer.ends_with("\r\n\r\n"), "{known}: {answer}");
    }
    assert_eq!(server.get("/problems.json", &[("If-None-Match", "W/\"0-0\"")]).0, 200);
}

#[test]
fn only_sites_that_may_frame_the_page_get_it_also_if_they_are_kept_apart() {
    let policies = |server: &Server, path: &str, headers: &[(&str, &str)]| {
        let answer = server.get(path, headers).1;
        let value = |name: &str| {
            let mut values = answer.lines().filter_map(|line| line.split_once(": ").filter(|(key, _)| *key == name));
            let value = values.next().map(|(_, value)| value.trim().to_owned());
            assert_eq!(values.next(), None, "{name} of {path}");
            value
        };
        ["cross-origin-resource-policy", "cross-origin-embedder-policy", "content-security-policy"].map(value)
    };
    let texts = |words: [Option<&str>; 3]| words.map(|word| word.map(str::to_owned));
    let server = Server::start(&["--frame-ancestors", "https://site.example", "--frame-ancestors=https://*.b.example"]);
    let (_, index) = server.get("/", &[]);
    let asset = |ending: &str| {
        let word = index.split('"').find(|word| word.ends_with(ending)).unwrap();
        format!("/{}", word.trim_start_matches("./"))
    };
    let shown = texts([
        Some("cross-origin"),
        Some("require-corp"),
        Some("frame-ancestors 'self' https://site.example https://*.b.example"),
    ]);
    for path in ["/", "/?embed", "/index.html", &asset(".js"), &asset(".css"), "/assets/none.js"] {
        assert_eq!(policies(&server, path, &[]), shown, "{path}");
    }
    // What the page asks for from its own origin is for nobody else.
    let own = [Some("same-origin".to_owned()), shown[1].clone(), shown[2].clone()];
    for path in ["/problems.json", "/explorer.json", "/match/results", "/ws", "/none"] {
        assert_eq!(policies(&server, path, &[]), own, "{path}");
    }
    assert_eq!(policies(&server, "/none", &[("Host", "evil.example")]), own);
    let server = Server::start(&[]);
    for path in ["/", "/index.html", &asset(".js"), "/problems.json", "/ws", "/none"] {
        let closed = texts([Some("same-origin"), None, Some("frame-ancestors 'none'")]);
        assert_eq!(policies(&server, path, &[]), closed, "{path}");
    }
}
