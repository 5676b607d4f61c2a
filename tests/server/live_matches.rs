//! Matches that are played while something breaks.
//!
//! Their players do as a page does: a move is sent until it is acknowledged, always with the same `client_id`, and a stream that
//! ends is opened again after the time that the server has named.

use super::app::{TIMEOUT, start_match_with, wait_until};
use super::fault_table::Cost;
use super::player::{Player, Visitor, try_open};
use super::sse_client::{Frame, Stream};
use futures::{StreamExt as _, stream};
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::Value;
use sqlx::PgPool;
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tochki_rules::dots::{Dots, Opening, Setup};
use tochki_rules::{Game as _, Seat};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

/// The width of the boards: so large that no match ends before its test.
const WIDTH: u8 = 39;
const HEIGHT: u8 = 32;

/// The wait of a page before it sends a move again, or opens a stream that was refused.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// The wait of a browser before it opens a stream again, until the server names another time.
const RECONNECT_DELAY: Duration = Duration::from_secs(2);

/// The number of pairs of players that begin at once.
const BEGIN_AT_ONCE: usize = 4;

/// Running matches of Dots, and their players.
pub(crate) struct LiveMatches {
    matches: Vec<Arc<LiveMatch>>,
    playing: JoinSet<()>,
    watching: JoinSet<()>,
    /// The signal that ends the play, but not the streams.
    stop: CancellationToken,
}

/// A running match.
struct LiveMatch {
    id: i64,
    players: [Player; 2],
    /// The acknowledged moves; the version of each is its place, from 1.
    acknowledged: Mutex<Vec<Move>>,
    /// The moves that the stream of each player has shown, each with its version.
    seen: [Mutex<Vec<(u32, Move)>>; 2],
    /// The answers after which a move had to be sent again, and the number of times that each came.
    refusals: Mutex<Refusals>,
    /// Whether the server has said that the match has ended.
    ended: AtomicBool,
}

/// Answers, as `503 unavailable` or `none`, and the number of times that each came.
pub(crate) type Refusals = BTreeMap<String, usize>;

/// A move and its `client_id`.
type Move = (String, String);

