//! The server behind nginx and Caddy, with the examples of `deploy/`. The tests are skipped, and say so, where the proxy is not
//! installed.

use super::app::{SMALL, TIMEOUT, TestApp, begin, start_match, wait_until};
use super::player::{Visitor, try_send};
use reqwest::Method;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// A proxy that has an example in `deploy/`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ProxyKind {
    Nginx,
    Caddy,
}

impl ProxyKind {
    /// Returns the program, or `None`, and says so, where it is not installed.
    fn program(self) -> Option<PathBuf> {
        let (name, package) = match self {
            Self::Nginx => ("nginx", "nginx-light"),
            Self::Caddy => ("caddy", "caddy"),
        };
        let program = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"]
            .map(|folder| Path::new(folder).join(name))
            .into_iter()
            .find(|path| path.exists());
        if program.is_none() {
            eprintln!("SKIPPED: {name} is not installed (Debian: apt-get install {package})");
        }
        program
    }

    /// Writes the proxy's example with these addresses instead of those that it names, with its files in `folder`. Returns the
    /// command that runs it.
    fn command(
        self,
        program: &Path,
        address: SocketAddr,
        instances: &[SocketAddr],
        folder: &Path,
    ) -> Command {
        let example = match self {
            Self::Nginx => include_str!("../../deploy/nginx.conf"),
            Self::Caddy => include_str!("../../deploy/Caddyfile"),
        };
        let config = match self {
            Self::Nginx => nginx_config(example, address, instances, folder),
            Self::Caddy => caddy_config(example, address, instances),
        };
        let file = folder.join("config");
        std::fs::write(&file, config).expect("a configuration");
        let mut command = Command::new(program);
        match self {
            Self::Nginx => {
                // Of root, its workers are in this folder, too.
                let root = rustix::process::geteuid().is_root();
                let user = if root { " user root;" } else { "" };
                command.arg("-c").arg(&file);
                command.args(["-g", &format!("daemon off;{user}")]);
            }
            Self::Caddy => {
                command.args(["run", "--adapter", "caddyfile", "--config"]);
                command.arg(&file);
                for variable in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
                    command.env(variable, folder);
                }
                // It writes a line for each stream that a client leaves.
                command.stderr(Stdio::null());
            }
        }
        command
    }
}

fn nginx_config(
    example: &str,
    address: SocketAddr,
    instances: &[SocketAddr],
    folder: &Path,
) -> String {
    let at = folder.display();
    let own = format!("pid {at}/nginx.pid;\nerror_log stderr crit;\n");
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("    {kind}_temp_path {at}/{kind};\n"))
        .concat();
    let one = "server 127.0.0.1:3000 max_fails=3 fail_timeout=2s;";
    assert!(example.contains(one), "the example names an instance");
    let all: Vec<String> = instances
        .iter()
        .map(|instance| one.replace("127.0.0.1:3000", &instance.to_string()))
        .collect();
    let config = example
        .replace(one, &all.join("\n        "))
        .replace("listen 127.0.0.1:8080", &format!("listen {address}"))
        .replace("worker_rlimit_nofile 65536;", "")
        .replace("worker_connections 16384", "worker_connections 4096")
        .replace(
            "http {\n",
            &format!("http {{\n    access_log off;\n{temporary}"),
        );
    own + &config
}

fn caddy_config(example: &str, address: SocketAddr, instances: &[SocketAddr]) -> String {
    let (site, one) = ("tochki.example {", "reverse_proxy 127.0.0.1:3000 {");
    assert!(example.contains(one), "the example names an instance");
    let all: Vec<String> = instances.iter().map(ToString::to_string).collect();
    // Without TLS, and without the port on which it is configured while it runs.
    format!("{{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}}\n{example}")
        .replace(site, &format!("http://{address} {{"))
        .replace(one, &format!("reverse_proxy {} {{", all.join(" ")))
}

/// A running proxy; it is killed when this is dropped.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    child: Child,
    _folder: TempDir,
}

