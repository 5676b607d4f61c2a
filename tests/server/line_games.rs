//! Games of the line protocol: two raw clients, a raw client and a browser, spectators, tokens.

use super::app::{TestApp, wait_until};
use super::line_client::{Line, begin_game, start, start_beside, start_game, start_game_between};
use super::player::Player;
use serde_json::{Value, json};
use std::fmt::Write as _;

const BOXES: &str = r#"{"cols":3,"rows":3}"#;

/// The board as the document describes it: rows of lines, and boxes.
#[derive(Default)]
struct Board {
    sticks: [[u8; 4]; 7],
    squares: [[u8; 3]; 3],
}

impl Board {
    fn length(row: usize) -> usize {
        if row.is_multiple_of(2) { 3 } else { 4 }
    }

    /// Returns all places, by X and Y.
    fn places() -> impl Iterator<Item = (usize, usize)> {
        (0..7).flat_map(|row| (0..Self::length(row)).map(move |x| (x, row)))
    }

    /// Draws a line. Returns the boxes that it closed.
    fn draw(&mut self, (x, row): (usize, usize), by: u8) -> Vec<(usize, usize)> {
        assert_eq!(self.sticks[row][x], 0);
        self.sticks[row][x] = by;
        let mut closed = Vec::new();
        for y in 0..3 {
            for x in 0..3 {
                let sides = [
                    self.sticks[2 * y][x],
                    self.sticks[2 * y + 2][x],
                    self.sticks[2 * y + 1][x],
                    self.sticks[2 * y + 1][x + 1],
                ];
                if self.squares[y][x] == 0 && !sides.contains(&0) {
                    self.squares[y][x] = by;
                    closed.push((x, y));
                }
            }
        }
        closed
    }

    /// Returns the answer to `SYNC` for this player.
    fn synced(&self, me: u8) -> String {
        let digit = |owner: u8| match owner {
            0 => '0',
            owner if owner == me => '1',
            _ => '2',
        };
        let sticks: String = Self::places()
            .map(|(x, row)| digit(self.sticks[row][x]))
            .collect();
        let squares: String = self.squares.iter().flatten().copied().map(digit).collect();
        format!("OK|3|3|{sticks}|{squares}")
    }

    fn score(&self, of: u8) -> usize {
        let squares = self.squares.iter().flatten();
        squares.filter(|owner| **owner == of).count()
    }
}

fn boxes_of(closed: &[(usize, usize)]) -> String {
    let mut text = String::new();
    for (x, y) in closed {
        let _ = write!(text, "|{x}|{y}");
    }
    text
}

/// Plays a whole game in this order of lines, and checks every line that the two hear.
async fn play_out(
    first: &mut Line,
    second: &mut Line,
    places: impl Iterator<Item = (usize, usize)>,
) {
    let mut board = Board::default();
    let mut turn = 1;
    for place in places {
        let (mover, other) = match turn {
            1 => (&mut *first, &mut *second),
            _ => (&mut *second, &mut *first),
        };
        let closed = board.draw(place, turn);
        let (x, row) = place;
        mover.ask(&format!("TURN|{x}|{row}"), "OK").await;
        other.expect(&format!("TURN|{x}|{row}")).await;
        if !closed.is_empty() {
            let boxes = boxes_of(&closed);
            mover.expect(&format!("ACQ{boxes}")).await;
            other.expect(&format!("OP_ACQ{boxes}")).await;
        }
        if board.squares.iter().flatten().all(|owner| *owner > 0) {
            let (won, lost) = if board.score(1) > board.score(2) {
                (&mut *first, &mut *second)
            } else {
                (&mut *second, &mut *first)
            };
            won.expect("END|WIN").await;
            lost.expect("END|LOSE").await;
            // Both are in the lobby again.
            won.ask("SYNC", "ERR4").await;
            lost.ask("LOAD", "OK").await;
            return;
        }
        if closed.is_empty() {
            mover.expect("OP_TURN").await;
            other.expect("ON_TURN").await;
            turn = 3 - turn;
        } else {
            mover.expect("ON_TURN").await;
            other.expect("OP_TURN").await;
        }
        let next = if turn == 1 { "ON_TURN" } else { "OP_TURN" };
        first.ask("SYNC", &board.synced(1)).await;
        first.expect(next).await;
        let next = if turn == 2 { "ON_TURN" } else { "OP_TURN" };
        second.ask("SYNC", &board.synced(2)).await;
        second.expect(next).await;
    }
    panic!("the game has no end");
}