impl LiveMatches {
    /// Starts so many rated matches at this address, with more fields of the challenge. After each move a player waits for
    /// `pace`.
    pub(crate) async fn start(
        at: &Visitor,
        count: usize,
        more: &[(&str, &str)],
        pace: Duration,
    ) -> Self {
        let mut live = Self {
            matches: Vec::new(),
            playing: JoinSet::new(),
            watching: JoinSet::new(),
            stop: CancellationToken::new(),
        };
        let setup = format!(r#"{{"width":{WIDTH},"height":{HEIGHT}}}"#);
        let form = [&[("setup", setup.as_str())], more].concat();
        let begin = async |number: usize| {
            let sign_up = async |name: &str| {
                let name = format!("{name}-{number}");
                Visitor::at(at.address()).register(&name).await
            };
            let (one, other) = tokio::join!(sign_up("fay"), sign_up("gus"));
            let id = start_match_with(&one, &other, &form).await;
            Arc::new(LiveMatch {
                id,
                players: [one, other],
                acknowledged: Mutex::default(),
                seen: Default::default(),
                refusals: Mutex::default(),
                ended: AtomicBool::new(false),
            })
        };
        let mut begun = stream::iter(0..count)
            .map(begin)
            .buffer_unordered(BEGIN_AT_ONCE);
        // Players who have begun play at once, because a match that nobody comes to is aborted.
        while let Some(live_match) = begun.next().await {
            for seat in Seat::BOTH {
                let watched = live_match.clone();
                live.watching
                    .spawn(async move { watched.watch(seat.index()).await });
            }
            let (played, stop) = (live_match.clone(), live.stop.clone());
            live.playing
                .spawn(async move { played.play(pace, &stop).await });
            live.matches.push(live_match);
        }
        drop(begun);
        // A player who has a stream once is waited for no longer.
        live.wait_for_moves(2).await;
        live
    }

    /// Returns the players.
    pub(crate) fn player_ids(&self) -> Vec<i64> {
        let players = self.matches.iter().flat_map(|one| &one.players);
        players.map(|player| player.id).collect()
    }

    /// Returns the matches.
    pub(crate) fn ids(&self) -> Vec<i64> {
        self.matches.iter().map(|one| one.id).collect()
    }

    /// Returns the answers so far after which moves had to be sent again.
    pub(crate) fn refusals(&self) -> Refusals {
        let mut all = Refusals::new();
        for one in &self.matches {
            for (answer, count) in one.refusals.lock().expect("no panic").iter() {
                *all.entry(answer.clone()).or_default() += count;
            }
        }
        all
    }

    /// Waits until every match has so many acknowledged moves.
    pub(crate) async fn wait_for_moves(&self, count: usize) {
        wait_until("moves in all matches", async || {
            let all = self.matches.iter().all(|one| one.moves() >= count);
            all.then_some(())
        })
        .await;
    }

    /// Waits until a move was acknowledged in every match from now on, if it has not ended. Returns the time that it took.
    pub(crate) async fn wait_until_whole(&self) -> Duration {
        let begun = Instant::now();
        let before: Vec<usize> = self.matches.iter().map(|one| one.moves()).collect();
        wait_until("a move in every match", async || {
            let mut all = self.matches.iter().zip(&before);
            all.all(|(one, before)| one.moves() > *before || one.ended.load(Ordering::SeqCst))
                .then_some(())
        })
        .await;
        begun.elapsed()
    }

    /// Ends the play, and checks that the database has every acknowledged move once and that the streams have shown all of
    /// them in order.
    pub(crate) async fn finish(mut self, db: &PgPool) -> Cost {
        self.stop.cancel();
        while let Some(played) = self.playing.join_next().await {
            played.expect("every answer was understood");
        }
        let mut cost = Cost::default();
        for live_match in &self.matches {
            live_match.check(db, &mut cost).await;
        }
        if let Some(Err(error)) = self.watching.try_join_next() {
            panic!("a stream could not be read: {error}");
        }
        cost
    }
}

impl LiveMatch {
    fn moves(&self) -> usize {
        self.acknowledged.lock().expect("no panic").len()
    }

    fn count_refusal(&self, refusal: String) {
        let mut refusals = self.refusals.lock().expect("no panic");
        *refusals.entry(refusal).or_default() += 1;
    }

    /// Plays random moves until it is told to stop. A match that has ended is left as it is.
    async fn play(&self, pace: Duration, stop: &CancellationToken) {
        let mut random = SmallRng::seed_from_u64(self.id.cast_unsigned());
        let setup = Setup::new(WIDTH, HEIGHT, Opening::Empty).expect("a size of Dots");
        let mut dots = Dots::new(&setup);
        while !stop.is_cancelled()
            && let Some(seat) = dots.to_move()
        {
            let point = dots.free_points().choose(&mut random);
            let point = point.expect("whoever is to move has a point");
            let mv = (
                point.to_string(),
                format!("{:016x}", random.random::<u64>()),
            );
            if !self.send_until_acknowledged(seat, &mv).await {
                self.ended.store(true, Ordering::SeqCst);
                return;
            }
            dots.play(point).expect("it was free");
            self.acknowledged.lock().expect("no panic").push(mv);
            stop.run_until_cancelled(sleep(pace)).await;
        }
    }

    /// Sends a move until there is an answer of the server. False if the match has ended.
    async fn send_until_acknowledged(&self, seat: Seat, (mv, client_id): &Move) -> bool {
        let (id, version) = (self.id.to_string(), self.moves());
        let version_text = version.to_string();
        let form = [
            ("match_id", id.as_str()),
            ("mv", mv),
            ("version", &version_text),
            ("client_id", client_id),
        ];
        loop {
            let request = self.players[seat.index()].post_request("/api/move");
            let refusal = match answer_to(request.form(&form)).await {
                Some((200, body)) => {
                    assert_eq!(body["version"], version + 1, "match {id}: {body}");
                    return true;
                }
                Some((409, body)) if body["code"] == "finished" => return false,
                Some((status @ 502..=504, body)) => {
                    format!("{status} {}", body["code"].as_str().unwrap_or("of a proxy"))
                }
                Some((status, body)) => panic!("match {id}: {status} {body}"),
                None => "none".to_owned(),
            };
            self.count_refusal(refusal);
            sleep(RETRY_DELAY).await;
        }
    }

