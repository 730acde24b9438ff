//! `hippolyta serve` behind the real nginx, Caddy and Apache, with the lines that the documents have for them.
#![cfg(target_os = "linux")]

use crate::common::folder::Folder;
use crate::common::leave_out;
use crate::serve::{Server, connect};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The blocks of this language in the page on proxies.
fn lines_for(language: &str) -> Vec<String> {
    let page = std::fs::read_to_string(concat!(root!(), "/docs/proxies.md")).unwrap();
    let begin = format!("```{language}\n");
    let blocks = page.split(&begin).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// An address where nobody listens.
fn free() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// A program; the test is left out without it.
fn program(names: &[&'static str]) -> Option<&'static str> {
    let found = names.iter().copied().find(|path| Path::new(path).exists());
    if found.is_none() {
        leave_out(&format!("there is no {}", names[0]));
    }
    found
}

/// A proxy that runs; it ends with this.
struct Proxy(Child);

impl Proxy {
    /// Starts it, and waits until it listens at `site`.
    fn start(command: &mut Command, site: SocketAddr, log: &str) -> Self {
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let mut proxy = Self(child);
        let began = Instant::now();
        while TcpStream::connect(site).is_err() {
            let said = || std::fs::read_to_string(log).unwrap_or_default();
            assert!(proxy.0.try_wait().unwrap().is_none(), "it has ended: {}", said());
            assert!(began.elapsed() < Duration::from_secs(60), "{}", said());
            std::thread::sleep(Duration::from_millis(20));
        }
        proxy
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A browser at `site` sees under the name `play.example`, below each of these paths, the page, its script, and the
/// engine, but no engine for other pages.
fn check(site: SocketAddr, paths: &[&str]) {
    let ask = |path: &str| {
        let mut stream = TcpStream::connect(site).unwrap();
        let head = "Host: play.example\r\nOrigin: https://play.example\r\nConnection: close\r\n\r\n";
        stream.write_all(format!("GET {path} HTTP/1.1\r\n{head}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 "), "{path}: {answer}");
        answer
    };
    for path in paths {
        let index = ask(path);
        let script = index.split('"').find(|word| word.ends_with(".js")).unwrap().trim_start_matches("./");
        assert!(ask(&format!("{path}{script}")).contains("text/javascript"));
        let ws = format!("{path}ws");
        let mut client = connect(site, &ws, &[("host", "play.example"), ("origin", "https://play.example")]).unwrap();
        assert_eq!(client.ask(&json!({"id": "v", "action": "version"}))["name"], "Hippolyta");
        let others = [("host", "play.example"), ("origin", "https://evil.example")];
        assert_eq!(connect(site, &ws, &others).err(), Some(403));
    }
}

#[test]
fn nginx_shows_the_page_by_the_lines_of_the_documents() {
    let Some(nginx) = program(&["/usr/sbin/nginx", "/usr/bin/nginx"]) else { return };
    let server = Server::start(&["--allow-host", "play.example"]);
    let folder = Folder::new("serve-nginx");
    let [site, plain] = [free(), free()];
    let blocks = lines_for("nginx");
    let [whole, below] = blocks.as_slice() else { panic!("{blocks:?}") };
    let whole = whole.replace("listen 80;", &format!("listen {site};\n{below}"));
    // Without the lines for WebSockets, as people begin.
    let short = format!("server {{ listen {plain}; location / {{ proxy_pass http://127.0.0.1:8080; }} }}");
    let servers = format!("{whole}{short}").replace("127.0.0.1:8080", &server.address.to_string());
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {};\n", folder.path(name)))
        .concat();
    let (log, pid) = (folder.path("log"), folder.path("pid"));
    let configuration = format!(
        "daemon off; master_process off; error_log {log}; pid {pid}; events {{}}\n\
         http {{ access_log off; {temporary} {servers} }}"
    );
    std::fs::write(folder.path("nginx.conf"), configuration).unwrap();
    let mut command = Command::new(nginx);
    let proxy = Proxy::start(command.args(["-e", &log, "-c", &folder.path("nginx.conf")]), site, &log);
    check(site, &["/", "/amazons/"]);
    let headers = [("host", "play.example"), ("origin", "https://play.example")];
    assert_eq!(connect(plain, "/ws", &headers).err(), Some(426));
    drop(proxy);
    assert!(server.complaints().contains("the proxy in front has to pass on the headers Upgrade"));
}

#[test]
fn caddy_shows_the_page_by_the_lines_of_the_documents() {
    let Some(caddy) = program(&["/usr/bin/caddy"]) else { return };
    let server = Server::start(&["--allow-host", "play.example"]);
    let (folder, site) = (Folder::new("serve-caddy"), free());
    let blocks = lines_for("caddy");
    let [whole, below] = blocks.as_slice() else { panic!("{blocks:?}") };
    // The name alone means HTTPS, with a certificate from outside.
    let here = format!("http://play.example:{} {{\nbind 127.0.0.1\n{below}", site.port());
    let whole = whole.replace("play.example {", &here).replace("127.0.0.1:8080", &server.address.to_string());
    std::fs::write(folder.path("Caddyfile"), format!("{{\nadmin off\nauto_https off\n}}\n{whole}")).unwrap();
    let log = folder.path("log");
    let mut command = Command::new(caddy);
    command.args(["run", "--adapter", "caddyfile", "--config", &folder.path("Caddyfile")]);
    // Where it keeps what it knows.
    ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"]
        .into_iter()
        .for_each(|name| _ = command.env(name, folder.path("home")));
    let proxy = Proxy::start(command.stderr(std::fs::File::create(&log).unwrap()), site, &log);
    check(site, &["/", "/amazons/"]);
    drop(proxy);
}

#[test]
fn apache_shows_the_page_by_the_lines_of_the_documents() {
    let Some(apache) = program(&["/usr/sbin/apache2"]) else { return };
    let server = Server::start(&["--allow-host", "play.example"]);
    let (folder, site) = (Folder::new("serve-apache"), free());
    let blocks = lines_for("apache");
    let [whole] = blocks.as_slice() else { panic!("{blocks:?}") };
    let whole = whole.replace("*:80", &site.to_string()).replace("127.0.0.1:8080", &server.address.to_string());
    let modules: String = ["mpm_event", "authz_core", "proxy", "proxy_http"]
        .map(|name| format!("LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n"))
        .concat();
    let log = folder.path("log");
    // The account is for the case that it is started by root.
    let configuration = format!(
        "ServerRoot {0}\nServerName play.example\nPidFile {0}/pid\nErrorLog {log}\nListen {site}\n\
         User #65534\nGroup #65534\n{modules}{whole}",
        folder.path(".")
    );
    std::fs::write(folder.path("apache.conf"), configuration).unwrap();
    let mut command = Command::new(apache);
    let proxy = Proxy::start(command.args(["-X", "-f", &folder.path("apache.conf")]), site, &log);
    check(site, &["/"]);
    drop(proxy);
}
