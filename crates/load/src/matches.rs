//! Matches at a server of ours, and playing many of them evenly.

use crate::Result;
use crate::client::Client;
use crate::measure::Durations;
use crate::response::Response;
use crate::tochki::TochkiServer;
use std::time::{Duration, Instant};
use tokio::time::MissedTickBehavior;

/// A board on which moves from point to point, row by row, enclose nothing: its width is even.
const SETUP: &str = r#"{"width":38,"height":32}"#;

/// A match of two guests.
pub(crate) struct Match {
    pub(crate) id: i64,
    /// The player who moves first, and the other.
    players: [Client; 2],
    played: usize,
}

impl Match {
    /// The number of moves for which the board has room.
    pub(crate) const MOVES: usize = 38 * 32 - 2;

    /// Begins a match of two new guests whose names have this number. Both have made a move, so that nobody is waited for.
    pub(crate) async fn begin(tochki: &TochkiServer, number: usize) -> Result<Self> {
        let (mut one, _) = tochki.guest(&format!("Load-{number}-A")).await?;
        let (mut other, _) = tochki.guest(&format!("Load-{number}-B")).await?;
        let form = [
            ("game", "dots"),
            ("setup", SETUP),
            ("rated", "false"),
            ("clock", "10800+60"),
        ];
        let table = one.post("/api/open_table", &form).await?.ok()?.json()?;
        let id = table["id"].to_string();
        let link = table["link"].as_str().unwrap_or_default().to_owned();
        let sit = [("table", &*id), ("link", &*link)];
        other.post("/api/sit", &sit).await?.ok()?;
        let ready = [("table", &*id), ("ready", "true")];
        one.post("/api/ready", &ready).await?.ok()?;
        let begun = other.post("/api/ready", &ready).await?.ok()?.json()?;
        let id = begun["match"].as_i64().ok_or("no match has begun")?;
        // The seats are drawn: whoever may not move is second.
        let mut game = Self {
            id,
            players: [one, other],
            played: 0,
        };
        if game.play().await?.status == 409 {
            game.players.swap(0, 1);
            game.played = 0;
            game.play().await?.ok()?;
        }
        game.play().await?.ok()?;
        Ok(game)
    }

    /// Begins so many matches.
    pub(crate) async fn begin_all(tochki: &TochkiServer, count: usize) -> Result<Vec<Self>> {
        let mut matches = Vec::with_capacity(count);
        for number in 0..count {
            matches.push(Self::begin(tochki, number).await?);
        }
        Ok(matches)
    }

    /// Returns the number of moves made. The event of the next move has the version after it.
    pub(crate) fn played(&self) -> usize {
        self.played
    }

    /// Returns the cookies of both players.
    pub(crate) fn cookies(&self) -> [String; 2] {
        self.players.each_ref().map(Client::cookies)
    }

    /// Returns the address of the match's event stream, from here on.
    pub(crate) fn stream(&self) -> String {
        format!("/events/match/{}?after={}", self.id, self.played)
    }

    /// Makes the next move.
    pub(crate) async fn play(&mut self) -> Result<Response> {
        let (id, n) = (self.id.to_string(), self.played);
        let mv = format!("{},{}", n % 38, n / 38);
        let form = [("match_id", &*id), ("mv", &*mv)];
        let mover = &mut self.players[n % 2];
        self.played += 1;
        mover.post("/api/move", &form).await
    }

    /// Returns the number of players who are away, as the snapshot says.
    pub(crate) async fn away(&mut self) -> Result<usize> {
        let path = format!("/api/match?id={}", self.id);
        let snapshot = self.players[0].get(&path).await?.ok()?.json()?;
        let gone = snapshot["gone_at"].as_array().ok_or("no `gone_at`")?;
        Ok(gone.iter().filter(|gone| !gone.is_null()).count())
    }
}

/// Makes so many moves in each of these matches, one in each `period`, spread evenly over all. Before each move, `sent` gets the
/// place of its match and the version of its event. Returns the matches, and the times of the answers.
pub(crate) async fn play_evenly(
    matches: Vec<Match>,
    period: Duration,
    moves: usize,
    sent: impl Fn(usize, usize) + Clone + Send + 'static,
) -> Result<(Vec<Match>, Durations)> {
    let begun = tokio::time::Instant::now();
    let apart = period / u32::try_from(matches.len().max(1))?;
    let tasks: Vec<_> = (0..)
        .zip(matches)
        .map(|(place, mut game)| {
            let sent = sent.clone();
            let mut interval = tokio::time::interval_at(begun + apart * place, period);
            interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
            tokio::spawn(async move {
                let mut took = Durations::default();
                for _ in 0..moves.min(Match::MOVES - game.played()) {
                    interval.tick().await;
                    sent(place as usize, game.played() + 1);
                    let begun = Instant::now();
                    game.play().await?.ok()?;
                    took.add(begun.elapsed());
                }
                Ok::<_, crate::Error>((game, took))
            })
        })
        .collect();
    let (mut matches, mut all) = (Vec::new(), Durations::default());
    for task in tasks {
        let (game, took) = task.await??;
        matches.push(game);
        all.merge(took);
    }
    Ok((matches, all))
}