#[tokio::test]
async fn two_clients_play_whole_games() {
    let app = start().await;
    let (mut first, mut second) = start_game(&app).await;
    play_out(&mut first, &mut second, Board::places()).await;

    // Again, and in an order in which single lines close two boxes: all horizontal ones first.
    first.ask("CREATE|den_two", "OK").await;
    second.ask("LOAD", "OK|den_two").await;
    let joined = second.answer("JOIN|den_two").await;
    assert!(joined == "OK|bob" || joined == "OK|eva", "{joined}");
    assert_eq!(
        second.next().await.unwrap().split_once('|').unwrap().0,
        "OP_JOIN"
    );
    first.next().await.unwrap();
    let firsts = first.is_on_turn().await;
    second.is_on_turn().await;
    if !firsts {
        std::mem::swap(&mut first, &mut second);
    }
    let (across, down): (Vec<_>, Vec<_>) =
        Board::places().partition(|(_, row)| row.is_multiple_of(2));
    // The inner lines last.
    let (outer, inner): (Vec<_>, Vec<_>) = down.into_iter().partition(|(x, _)| x % 3 == 0);
    let order = across.into_iter().chain(outer).chain(inner);
    play_out(&mut first, &mut second, order).await;
}

#[tokio::test]
async fn two_clients_at_two_instances_play_whole_games() {
    let here = start().await;
    let there = start_beside(&here).await;
    let (mut first, mut second) = start_game_between(&here, &there).await;
    play_out(&mut first, &mut second, Board::places()).await;

    // The names of players and tables are those of both.
    Line::connect(&here).await.ask("LOGIN|eva", "ERR2").await;
    Line::connect(&there).await.ask("LOGIN|bob", "ERR2").await;
    first.ask("CREATE|den_two", "OK").await;
    second.ask("LOAD", "OK|den_two").await;
    second.ask("CREATE|den_two", "ERR2").await;
    let joined = second.answer("JOIN|den_two").await;
    assert!(joined == "OK|bob" || joined == "OK|eva", "{joined}");
    let told = second.next().await.expect("who is there");
    assert_eq!(told.replace("OP_JOIN", "OK"), joined);
    first.next().await.expect("who came");
    assert_ne!(first.is_on_turn().await, second.is_on_turn().await);

    // When either player leaves, the opponent hears of it at the other instance.
    second.ask("LEAVE", "OK").await;
    let end = first.next().await.expect("the end");
    assert!(end == "END|WIN" || end == "END|DRAW", "{end}");
    first.ask("SYNC", "ERR4").await;
}

#[tokio::test]
async fn a_line_that_is_lost_comes_back_at_another_instance() {
    let here = start().await;
    let there = start_beside(&here).await;
    let (mut first, mut second) = start_game_between(&here, &there).await;
    first.ask("TURN|0|0", "OK").await;
    first.expect("OP_TURN").await;
    second.expect_all(&["TURN|0|0", "ON_TURN"]).await;
    second.ask("TURN|0|6", "OK").await;
    second.expect("OP_TURN").await;
    first.expect_all(&["TURN|0|6", "ON_TURN"]).await;
    let name = sqlx::query_scalar::<_, String>(
        "select p.name from playing join matches m on m.id = match_id join players p on p.id = m.seat1 limit 1",
    );
    let name = name.fetch_one(&here.db).await.expect("a player");
    drop(first);
    second.expect("OP_LEAVE").await;
    // Whichever instance it was at, it is at the one of the opponent now.
    let mut again = Line::connect(&there).await;
    again.ask(&format!("RECONNECT|{name}|den"), "OK|2").await;
    second.expect(&format!("OP_JOIN|{name}")).await;
    let sticks = format!("1{}200", "0".repeat(20));
    again
        .ask("SYNC", &format!("OK|3|3|{sticks}|000000000"))
        .await;
    again.expect("ON_TURN").await;
    again.ask("TURN|1|0", "OK").await;
    second.expect("TURN|1|0").await;
}

