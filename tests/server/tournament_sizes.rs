//! Arenas of 3 to 5,000 players: what their page, their standings and the rank of a player cost, and how often watchers are told. The
//! table is printed by `cargo make tournaments`; most of the time of a debug build is its own.

use super::app::TestApp;
use super::player::{Player, send};
use super::tournament_steps::{account, arena, begin, make};
use std::time::{Duration, Instant};
use tochki_protocol::{PlayerId, TournamentId};
use tochki_tournaments::arena::{Outcome, Played, Rules, Sheet};
use tokio::time::timeout;

/// The numbers of players.
const SIZES: [usize; 4] = [3, 30, 2_000, 5_000];

/// The longest time in which the rank of any player is there, as long as nothing changes.
const RANK: Duration = Duration::from_millis(5);

/// The time for which the events are counted, and the time from one result to the next meanwhile.
const WATCHED: Duration = Duration::from_secs(5);
const RESULTS: Duration = Duration::from_millis(20);

/// Returns the sheet of a player after a number of games that depends on the player.
fn sheet(number: usize) -> Sheet {
    let rules = Rules {
        game: tochki_rules::GameKind::Dots,
        streaks: true,
        berserk: false,
    };
    let mut sheet = Sheet::default();
    for game in 0..number % 20 {
        sheet.add(
            rules,
            Played {
                outcome: [Outcome::Win, Outcome::Loss, Outcome::Draw][(number / 7 + game) % 3],
                moves: 40,
                forfeit: false,
                berserk: false,
                opponent_rating: 1600,
            },
        );
    }
    sheet
}

/// Makes an arena that runs, with so many players who have played, and that nobody drives. Returns it with its players.
async fn filled(app: &TestApp, maker: &Player, count: usize) -> (TournamentId, Vec<i64>) {
    let id = make(app, maker, arena()).await;
    begin(app, id).await;
    sqlx::query("update tournaments set holder = 'nobody', held_until = now() + interval '1 hour' where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .expect("a lease of nobody");
    let sheets = (0..count).map(sheet);
    let sheets: Vec<String> = sheets
        .map(|sheet| serde_json::to_string(&sheet).expect("a sheet"))
        .collect();
    let players: Vec<i64> = sqlx::query_scalar(
        "with made as (
             insert into players (name, name_key) select $2 || n, $2 || n from generate_series(1, $3) n returning id
         ), numbered as (
             select id, row_number() over (order by id) as place from made
         )
         insert into tournament_entrants (tournament_id, player_id, number, sheet, score)
         select $1, id, place - 1, ($4::text[])[place]::jsonb, (($4::text[])[place]::jsonb->>'score')::int from numbered
         returning player_id",
    )
    .bind(id.0)
    .bind(format!("of{count}n"))
    .bind(i32::try_from(count).expect("a small number"))
    .bind(&sheets)
    .fetch_all(&app.db)
    .await
    .expect("entrants");
    change(app, id).await;
    (id, players)
}

/// Gives a tournament a new version, as a result does.
async fn change(app: &TestApp, id: TournamentId) {
    sqlx::query("update tournaments set version = version + 1 where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .expect("a version");
}

/// Returns the time of an action, and what it returns.
async fn timed<T>(action: impl Future<Output = T>) -> (Duration, T) {
    let begun = Instant::now();
    let done = action.await;
    (begun.elapsed(), done)
}

/// Returns the median and the 99th percentile.
fn percentiles(mut times: Vec<Duration>) -> [Duration; 2] {
    times.sort_unstable();
    [50, 99].map(|percent| times[(times.len() - 1) * percent / 100])
}

/// Counts the events with standings that a watcher gets while results come.
async fn told(app: &TestApp, id: TournamentId) -> usize {
    let path = format!("/events/tournament/{id}");
    let mut stream = app.visitor().stream(&path).await;
    stream.next_named("standings").await;
    let deadline = Instant::now() + WATCHED;
    let mut count = 0;
    while Instant::now() < deadline {
        change(app, id).await;
        let event = timeout(RESULTS, stream.next_named("standings"));
        count += usize::from(event.await.is_ok());
    }
    count
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "measures: `cargo make tournaments` runs it"]
async fn ranks_are_quick_and_watchers_are_told_once_a_second() {
    let app = TestApp::init().await;
    let maker = app.with_user("maker").await;
    let tournaments = &app.state.tournaments;
    println!(
        "| players | page | | standings | | ranked | rank, median | rank, p99 | events in 5 s |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for count in SIZES {
        let (id, players) = filled(&app, &maker, count).await;
        let (ranked, standings) = timed(tournaments.standings(id, 0)).await;
        assert_eq!(standings.expect("rows").players as usize, count);
        let mut ranks = Vec::new();
        for at in 0..1_000 {
            let player = PlayerId(players[at * 7_919 % players.len()]);
            let (time, row) = timed(tournaments.standing_of(id, player)).await;
            assert_eq!(
                row.expect("an answer").map(|row| row.player.id),
                Some(player)
            );
            ranks.push(time);
        }
        let [median, p99] = percentiles(ranks);
        assert!(median <= RANK, "{count} players: {median:?}");
        let page = maker.request(reqwest::Method::GET, &format!("/tournament/{id}"));
        let (page_time, page) = timed(send(page.header("accept", "text/html"))).await;
        let standings = format!("/api/tournament_standings?id={id}");
        let (read_time, read) = timed(maker.get(&standings)).await;
        assert_eq!((page.status, read.status), (200, 200));
        let events = told(&app, id).await;
        assert!(
            events <= WATCHED.as_secs() as usize + 1,
            "{count} players: {events} events"
        );
        println!(
            "| {count} | {} B | {page_time:.1?} | {} B | {read_time:.1?} | {ranked:.1?} | {median:.2?} | {p99:.2?} | {events} |",
            page.text.len(),
            read.text.len(),
        );
        // The next one is measured alone.
        let by = account(&maker);
        let cancelled = tournaments.cancel(&by, true, id).await;
        cancelled.expect("a cancelled tournament");
    }
}
