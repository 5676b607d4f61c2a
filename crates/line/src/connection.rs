//! The task of one connection: it waits for lines, changes and deadlines, and handles one at a time.

use crate::client::{Client, Ended, LoggedIn};
use crate::codec::{Frame, LineCodec, Received, Request};
use crate::message::{LineError, Message};
use crate::phase::{Change, Phase};
use crate::registry::Registry;
use crate::timing::{Due, KeepAlive, RateLimiter};
use futures::StreamExt as _;
use metrics::gauge;
use std::future::pending;
use std::io;
use tochki_protocol::limits;
use tochki_server::accounts::ClientAddress;
use tochki_server::accounts::db::line_connections;
use tochki_server::{AppState, LogFailure as _};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::codec::FramedRead;

/// The server of connections.
#[derive(Clone)]
pub struct LineServer {
    app: AppState,
    registry: Registry,
}

impl LineServer {
    /// Starts noting in the database which connections are open, until the arena shuts down.
    pub fn open(app: AppState) -> Self {
        let settings = &app.settings;
        let registry = Registry::new(settings.line_max_players, settings.line_max_games);
        let server = Self { app, registry };
        server.app.tasks.spawn("line connections", {
            let server = server.clone();
            move || server.clone().touch_loop()
        });
        server
    }

    /// Serves a connection until it ends, or until the arena shuts down.
    pub async fn serve(&self, stream: TcpStream, address: ClientAddress) {
        gauge!("line_clients").increment(1.0);
        let (reader, writer) = stream.into_split();
        let settings = &self.app.settings;
        let now = Instant::now();
        let mut connection = Connection {
            client: Client {
                app: self.app.clone(),
                registry: self.registry.clone(),
                address,
                phase: Phase::Login,
                player: None,
                out: String::new(),
            },
            frames: FramedRead::with_capacity(reader, LineCodec::default(), limits::LINE_MAX_BYTES),
            writer,
            keep_alive: KeepAlive::new(settings.line_ping_after, settings.line_pong_timeout, now),
            rate_limiter: RateLimiter::new(now),
            login_by: now + settings.line_login_timeout,
            unreadable: 0,
        };
        let shutdown = self.app.shutdown.clone();
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
                () = self.app.shutdown.cancelled() => return,
                _ = touch.tick() => {}
            }
            let (players, connections) = self.registry.connections();
            if players.is_empty() {
                continue;
            }
            let touched = line_connections::touch(&self.app.db, &players, &connections).await;
            if let Some(open) = touched.log_failure("noting open lines") {
                self.registry.close_replaced(&connections, &open);
            }
        }
    }
}

/// A connection with its client.
struct Connection {
    client: Client,
    frames: Frames,
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
    /// At the end of the connection there is none.
    Read(Option<io::Result<Frame>>),
    Due,
    /// Another connection of the player asks whether this one is alive.
    Probed,
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
                frames,
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
                frame = next_frame(frames, read_at) => ConnectionEvent::Read(frame),
                () = at(due_at) => ConnectionEvent::Due,
                () = probed(player.as_ref()) => ConnectionEvent::Probed,
                () = at(login_by) => ConnectionEvent::Ended,
            };
            match event {
                ConnectionEvent::Change(change) => self.client.changed(change).await?,
                ConnectionEvent::Read(frame) => match frame.ok_or(Ended::Gone)?? {
                    Frame::Line(received) => self.received(received).await?,
                    Frame::Part => self.rate_limiter.count_part(Instant::now()),
                },
                ConnectionEvent::Due => self.due().await?,
                ConnectionEvent::Probed => self.client.push(&Message::Ping),
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
        if let Some(player) = &self.client.player {
            player.registered.set_heard();
        }
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
        let app = &self.client.app;
        let (id, connection) = (player.registered.player, player.registered.connection);
        let lost = line_connections::lose(&app.db, id, connection).await;
        lost.log_failure("noting a lost line");
        if let Some(session) = &player.line.session {
            let signed_out = app.accounts.sign_out(session).await;
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

/// Waits for the question whether the client is alive.
async fn probed(player: Option<&LoggedIn>) {
    match player {
        Some(player) => player.registered.probed().await,
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
type Frames = FramedRead<OwnedReadHalf, LineCodec>;

/// Waits for the next frame, not before this time. Nothing is lost when the wait is cancelled.
async fn next_frame(frames: &mut Frames, not_before: Option<Instant>) -> Option<io::Result<Frame>> {
    if let Some(time) = not_before
        && time > Instant::now()
    {
        sleep_until(time).await;
    }
    frames.next().await
}