/// Opens a browser's table, as the line protocol serves it.
async fn open_boxes(player: &Player, name: &str) -> Value {
    let form = [("name", name), ("game", "boxes"), ("setup", BOXES)];
    player.post("/api/open_table", &form).await.assert_ok()
}

/// Returns the running match of a player, by the lobby of Boxes.
async fn running(player: &Player) -> i64 {
    wait_until("a match", async || {
        let room = player.get("/api/waiting_room?game=boxes").await.assert_ok();
        room["matches"][0]["id"].as_i64()
    })
    .await
}

#[tokio::test]
async fn a_client_joins_the_table_of_a_browser() {
    let app = start().await;
    let ann = app.with_user("ann-7").await;
    let _here = ann.join_lobby_of("boxes").await;
    let table = open_boxes(&ann, "den").await;
    let mut bob = Line::log_in(&app, "bob").await;
    bob.ask("LOAD", "OK|den").await;
    bob.ask("JOIN|den", "OK|ann__").await;
    // Until the browser is ready, the game has not begun.
    bob.ask("TURN|0|0", "ERR3").await;
    let zeros = format!("OK|3|3|{}|{}", "0".repeat(24), "0".repeat(9));
    bob.ask("SYNC", &zeros).await;
    wait_until("a line that is ready", async || {
        let table = super::tables::get_table(&ann, &table).await;
        (table["seats"][1]["ready"] == true).then_some(())
    })
    .await;
    let id = ann.set_ready(&table, true).await.id("match");
    let mut anns = ann.stream(&format!("/events/match/{id}")).await;
    let mut watching = app.visitor().stream(&format!("/events/match/{id}")).await;
    bob.expect("OP_JOIN|ann__").await;
    let snapshot = ann.snapshot(id).await;
    assert_eq!(
        (&snapshot["rated"], &snapshot["clock"]),
        (&json!(false), &json!(null))
    );
    if !bob.is_on_turn().await {
        ann.make_move(id, "v:3,2", &[]).await.assert_ok();
        bob.expect_all(&["TURN|3|5", "ON_TURN"]).await;
        assert_eq!(watching.expect("moved").await["mv"], "v:3,2");
        anns.expect("moved").await;
    }
    bob.ask("TURN|0|0", "OK").await;
    bob.expect("OP_TURN").await;
    for stream in [&mut watching, &mut anns] {
        assert_eq!(stream.expect("moved").await["mv"], "h:0,0");
    }
    ann.make_move(id, "v:0,0", &[]).await.assert_ok();
    bob.expect_all(&["TURN|0|1", "ON_TURN"]).await;
    bob.ask("TURN|1|1", "OK").await;
    bob.expect("OP_TURN").await;
    ann.make_move(id, "h:0,1", &[]).await.assert_ok();
    bob.expect_all(&["TURN|0|2", "OP_ACQ|0|0", "OP_TURN"]).await;
    // Offers are declined at once.
    ann.offer(id, "draw").await.assert_ok();
    for stream in [&mut watching, &mut anns] {
        let closed = stream.next_named("offer_closed").await;
        assert_eq!(closed["why"], "declined");
    }
    ann.resign(id).await.assert_ok();
    bob.expect("END|WIN").await;
    bob.ask("LOAD", "OK").await;
}

