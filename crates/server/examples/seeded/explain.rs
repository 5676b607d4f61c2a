//! Execution times and plans of all queries. Their texts are those in `.sqlx`, which are checked against the code while
//! compiling, so they are up to date.

use crate::Result;
use serde_json::Value;
use sqlx::{AssertSqlSafe, PgConnection, Row as _};
use std::fs;

/// A table with more rows than a fifth of the players must not be read as a whole.
const LARGE: i64 = 5;

/// A query to measure: its purpose, a unique part of its text, and its arguments.
struct Probe {
    what: String,
    part: &'static str,
    asked: String,
}

pub(crate) async fn all(db: &mut PgConnection) -> Result<()> {
    let queries = queries()?;
    let large = number(db, "select count(*) from players").await? / LARGE;
    let last = number(db, "select max(id) from matches").await?;
    let mut tx = sqlx::Connection::begin(db).await?;
    // A typical load, which is rolled back at the end.
    run(&mut tx, EVENING).await?;
    let large: Vec<String> = sqlx::query_scalar(
        "select relname::text from pg_class where relkind = 'r' and reltuples > $1
         and relnamespace = 'public'::regnamespace",
    )
    .bind(large as f32)
    .fetch_all(&mut *tx)
    .await?;
    println!("large tables: {}\n", large.join(", "));
    let mut faults = Vec::new();

    println!("| query | execution, ms | planning, ms | pages |");
    println!("|---|---|---|---|");
    for Probe { what, part, asked } in probes(&mut tx, last).await? {
        let found: Vec<_> = queries
            .iter()
            .filter(|query| query.contains(part))
            .collect();
        let [query] = found[..] else {
            return Err(format!("{} queries contain {part:?}", found.len()).into());
        };
        run(&mut tx, "set local plan_cache_mode = force_custom_plan").await?;
        run(&mut tx, &format!("prepare probe as {query}")).await?;
        let asked = if asked.is_empty() {
            asked
        } else {
            format!("({asked})")
        };
        let statement = format!("explain (analyze, buffers, format json) execute probe{asked}");
        // The second run, with everything in the cache.
        plan(&mut tx, &statement).await?;
        let told = plan(&mut tx, &statement).await?;
        run(&mut tx, "deallocate probe").await?;
        let top = &told["Plan"];
        let pages = count(&top["Shared Hit Blocks"]) + count(&top["Shared Read Blocks"]);
        println!(
            "| {what} | {:.2} | {:.2} | {pages} |",
            ms(&told["Execution Time"]),
            ms(&told["Planning Time"])
        );
        complain(top, &large, &what, &mut faults);
    }

    // Generic plans of all other queries.
    run(&mut tx, "set local plan_cache_mode = force_generic_plan").await?;
    let mut planned = 0;
    // A lock has no plan.
    for query in queries.iter().filter(|query| !query.starts_with("lock ")) {
        run(&mut tx, &format!("prepare probe as {query}")).await?;
        let wants: i32 = sqlx::query_scalar(
            "select cardinality(parameter_types) from pg_prepared_statements where name = 'probe'",
        )
        .fetch_one(&mut *tx)
        .await?;
        let nulls = vec!["null"; wants.cast_unsigned() as usize].join(", ");
        let asked = if nulls.is_empty() {
            nulls
        } else {
            format!("({nulls})")
        };
        let told = plan(
            &mut tx,
            &format!("explain (format json) execute probe{asked}"),
        )
        .await?;
        run(&mut tx, "deallocate probe").await?;
        let words: Vec<_> = query.split_whitespace().take(14).collect();
        // What `tochki verify` reads is said in the query.
        if !query.starts_with("/* reads all */") {
            complain(&told["Plan"], &large, &words.join(" "), &mut faults);
        }
        planned += 1;
    }
    tx.rollback().await?;
    println!("\n{planned} queries planned without values");
    if faults.is_empty() {
        println!("none of them reads a whole large table");
        return Ok(());
    }
    Err(faults.join("\n").into())
}

/// The texts of all queries.
fn queries() -> Result<Vec<String>> {
    let mut queries = Vec::new();
    for entry in fs::read_dir(".sqlx")? {
        let read: Value = serde_json::from_str(&fs::read_to_string(entry?.path())?)?;
        queries.push(read["query"].as_str().unwrap_or_default().to_owned());
    }
    queries.sort();
    Ok(queries)
}

