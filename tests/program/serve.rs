//! `hippolyta serve` as clients meet it: a real server, real sockets.

use crate::common::child::command;
use crate::common::folder::Folder;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::error::Error;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::Message;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{HandshakeError, WebSocket};

/// A server on a port of its own; ends with this.
struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_hippolyta"))
            .args(["serve", "--port", "0", "--threads", "1", "--hash", "4"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").and_then(|line| line.strip_suffix('/')).unwrap();
        Self { process, address: address.parse().unwrap() }
    }

    /// Status line, headers and body of an answer to `GET path` with these headers beside.
    fn get(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{request}\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }

    fn try_connect(&self, headers: &[(&'static str, &str)]) -> Result<Client, u16> {
        let mut request = format!("ws://{}/ws", self.address).into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_str(value).unwrap());
        }
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Client(socket)),
            Err(HandshakeError::Failure(Error::Http(response))) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    fn connect(&self) -> Client {
        self.try_connect(&[]).unwrap()
    }

    /// Sends SIGTERM and waits for the end.
    #[cfg(unix)]
    fn terminate(&mut self) -> ExitStatus {
        let pid = rustix::process::Pid::from_child(&self.process);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.process.wait().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Client(WebSocket<TcpStream>);

impl Client {
    fn say(&mut self, text: &str) {
        self.0.send(Message::text(text)).unwrap();
    }

    fn hear(&mut self) -> Value {
        loop {
            match self.0.read().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    fn ask(&mut self, query: &Value) -> Value {
        self.say(&query.to_string());
        self.hear()
    }

    /// The code with which the server closes the socket.
    fn closed(&mut self) -> CloseCode {
        loop {
            match self.0.read() {
                Ok(Message::Close(frame)) => return frame.unwrap().code,
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
    // Whoever leaves takes the search along: the only place is free again at once, not after its two seconds.
    client.say(&endless.to_string());
    drop(client);
    let began = Instant::now();
    let mut client = loop {
        match server.try_connect(&[]) {
            Ok(client) => break client,
            Err(status) => assert_eq!(status, 503),
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(began.elapsed() < Duration::from_millis(1_500), "{:?}", began.elapsed());
    assert_eq!(client.ask(&json!({"id": "v", "action": "version"}))["id"], "v");
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
    assert_eq!(server.get("/", &[("Origin", "http://evil.example")]).0, 403);
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
    for missing in ["/nothing", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/assets/", "/match/results", "/match/games"] {
        assert_eq!(server.get(missing, &[]).0, 404, "{missing}");
    }
}

#[test]
fn messages_have_bounds() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.say(&"x".repeat((1 << 20) + 1));
    assert!(client.hear()["error"].as_str().unwrap().contains("1048576"));
    client.0.send(Message::binary(vec![0; 9])).unwrap();
    assert_eq!(client.closed(), CloseCode::Unsupported);
    let mut client = server.connect();
    // The server may close before all of it is written.
    let _ = client.0.send(Message::text("x".repeat(3 << 20)));
    assert!(client.0.read().map_or(true, |message| message.is_close()), "it goes on");
    assert_eq!(server.connect().ask(&json!({"id": "v", "action": "version"}))["id"], "v");
}

#[test]
fn fifty_sessions_at_once_get_the_same_answer() {
    let server = Server::start(&["--sessions", "50"]);
    let query = json!({"id": "a", "variant": "iago", "nodes": 1000});
    let mut clients: Vec<_> = (0..50).map(|_| server.connect()).collect();
    assert_eq!(server.try_connect(&[]).err(), Some(503));
    clients.iter_mut().for_each(|client| client.say(&query.to_string()));
    let answers: Vec<_> = clients.iter_mut().map(|client| client.hear()["moveInfos"].clone()).collect();
    assert_eq!(answers[0].as_array().unwrap().len(), 1);
    assert!(answers.iter().all(|answer| answer == &answers[0]));
}

#[test]
#[cfg(unix)]
fn it_ends_when_told_to_and_says_so_to_its_clients() {
    let mut server = Server::start(&[]);
    let mut client = server.connect();
    client.say(&json!({"id": "s", "nodes": 1_000_000_000_000_u64}).to_string());
    let began = Instant::now();
    assert!(server.terminate().success());
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!(client.closed(), CloseCode::Away);
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
    assert_eq!(server.get("/match/games?from=x", &[]).0, 400);
}
