//! A bare server of streams, for the least that one costs: it writes each posted event to all readers, and checks nothing.

use crate::Result;
use crate::tochki::{free_address, wait_for};
use std::net::SocketAddr;
use std::process::Stdio;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio::sync::broadcast;

/// Serves `/pub` and `/sub` until the process ends.
pub(crate) async fn serve(listen: SocketAddr) -> Result<()> {
    let listener = TcpListener::bind(listen).await?;
    let (events, _) = broadcast::channel::<std::sync::Arc<[u8]>>(1024);
    loop {
        let (socket, _) = listener.accept().await?;
        let events = events.clone();
        tokio::spawn(async move {
            let _ = Box::pin(serve_one(socket, events)).await;
        });
    }
}

async fn serve_one(
    mut socket: TcpStream,
    events: broadcast::Sender<std::sync::Arc<[u8]>>,
) -> Result<()> {
    socket.set_nodelay(true)?;
    let mut read = Vec::with_capacity(1024);
    loop {
        if socket.read_buf(&mut read).await? == 0 {
            return Ok(());
        }
        let Some(end) = crate::numbers::find(&read, b"\r\n\r\n") else {
            continue;
        };
        if read.starts_with(b"GET") {
            drop(read);
            let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
            socket.write_all(head).await?;
            let mut events = events.subscribe();
            loop {
                let event = events.recv().await?;
                socket.write_all(&event).await?;
            }
        }
        let head = String::from_utf8_lossy(&read[..end]).into_owned();
        let len = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let len: usize = len.ok_or("no length")?.trim().parse()?;
        while read.len() < end + 4 + len {
            socket.read_buf(&mut read).await?;
        }
        let body = &read[end + 4..end + 4 + len];
        let frame = [b"event: moved\ndata: ", body, b"\n\n"].concat();
        let _ = events.send(frame.into());
        read.drain(..end + 4 + len);
        let done = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
        socket.write_all(done).await?;
    }
}

/// A process of this program that serves as the bare server.
pub(crate) struct Bare {
    pub(crate) address: SocketAddr,
    child: Child,
}

impl Bare {
    pub(crate) async fn start() -> Result<Self> {
        let address = free_address()?;
        let child = Command::new(std::env::current_exe()?)
            .args(["bare", &address.to_string()])
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        wait_for(address).await?;
        Ok(Self { address, child })
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id().unwrap_or(0)
    }

    pub(crate) async fn stop(mut self) {
        let _ = self.child.kill().await;
    }
}