async fn run(db: &mut PgConnection, statement: &str) -> Result<()> {
    sqlx::raw_sql(AssertSqlSafe(statement.to_owned()))
        .execute(db)
        .await?;
    Ok(())
}

async fn plan(db: &mut PgConnection, statement: &str) -> Result<Value> {
    let row = sqlx::raw_sql(AssertSqlSafe(statement.to_owned()))
        .fetch_one(db)
        .await?;
    let told: Value = row.try_get_unchecked::<sqlx::types::Json<Value>, _>(0)?.0;
    Ok(told[0].clone())
}

fn ms(told: &Value) -> f64 {
    told.as_f64().unwrap_or_default()
}

fn count(told: &Value) -> i64 {
    told.as_i64().unwrap_or_default()
}

/// Finds sequential scans of large tables in a plan.
fn complain(node: &Value, large: &[String], what: &str, faults: &mut Vec<String>) {
    let table = node["Relation Name"].as_str().unwrap_or_default();
    if node["Node Type"] == "Seq Scan" && large.iter().any(|name| name == table) {
        faults.push(format!("{what}: reads all of {table}"));
    }
    for part in node["Plans"].as_array().into_iter().flatten() {
        complain(part, large, what, faults);
    }
}

/// Inserts 300 players in the lobby of Dots, 400 running matches and 100 open challenges.
const EVENING: &str = "
    insert into presence (player_id, place, instance)
    select id, 'lobby:dots', 'seed' from players where id between 2000 and 2299 and deleted_at is null;
    insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2)
    select 'dots', '{\"width\": 39, \"height\": 32, \"start\": \"empty\"}', 'none', true, id, id + 1, 1600, 1600
    from generate_series(3000, 3798, 2) as id;
    insert into playing (player_id, match_id)
    select seat, m.id from matches m, unnest(array[m.seat1, m.seat2]) as seat where m.finished_at is null;
    insert into absences (match_id, player_id, since, awaited)
    select match_id, player_id, now() + arrival_timeout(), true from playing;
    insert into challenges (from_id, to_id, game, setup, clock, rated, expires_at)
    select id, id + 1, 'dots', '{\"width\": 39, \"height\": 32, \"start\": \"empty\"}', 'none', true, now() + interval '15 s'
    from generate_series(2000, 2198, 2) as id;
    analyze presence, playing, absences, challenges;
";