#[tokio::test]
async fn a_browser_sits_down_at_the_table_of_a_client() {
    let app = start().await;
    let ann = app.with_user("ann").await;
    let mut room = ann.join_lobby_of("boxes").await;
    let mut bob = Line::log_in(&app, "bob").await;
    bob.ask("CREATE|den", "OK").await;
    let table = room.next_named("table").await;
    assert_eq!(table["name"], "den");
    assert_eq!(table["clock"], "none");
    assert_eq!(table["setup"], json!({"cols": 3, "rows": 3}));
    // Changing one's mind is not heard.
    ann.sit(&table).await.assert_ok();
    ann.stand_up(&table).await.assert_ok();
    ann.sit(&table).await.assert_ok();
    ann.set_ready(&table, true).await.assert_ok();
    bob.expect("OP_JOIN|ann").await;
    let id = running(&ann).await;
    let bob_begins = bob.is_on_turn().await;
    ann.abort(id).await.assert_ok();
    // An aborted match ends with a draw.
    bob.expect("END|DRAW").await;
    let snapshot = ann.snapshot(id).await;
    let bobs_seat = usize::from(!bob_begins);
    assert_eq!(snapshot["players"][bobs_seat]["name"], "bob");
    assert_eq!(snapshot["result"]["reason"], "aborted");
}

#[tokio::test]
async fn who_is_removed_or_whose_table_closes_is_in_the_lobby_again() {
    let app = start().await;
    let ann = app.with_user("ann").await;
    let _here = ann.join_lobby_of("boxes").await;
    let table = open_boxes(&ann, "den").await;
    let mut bob = Line::log_in(&app, "bob").await;
    let mut eva = Line::log_in(&app, "eva").await;
    bob.ask("JOIN|den", "OK|ann").await;
    let seats = super::tables::get_table(&ann, &table).await;
    let form = [
        ("table", table["id"].to_string()),
        ("player", seats["seats"][1]["id"].to_string()),
    ];
    let form = form.each_ref().map(|(name, value)| (*name, value.as_str()));
    ann.post("/api/remove_player", &form).await.assert_ok();
    bob.expect("END|DRAW").await;
    bob.ask("LOAD", "OK|den").await;
    bob.ask("JOIN|den", "ERR1").await;
    eva.ask("JOIN|den", "OK|ann").await;
    ann.stand_up(&table).await.assert_ok();
    eva.expect("END|DRAW").await;
    eva.ask("SYNC", "ERR4").await;
}

#[tokio::test]
async fn leaving_resigns_and_is_told_to_the_other_alone() {
    let app = start().await;
    let (mut first, mut second) = begin_game(&app).await;
    second.ask("LEAVE", "OK").await;
    first.expect("END|WIN").await;
    for line in [&mut first, &mut second] {
        line.ask("LEAVE", "ERR4").await;
        line.ask("PING", "PONG").await;
    }
    // Both know the end, though neither is at the match any more.
    wait_until("no cause is left", async || {
        let left: i64 = sqlx::query_scalar("select count(*) from notification_causes")
            .fetch_one(&app.db)
            .await
            .unwrap();
        (left == 0).then_some(())
    })
    .await;
    let unread: i64 =
        sqlx::query_scalar("select count(*) from notifications where read_at is null")
            .fetch_one(&app.db)
            .await
            .unwrap();
    assert_eq!(unread, 0);
}

#[tokio::test]
async fn leaving_before_both_have_drawn_aborts() {
    let app = start().await;
    let (mut first, mut second) = start_game(&app).await;
    first.ask("TURN|2|6", "OK").await;
    first.expect("OP_TURN").await;
    second.expect_all(&["TURN|2|6", "ON_TURN"]).await;
    first.ask("LEAVE", "OK").await;
    second.expect("END|DRAW").await;
    second.ask("SYNC", "ERR4").await;
}

#[tokio::test]
async fn leaving_a_game_that_waits_closes_it() {
    let app = start().await;
    let mut bob = Line::log_in(&app, "bob").await;
    bob.ask("CREATE|den", "OK").await;
    bob.ask("LOAD", "OK|den").await;
    bob.ask("LEAVE", "OK").await;
    bob.ask("LOAD", "OK").await;
    bob.ask("CREATE|den", "OK").await;
}

/// Connects a player of an account with a token.
async fn with_token(app: &TestApp, player: &Player, scopes: &str) -> (Line, String) {
    let token = player.create_token(scopes).await;
    (
        Line::connect(app).await,
        format!("LOGIN|{}|{token}", player.name),
    )
}