    /// Holds a stream open and keeps the moves that it shows.
    async fn watch(&self, seat: usize) {
        let mut reconnect = RECONNECT_DELAY;
        loop {
            let last = self.seen[seat].lock().expect("no panic").len();
            let path = format!("/events/match/{}", self.id);
            let asked = self.players[seat]
                .request(reqwest::Method::GET, &path)
                .header("last-event-id", last.to_string());
            match try_open(asked).await {
                Ok(stream) => {
                    self.read(stream, seat, &mut reconnect).await;
                    sleep(reconnect).await;
                }
                Err(_) => sleep(RETRY_DELAY).await,
            }
        }
    }

    /// Reads a stream until it ends, or is as silent as a dead one.
    async fn read(&self, mut stream: Stream, seat: usize, reconnect: &mut Duration) {
        // Events of one stream come in order, also after `resync`.
        while let Ok(Some(frame)) = timeout(TIMEOUT / 2, stream.frame()).await {
            match frame {
                Frame::Event(event) if event.name == "moved" => {
                    let text = |field: &str| event.data[field].as_str().expect("text").to_owned();
                    let shown = (
                        event.id.expect("a version"),
                        (text("mv"), text("client_id")),
                    );
                    self.seen[seat].lock().expect("no panic").push(shown);
                }
                Frame::Event(_) => {}
                Frame::Comment(lines) => {
                    let told = lines.lines().find_map(|line| line.strip_prefix("retry: "));
                    if let Some(told) = told.and_then(|ms| ms.parse().ok()) {
                        *reconnect = Duration::from_millis(told);
                    }
                }
            }
        }
    }

    /// Compares the acknowledged moves with the database and with the streams, once nobody plays.
    async fn check(&self, db: &PgPool, cost: &mut Cost) {
        let acknowledged = self.acknowledged.lock().expect("no panic").clone();
        let stored: Vec<(i32, Move)> = sqlx::query_as::<_, (i32, String, String)>(
            "select version, body::jsonb ->> 'mv', client_id from match_events
             where match_id = $1 and kind = 'moved' order by version",
        )
        .bind(self.id)
        .fetch_all(db)
        .await
        .expect("the stored moves")
        .into_iter()
        .map(|(version, mv, client_id)| (version, (mv, client_id)))
        .collect();
        let kept: HashSet<&(i32, Move)> = stored.iter().collect();
        let expected: Vec<(i32, Move)> = (1..).zip(acknowledged.iter().cloned()).collect();
        cost.acknowledged += expected.len();
        cost.lost += expected.iter().filter(|mv| !kept.contains(mv)).count();
        let ended: bool =
            sqlx::query_scalar("select finished_at is not null from matches where id = $1")
                .bind(self.id)
                .fetch_one(db)
                .await
                .expect("the match");
        if ended {
            cost.wrongly_lost += 1;
            return;
        }
        assert_eq!(
            stored, expected,
            "match {}: a move that nobody has made",
            self.id
        );
        for seen in &self.seen {
            wait_until("a stream that has shown all moves", async || {
                (seen.lock().expect("no panic").len() >= acknowledged.len()).then_some(())
            })
            .await;
            let seen = seen.lock().expect("no panic").clone();
            let expected: Vec<(u32, Move)> = (1..).zip(acknowledged.iter().cloned()).collect();
            assert_eq!(
                seen, expected,
                "match {}: a stream without gap or repeat",
                self.id
            );
        }
    }
}

/// Returns the status and the body of an answer, if there is one.
async fn answer_to(request: reqwest::RequestBuilder) -> Option<(u16, Value)> {
    let response = request.send().await.ok()?;
    let status = response.status().as_u16();
    let text = response.text().await.ok()?;
    // A proxy answers in HTML.
    Some((
        status,
        serde_json::from_str(&text).unwrap_or(Value::String(text)),
    ))
}