/// The queries to measure; `last` is the id of the last seeded match.
async fn probes(db: &mut PgConnection, last: i64) -> Result<Vec<Probe>> {
    let busiest = "select player_id from tallies group by player_id order by sum(won1 + drawn1 + lost1 + won2 + drawn2 + lost2)";
    let often = number(db, &format!("{busiest} desc limit 1")).await?;
    let usual = number(
        db,
        &format!("{busiest} offset (select count(distinct player_id) / 2 from tallies) limit 1"),
    )
    .await?;
    let met = number(
        db,
        &format!(
            "select opponent_id from results where player_id = {often} order by match_id limit 1"
        ),
    )
    .await?;
    let listed = "from ratings where game = 'dots' and not bot and listed and ranked";
    let lowest = number(
        db,
        &format!("select player_id {listed} order by rating, player_id desc limit 1"),
    )
    .await?;
    let standing = number(db, &format!("select count(*) {listed}")).await?;
    let played = number(
        db,
        &format!("select count(*) from results where player_id = {often}"),
    )
    .await?;
    let name = word(
        db,
        &format!("select name_key from players where id = {met}"),
    )
    .await?;
    let halfway = word(
        db,
        &format!(
            "select finished_at::text from matches where id = {}",
            last / 2
        ),
    )
    .await?;
    let part: String = name.chars().take(4).collect();
    println!("played most: {played} games; stand in the list of Dots: {standing}");

    let mut probes = Vec::new();
    let mut probe = |what: &str, part: &'static str, asked: String| {
        probes.push(Probe {
            what: what.to_owned(),
            part,
            asked,
        });
    };
    probe(
        "waiting room: who waits",
        "order by 5, p.id",
        "'lobby:dots', 'dots', 1600, 5".into(),
    );
    probe(
        "waiting room: games to watch",
        "select p.match_id from playing p join presence here",
        "'dots', 'lobby:dots'".into(),
    );
    probe(
        "front page: how many wait",
        "where place = any($1)",
        "'{lobby:dots,lobby:boxes,lobby:gomoku,lobby:reversi}'".into(),
    );
    probe(
        "front page: a running game",
        "order by started_at desc limit $1) m",
        "50, 6".into(),
    );
    probe(
        "front page: the last game",
        "winner is not null\n             order by finished_at desc limit 1",
        String::new(),
    );
    let page = "from ratings where game = $1 and bot = $4 and listed and ranked\n               order by rating desc";
    probe("front page: top 10", page, "'dots', 0, 10, false".into());
    probe("standings: first page", page, "'dots', 0, 50, false".into());
    probe(
        "standings: last page",
        page,
        format!("'dots', {}, 50, false", (standing - 1) / 50 * 50),
    );
    probe(
        "standings: how many",
        "as \"count!\" from ratings",
        "'dots', false".into(),
    );
    probe(
        "standings: own place, the last one",
        "from ratings mine join players p",
        format!("'dots', {lowest}, false"),
    );
    probe(
        "profile: by name",
        "where p.name_key = $1 and p.deleted_at is null",
        format!("'{name}'"),
    );
    for (what, game) in [("of all games", "null"), ("of Reversi", "'reversi'")] {
        probe(
            &format!("archive: a page from the middle, {what}"),
            "order by finished_at, id limit $5",
            format!("{game}, '{halfway}', {}, '10 s', 50", last / 2),
        );
    }
    let mut players = Vec::new();
    for (who, player) in [("who has played most", often), ("the usual player", usual)] {
        let middle =
            format!("select match_id from results where player_id = {player} order by finished_at");
        let count = number(
            db,
            &format!("select count(*) from results where player_id = {player}"),
        )
        .await?;
        let middle = number(db, &format!("{middle} offset {} limit 1", count / 2)).await?;
        players.push((who, player, count, middle));
    }
    for (who, player, played, middle) in players {
        let of = |what: &str| format!("{what}, {who}");
        probe(
            &of("profile: wins and losses"),
            "from tallies t left join ratings",
            format!("{player}, 3"),
        );
        probe(
            &of("profile: graph"),
            "), rated as (",
            format!("{player}, 'dots', 200"),
        );
        probe(
            &of("profile: against the viewer"),
            "from results r where player_id = $1 and opponent_id = $2",
            format!("{player}, {met}"),
        );
        let (count, past) = (
            "as \"count!\" from filter_results",
            "offset $5 limit $6) page",
        );
        let nothing = "null, null, null";
        probe(
            &of("profile: last games"),
            past,
            format!("{player}, {nothing}, 0, 20"),
        );
        probe(
            &of("history: how many"),
            count,
            format!("{player}, {nothing}"),
        );
        probe(
            &of("history: last page"),
            past,
            format!("{player}, {nothing}, {}, 30", (played - 1) / 30 * 30),
        );
        probe(
            &of("history: lost games of Reversi"),
            past,
            format!("{player}, 'reversi', -1::smallint, null, 0, 30"),
        );
        probe(
            &of("history: how many against a part of a name"),
            count,
            format!("{player}, null, null, '{part}'"),
        );
        probe(
            &of("history: against a part of a name"),
            past,
            format!("{player}, null, null, '{part}', 0, 30"),
        );
        probe(
            &of("download: the next 20 games"),
            "where $5::bigint is null or",
            format!("{player}, 'dots', null, null, {middle}, 20"),
        );
    }
    probe(
        "puzzles: the next of a game and step",
        "order by exists (select from puzzle_tries t where t.puzzle_id = p.id and t.player_id = $4)",
        "'dots', 1200, 1600, 1, 1500".into(),
    );
    probe(
        "puzzles: games that were not searched",
        "coalesce((select match_id from puzzle_search), 0)",
        "20".into(),
    );
    probe(
        "download: their events",
        "where match_id = any($1) order by match_id, version",
        format!(
            "'{{{}}}'",
            (last - 19..=last)
                .map(|id| id.to_string())
                .collect::<Vec<_>>()
                .join(",")
        ),
    );
    probe("a match", "where m.id = $1", last.to_string());
    probe(
        "its events",
        "version > $2 order by version limit $3",
        format!("{last}, 0, 500"),
    );
    Ok(probes)
}

async fn number(db: &mut PgConnection, query: &str) -> Result<i64> {
    Ok(sqlx::query_scalar(AssertSqlSafe(query.to_owned()))
        .fetch_one(db)
        .await?)
}

async fn word(db: &mut PgConnection, query: &str) -> Result<String> {
    Ok(sqlx::query_scalar(AssertSqlSafe(query.to_owned()))
        .fetch_one(db)
        .await?)
}