#[tokio::test]
async fn a_token_player_is_rated() {
    let app = start().await;
    let (ann, bob) = app.with_two_users().await;
    let mut room = bob.join_lobby_of("boxes").await;
    let (mut anns, login) = with_token(&app, &ann, "play").await;
    anns.ask(&login, "OK").await;
    anns.ask("CREATE|den", "OK").await;
    let table = room.next_named("table").await;
    assert_eq!(table["rated"], true);
    bob.sit(&table).await.assert_ok();
    bob.set_ready(&table, true).await.assert_ok();
    anns.expect("OP_JOIN|bob").await;
    let id = running(&bob).await;
    let mut watching = app.visitor().stream(&format!("/events/match/{id}")).await;
    if anns.is_on_turn().await {
        anns.ask("TURN|0|0", "OK").await;
        anns.expect("OP_TURN").await;
        bob.make_move(id, "h:0,3", &[]).await.assert_ok();
        anns.expect_all(&["TURN|0|6", "ON_TURN"]).await;
    } else {
        bob.make_move(id, "h:0,3", &[]).await.assert_ok();
        anns.expect_all(&["TURN|0|6", "ON_TURN"]).await;
        anns.ask("TURN|0|0", "OK").await;
        anns.expect("OP_TURN").await;
    }
    anns.ask("LEAVE", "OK").await;
    let result = watching.next_named("finished").await["result"].clone();
    assert_eq!(result["reason"], "resigned");
    let snapshot = bob.snapshot(id).await;
    let seat = usize::from(snapshot["players"][1]["id"] == bob.id);
    assert_eq!(result["winner"], seat + 1);
    assert_eq!(result["ratings"][seat]["after"], 1612.5);
}

#[tokio::test]
async fn a_wrong_token_is_refused_and_an_ended_one_ends_its_line() {
    let app = start().await;
    let (ann, bob) = app.with_two_users().await;
    let (mut line, login) = with_token(&app, &ann, "play").await;
    let (_, reads) = with_token(&app, &ann, "read").await;
    line.ask("LOGIN|ann", "ERR2").await;
    for wrong in [
        "LOGIN|ann|",
        "LOGIN|ann|tochki_none",
        &format!("{login}x"),
        &login.replace("|ann|", "|bob|"),
        &login.replace("|ann|", "|a-n|"),
        &reads,
    ] {
        line.ask(wrong, "ERR1").await;
    }
    line.ask(&login.replace("|ann|", "|ANN|"), "OK").await;
    // One line for a player.
    let mut other = Line::connect(&app).await;
    other.ask(&login, "ERR2").await;
    for token in ann.get("/api/tokens").await.assert_ok().as_array().unwrap() {
        let id = token["id"].to_string();
        ann.post("/api/end_token", &[("id", &id)]).await.assert_ok();
    }
    line.expect_end().await;
    other.ask(&login, "ERR1").await;
    drop(bob);
}

#[tokio::test]
async fn a_rated_game_of_who_has_aborted_too_many_ends_before_it_begins() {
    let app = start().await;
    let (ann, bob) = app.with_two_users().await;
    sqlx::query(
        "insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, finished_at, reason, aborted_by)
         select 'boxes', '{}', 'none', true, $1, $2, 1600, 1600, now(), 'aborted', 1 from generate_series(1, 3)",
    )
    .bind(ann.id)
    .bind(bob.id)
    .execute(&app.db)
    .await
    .expect("three matches");
    let [mut anns, mut bobs] = [Line::connect(&app).await, Line::connect(&app).await];
    for (line, player) in [(&mut anns, &ann), (&mut bobs, &bob)] {
        let token = player.create_token("play").await;
        line.ask(&format!("LOGIN|{}|{token}", player.name), "OK")
            .await;
    }
    anns.ask("CREATE|den", "OK").await;
    bobs.ask("JOIN|den", "OK|ann").await;
    // Whichever of the two is refused, the table is not theirs any more.
    bobs.expect("END|DRAW").await;
    let games = bobs.answer("LOAD").await;
    assert!(matches!(&*games, "OK" | "OK|den"), "{games}");
}
