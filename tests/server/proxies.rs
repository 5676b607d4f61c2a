//! The server behind nginx, with `deploy/nginx.conf`. Skipped, and said so, where nginx is not installed.

use super::app::{SMALL, TIMEOUT, TestApp, begin, start_match, wait_until};
use super::player::{Visitor, try_send};
use reqwest::Method;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroU32;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// A running nginx; it is killed when this is dropped.
pub(crate) struct Nginx {
    pub(crate) address: SocketAddr,
    child: Child,
    _folder: TempDir,
}

impl Nginx {
    /// One before these instances, or `None` where it is not installed.
    pub(crate) async fn before(instances: &[SocketAddr]) -> Option<Self> {
        let places = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"];
        let Some(program) = places.iter().find(|path| Path::new(path).exists()) else {
            eprintln!("SKIPPED: nginx is not installed (Debian: apt-get install nginx-light)");
            return None;
        };
        let folder = tempfile::tempdir().expect("a temporary folder");
        // Free until nginx takes it, unless another test is quicker.
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        drop(listener);
        let example = include_str!("../../deploy/nginx.conf");
        let at = folder.path().display();
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
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, own + &config).expect("a configuration");
        let mut command = Command::new(program);
        command.arg("-c").arg(&file);
        if rustix::process::geteuid().is_root() {
            // Its workers are in this folder, too.
            command.args(["-g", "daemon off; user root;"]);
        } else {
            command.args(["-g", "daemon off;"]);
        }
        let child = command
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("nginx starts");
        let mut nginx = Self {
            address,
            child,
            _folder: folder,
        };
        nginx.wait_until_ready().await;
        Some(nginx)
    }

    async fn wait_until_ready(&mut self) {
        let visitor = Visitor::at(self.address);
        wait_until("nginx", async || {
            if let Ok(Some(status)) = self.child.try_wait() {
                panic!("nginx has ended: {status}");
            }
            let asked = visitor.request(Method::GET, "/healthz");
            (try_send(asked).await.ok()?.status == 200).then_some(())
        })
        .await;
    }

    /// Ends it with its workers.
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

#[tokio::test]
async fn event_streams_pass_nginx_unbuffered() {
    let app = TestApp::with_settings(|settings| settings.trust_proxy = 1).await;
    let Some(nginx) = Nginx::before(&[app.address]).await else {
        return;
    };
    let ann = Visitor::at(nginx.address).register("ann").await;
    let bob = Visitor::at(nginx.address).register("bob").await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    // Each event is read before the next is caused, so none waits for a buffer to fill.
    let mut stream = bob.stream(&format!("/events/match/{id}?after=2")).await;
    for (player, mv, version) in [(&ann, "1,1", 3), (&bob, "2,2", 4), (&ann, "3,3", 5)] {
        player.make_move(id, mv, &[]).await.assert_ok();
        assert_eq!(stream.next().await.id, Some(version));
    }
    drop(stream);
    nginx.stop().await;
}

#[tokio::test]
async fn behind_nginx_each_client_has_its_own_address() {
    let app = TestApp::with_settings(|settings| {
        settings.trust_proxy = 1;
        settings.registrations_by_address = NonZeroU32::MIN;
    })
    .await;
    let Some(nginx) = Nginx::before(&[app.address]).await else {
        return;
    };
    let register = async |name: &str, from: &str| {
        let address = from.parse().expect("an address");
        let client = super::player::client_builder().local_address(Some(address));
        let form = [("name", name), ("password", super::player::PASSWORD)];
        let sent = client
            .build()
            .expect("a client")
            .post(format!("http://{}/api/register", nginx.address))
            // What a client says of itself is not believed.
            .header("x-forwarded-for", "203.0.113.77")
            .form(&form)
            .send();
        sent.await.expect("an answer").status().as_u16()
    };
    assert_eq!(register("ann", "127.0.0.1").await, 200);
    assert_eq!(register("eve", "127.0.0.1").await, 429);
    // Linux answers at all of 127.0.0.0/8.
    assert_eq!(register("bob", "127.0.0.2").await, 200);
    nginx.stop().await;
}
