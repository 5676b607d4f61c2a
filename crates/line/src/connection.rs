//! The task of one connection: it waits for lines, changes and deadlines, and handles one at a time.

use crate::client::{Client, Ended, LoggedIn};
use crate::codec::{Received, Request, Splitter};
use crate::message::{LineError, Message};
use crate::phase::{Change, Phase};
use crate::registry::Registry;
use crate::timing::{Due, KeepAlive, RateLimiter};
use metrics::gauge;
use std::future::pending;
use std::io;
use tochki_protocol::limits;
use tochki_server::accounts::ClientAddress;
use tochki_server::accounts::db::line_connections;
use tochki_server::{Arena, LogFailure as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::{Instant, sleep_until, timeout};

/// The server of connections.
#[derive(Clone)]
pub struct LineServer {
    arena: Arena,
    registry: Registry,
}

impl LineServer {
    /// Starts noting in the database which connections are open, until the arena shuts down.
    pub fn open(arena: Arena) -> Self {
        let settings = &arena.settings;
        let registry = Registry::new(settings.line_max_players, settings.line_max_games);
        let server = Self { arena, registry };
        server.arena.tasks.spawn("line connections", {
            let server = server.clone();
            move || server.clone().touch_loop()
        });
        server
    }

    /// Serves a connection until it ends, or until the arena shuts down.
    pub async fn serve(&self, stream: TcpStream, address: ClientAddress) {
        gauge!("line_clients").increment(1.0);
        let (reader, writer) = stream.into_split();
        let settings = &self.arena.settings;
        let now = Instant::now();
        let mut connection = Connection {
            client: Client {
                arena: self.arena.clone(),
                registry: self.registry.clone(),
                address,
                phase: Phase::Login,
                player: None,
                out: String::new(),
            },
            reader: Reader {
                half: reader,
                buffer: [0; limits::LINE_MAX_BYTES],
                unread: 0..0,
                splitter: Splitter::default(),
            },
            writer,
            keep_alive: KeepAlive::new(settings.line_ping_after, settings.line_pong_timeout, now),
            rate_limiter: RateLimiter::new(now),
            login_by: now + settings.line_login_timeout,
            unreadable: 0,
        };
        let shutdown = self.arena.shutdown.clone();
        tokio::select! {
            () = shutdown.cancelled() => {}
            ended = connection.run() => if let Err(Ended::Failed(error)) = ended {
                // The client comes back, and is told how things stand.
                Err::<(), _>(error).log_failure("serving a line");
            },
        }
        connection.close().await;
        gauge!("line_clients").decrement(1.0);
    }

    async fn touch_loop(self) {
        let mut touch = tokio::time::interval(limits::LINE_TOUCH_INTERVAL);
        loop {
            tokio::select! {
                () = self.arena.shutdown.cancelled() => return,
                _ = touch.tick() => {}
            }
            let (players, connections) = self.registry.connections();
            if players.is_empty() {
                continue;
            }
            let touched = line_connections::touch(&self.arena.db, &players, &connections).await;
            if let Some(open) = touched.log_failure("noting open lines") {
                self.registry.close_replaced(&connections, &open);
            }
        }
    }
}

/// A connection with its client.
struct Connection {
    client: Client,
    reader: Reader,
    writer: OwnedWriteHalf,
    keep_alive: KeepAlive,
    rate_limiter: RateLimiter,
    /// The time at which a client that has not logged in is closed.
    login_by: Instant,
    /// The number of lines in a row that could not be read.
    unreadable: u32,
}

/// An event that a connection waits for.
enum ConnectionEvent {
    Change(Change),
    Read(io::Result<Read>),
    Due,
    Ended,
}

impl Connection {
    async fn run(&mut self) -> Result<(), Ended> {
        loop {
            self.flush().await?;
            let read_at = self.rate_limiter.next();
            if let Some(read_at) = read_at
                && read_at > Instant::now()
            {
                self.keep_alive.paused_until(read_at);
            }
            let due_at = self.keep_alive.next();
            let Self {
                client,
                reader,
                login_by,
                ..
            } = self;
            let Client { phase, player, .. } = client;
            let login_by = player.is_none().then_some(*login_by);
            let event = tokio::select! {
                biased;
                () = ended(player.as_ref()) => ConnectionEvent::Ended,
                // Before the next line, so that a request meets the game as the client has been told it.
                change = phase.next() => ConnectionEvent::Change(change),
                read = reader.next(read_at) => ConnectionEvent::Read(read),
                () = at(due_at) => ConnectionEvent::Due,
                () = at(login_by) => ConnectionEvent::Ended,
            };
            match event {
                ConnectionEvent::Change(change) => self.client.changed(change).await?,
                ConnectionEvent::Read(read) => match read? {
                    Read::Line(received) => self.received(received).await?,
                    Read::Partial => self.rate_limiter.count_part(Instant::now()),
                    Read::Endless | Read::Closed => return Err(Ended::Gone),
                },
                ConnectionEvent::Due => self.due().await?,
                ConnectionEvent::Ended => return Err(Ended::Gone),
            }
            // In a game an unresponsive client may come back. In the lobby it is gone.
            if self.keep_alive.is_unresponsive() && !matches!(self.client.phase, Phase::Playing(_))
            {
                return Err(Ended::Gone);
            }
        }
    }

    async fn received(&mut self, received: Received) -> Result<(), Ended> {
        let now = Instant::now();
        self.rate_limiter.count(now);
        let was_unresponsive = self.keep_alive.is_unresponsive();
        self.keep_alive.received(now);
        if was_unresponsive {
            self.client.return_to_match().await?;
        }
        match received {
            Received::Request(request) => {
                self.unreadable = 0;
                match self.client.phase.state().admit(&request) {
                    Ok(()) => self.request(request).await?,
                    Err(error) => self.client.push(&Message::Error(error)),
                }
            }
            Received::Answer => self.unreadable = 0,
            // A browser that a web page has sent here. Its next lines may look like requests.
            Received::Http if self.client.player.is_none() => return Err(Ended::Gone),
            Received::Unreadable | Received::Http => {
                self.client.push(&Message::Error(LineError::Invalid));
                self.unreadable += 1;
                if self.unreadable >= limits::LINE_UNREADABLE_MAX {
                    self.flush().await?;
                    return Err(Ended::Gone);
                }
            }
        }
        Ok(())
    }

    async fn request(&mut self, request: Request) -> Result<(), Ended> {
        match request {
            Request::Ping => {
                self.client.push(&Message::Pong);
                Ok(())
            }
            Request::Login { name, token } => self.client.log_in(&name, token.as_deref()).await,
            Request::Reconnect { name, token } => {
                self.client.reconnect(&name, token.as_deref()).await
            }
            Request::Load => self.client.load().await,
            Request::Create { game } => self.client.create(&game).await,
            Request::Join { game } => self.client.join(&game).await,
            Request::Leave => self.client.leave().await,
            Request::Turn { x, row } => self.client.turn(x, row).await,
            Request::Sync => {
                self.client.sync();
                Ok(())
            }
        }
    }

    async fn due(&mut self) -> Result<(), Ended> {
        match self.keep_alive.due(Instant::now()) {
            Some(Due::Ping) => self.client.push(&Message::Ping),
            Some(Due::Unresponsive) => {
                // The absence begins.
                self.client.mark_unresponsive().await?;
            }
            None => {}
        }
        Ok(())
    }

    /// Writes, and waits for a client that reads slowly. A client that does not read within the idle timeout is gone.
    async fn flush(&mut self) -> Result<(), Ended> {
        if self.client.out.is_empty() {
            return Ok(());
        }
        let writing = self.writer.write_all(self.client.out.as_bytes());
        let written = timeout(self.keep_alive.idle_timeout(), writing).await;
        self.client.out.clear();
        Ok(written.map_err(|_| Ended::Gone)??)
    }

    /// Leaves game and lobby as a lost connection does.
    async fn close(mut self) {
        // Presence ends first, so that an absence begins now.
        self.client.phase = Phase::Login;
        let Some(player) = self.client.player.take() else {
            return;
        };
        let arena = &self.client.arena;
        let (id, connection) = (player.registered.player, player.registered.connection);
        let lost = line_connections::lose(&arena.db, id, connection).await;
        lost.log_failure("noting a lost line");
        if let Some(session) = &player.line.session {
            let signed_out = arena.accounts.sign_out(session).await;
            signed_out.log_failure("ending the session of a line");
        }
    }
}

/// Waits for the end of the session or token, or for another connection of the same player.
async fn ended(player: Option<&LoggedIn>) {
    match player {
        Some(player) => tokio::select! {
            () = player.line.caller.session.ended() => {}
            () = player.registered.replaced() => {}
        },
        None => pending().await,
    }
}

async fn at(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => pending().await,
    }
}