impl Proxy {
    /// Starts a proxy before these instances, or returns `None` where it is not installed.
    pub(crate) async fn before(kind: ProxyKind, instances: &[SocketAddr]) -> Option<Self> {
        let program = kind.program()?;
        let folder = tempfile::tempdir().expect("a temporary folder");
        // Free until the proxy takes it, unless another test is quicker.
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        drop(listener);
        let child = kind
            .command(&program, address, instances, folder.path())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("the proxy starts");
        let mut proxy = Self {
            address,
            child,
            _folder: folder,
        };
        proxy.wait_until_ready().await;
        Some(proxy)
    }

    async fn wait_until_ready(&mut self) {
        let visitor = Visitor::at(self.address);
        wait_until("the proxy", async || {
            if let Ok(Some(status)) = self.child.try_wait() {
                panic!("the proxy has ended: {status}");
            }
            let asked = visitor.request(Method::GET, "/healthz");
            (try_send(asked).await.ok()?.status == 200).then_some(())
        })
        .await;
    }

    /// Stops the proxy with its workers.
    pub(crate) async fn stop(mut self) {
        let pid = self.child.id().map(u32::cast_signed);
        let pid = pid
            .and_then(rustix::process::Pid::from_raw)
            .expect("it runs");
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it is told");
        let ended = tokio::time::timeout(TIMEOUT, self.child.wait()).await;
        ended.expect("in time").expect("it ends");
    }
}

async fn event_streams_pass(kind: ProxyKind) {
    let app = TestApp::with_settings(|settings| settings.trust_proxy = 1).await;
    let Some(proxy) = Proxy::before(kind, &[app.address]).await else {
        return;
    };
    let ann = Visitor::at(proxy.address).register("ann").await;
    let bob = Visitor::at(proxy.address).register("bob").await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    // Each event is read before the next is caused, so none waits for a buffer to fill.
    let mut stream = bob.stream(&format!("/events/match/{id}?after=2")).await;
    for (player, mv, version) in [(&ann, "1,1", 3), (&bob, "2,2", 4), (&ann, "3,3", 5)] {
        player.make_move(id, mv, &[]).await.assert_ok();
        assert_eq!(stream.next().await.id, Some(version));
    }
    let is_present = async || ann.snapshot(id).await["present"][1] == true;
    assert!(is_present().await);
    // The proxy ends its own request when its client goes.
    drop(stream);
    wait_until("bob to be gone", async || {
        (!is_present().await).then_some(())
    })
    .await;
    proxy.stop().await;
}

async fn clients_have_their_own_addresses(kind: ProxyKind) {
    let app = TestApp::with_settings(|settings| {
        settings.trust_proxy = 1;
        settings.registrations_by_address = NonZeroU32::MIN;
    })
    .await;
    let Some(proxy) = Proxy::before(kind, &[app.address]).await else {
        return;
    };
    let register = async |name: &str, from: &str| {
        let address = from.parse().expect("an address");
        let client = super::player::client_builder().local_address(Some(address));
        let form = [("name", name), ("password", super::player::PASSWORD)];
        let sent = client
            .build()
            .expect("a client")
            .post(format!("http://{}/api/register", proxy.address))
            // The address that a client claims for itself is not believed.
            .header("x-forwarded-for", "203.0.113.77")
            .form(&form)
            .send();
        sent.await.expect("an answer").status().as_u16()
    };
    assert_eq!(register("ann", "127.0.0.1").await, 200);
    assert_eq!(register("eve", "127.0.0.1").await, 429);
    // Linux answers at all of 127.0.0.0/8.
    assert_eq!(register("bob", "127.0.0.2").await, 200);
    proxy.stop().await;
}

#[tokio::test]
async fn event_streams_pass_nginx_unbuffered() {
    event_streams_pass(ProxyKind::Nginx).await;
}

#[tokio::test]
async fn event_streams_pass_caddy_unbuffered() {
    event_streams_pass(ProxyKind::Caddy).await;
}

#[tokio::test]
async fn behind_nginx_each_client_has_its_own_address() {
    clients_have_their_own_addresses(ProxyKind::Nginx).await;
}

#[tokio::test]
async fn behind_caddy_each_client_has_its_own_address() {
    clients_have_their_own_addresses(ProxyKind::Caddy).await;
}