/// The receiving side.
struct Reader {
    half: OwnedReadHalf,
    buffer: [u8; limits::LINE_MAX_BYTES],
    /// The range of the bytes in the buffer that are not split yet.
    unread: std::ops::Range<usize>,
    splitter: Splitter,
}

/// The result of reading.
enum Read {
    Line(Received),
    /// Bytes without the end of a line.
    Partial,
    /// More bytes of one line than are read.
    Endless,
    Closed,
}

impl Reader {
    /// Waits for the next line, not before this time. Nothing is lost when the wait is cancelled.
    async fn next(&mut self, not_before: Option<Instant>) -> io::Result<Read> {
        at_earliest(not_before).await;
        if self.unread.is_empty() {
            let read = self.half.read(&mut self.buffer).await?;
            if read == 0 {
                return Ok(Read::Closed);
            }
            self.unread = 0..read;
        }
        let (taken, line) = self.splitter.take(&self.buffer[self.unread.clone()]);
        self.unread.start += taken;
        Ok(match line {
            Some(line) => Read::Line(line),
            None if self.splitter.is_endless() => Read::Endless,
            None => Read::Partial,
        })
    }
}

async fn at_earliest(time: Option<Instant>) {
    if let Some(time) = time
        && time > Instant::now()
    {
        sleep_until(time).await;
    }
}
