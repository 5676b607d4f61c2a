//! SGF: matches as downloads, replay pages, uploaded records.

use super::app::{SMALL, TestApp, start_match};
use super::player::{Player, Response, Visitor, send};
use reqwest::Method;
use tochki_rules::Seat;
use tochki_rules::dots::Opening;
use tochki_rules::record::{self, Dialect, GameResult, WinReason};

/// A match in which red captures a dot and blue resigns.
async fn finished_match(app: &TestApp) -> i64 {
    let (ann, bob) = (app.with_user("ann").await, app.with_user("Юра_2").await);
    let id = running_match(&ann, &bob).await;
    bob.resign(id).await.version();
    id
}

async fn running_match(ann: &Player, bob: &Player) -> i64 {
    let id = start_match(ann, bob, SMALL).await;
    let moves = ["1,0", "1,1", "0,1", "4,4", "2,1", "4,3", "1,2"];
    for (ply, mv) in moves.into_iter().enumerate() {
        let player = if ply % 2 == 0 { ann } else { bob };
        player.make_move(id, mv, &[]).await.version();
    }
    id
}

#[tokio::test]
async fn a_match_downloads_in_the_dialects_of_the_dots_sites() {
    let app = TestApp::init().await;
    let (ann, bob) = (app.with_user("ann").await, app.with_user("bob").await);
    let id = running_match(&ann, &bob).await;
    bob.resign(id).await.version();
    let path = format!("/match/{id}/sgf");
    let own = ann.get(&path).await.text;
    assert_eq!(ann.get(&format!("{path}?dialect=")).await.text, own);
    assert_eq!(ann.get(&format!("{path}?dialect=tochki")).await.text, own);
    let record = record::parse(&own).unwrap();
    assert_eq!(record.record.plies.len(), 7);
    for (dialect, parts) in [
        (
            "zagram",
            ["MustSurr=1", "PB[ann]PW[bob]", ";B[bc.baabbccbba])"],
        ),
        (
            "playdots",
            ["RU[russian]\nPB[ann]\nPW[bob]\n", "\nRE[B+R]\n", ";B[bc])"],
        ),
    ] {
        let answer = ann.get(&format!("{path}?dialect={dialect}")).await;
        assert_eq!(answer.status, 200);
        for part in parts {
            assert_contains(&answer, part);
        }
        assert_eq!(record::parse(&answer.text).as_ref(), Ok(&record));
        let all = ann.get(&format!("/history/sgf?dialect={dialect}")).await;
        assert_eq!(all.text, answer.text);
    }
    for path in [&path, "/history/sgf", "/api/games"] {
        let refused = ann.get(&format!("{path}?dialect=go&format=sgf")).await;
        refused.assert_error(400, "bad_request");
    }
}

#[tokio::test]
async fn records_have_the_end_of_a_match_and_not_what_was_taken_back() {
    let app = TestApp::init().await;
    let (ann, bob) = (app.with_user("ann").await, app.with_user("bob").await);
    let cross = r#"{"width":5,"height":5,"start":"cross"}"#;
    for (offered, result) in [
        ("draw", Some(GameResult::Draw)),
        (
            "finish",
            Some(GameResult::Won {
                by: Seat::First,
                how: WinReason::Points(1),
            }),
        ),
        ("", None),
    ] {
        let id = start_match(&ann, &bob, cross).await;
        if offered.is_empty() {
            ann.abort(id).await.assert_ok();
        } else {
            // Red captures the blue dot at 3,2; a move of each side was taken back before.
            for (ply, mv) in ["3,1", "0,0", "4,2", "0,4"].into_iter().enumerate() {
                let player = [&ann, &bob][ply % 2];
                player.make_move(id, mv, &[]).await.assert_ok();
                if mv == "0,4" {
                    bob.offer(id, "takeback").await.assert_ok();
                    ann.answer_offer(id, true).await.assert_ok();
                    bob.make_move(id, "4,4", &[]).await.assert_ok();
                }
            }
            ann.offer(id, offered).await.assert_ok();
            bob.answer_offer(id, true).await.assert_ok();
        }
        for dialect in Dialect::ALL {
            let path = format!("/match/{id}/sgf?dialect={}", dialect.id());
            let text = ann.get(&path).await.text;
            let parsed = record::parse(&text).unwrap();
            assert_eq!(parsed.invalid_move, None, "{text}");
            let record = parsed.record;
            assert_eq!(record.setup.start(), Opening::Cross, "{text}");
            assert_eq!(record.result, result, "{text}");
            let points: Vec<String> = record
                .plies
                .iter()
                .map(|dot| dot.point.to_string())
                .collect();
            let expected: &[&str] = match result {
                None => &[],
                Some(_) => &["3,1", "0,0", "4,2", "4,4"],
            };
            assert_eq!(points, expected, "{text}");
        }
    }
}

async fn upload(visitor: &Visitor, sgf: &str) -> Response {
    visitor.post("/sgf", &[("sgf", sgf)]).await
}

/// The response to a browser; programs are not redirected.
async fn get_html(visitor: &Visitor, path: &str) -> Response {
    let page = visitor.request(Method::GET, path);
    send(page.header("accept", "text/html")).await
}

/// Uploads a field as a multipart form, as a browser sends a file or a text.
async fn upload_multipart(visitor: &Visitor, parts: &[(&str, &[u8])]) -> Response {
    let mut body = Vec::new();
    for (name, bytes) in parts {
        let file = if *name == "file" {
            "; filename=\"a.sgf\""
        } else {
            ""
        };
        let head = format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--x--\r\n");
    let post = visitor.post_request("/sgf").body(body);
    send(post.header("content-type", "multipart/form-data; boundary=x")).await
}

#[track_caller]
fn assert_contains(answer: &Response, words: &str) {
    assert!(answer.text.contains(words), "no {words:?} in {answer:?}");
}

#[tokio::test]
async fn match_downloads_as_sgf() {
    let app = TestApp::init().await;
    let id = finished_match(&app).await;
    let file = app.visitor().get(&format!("/match/{id}/sgf")).await;
    assert_eq!(file.status, 200);
    assert_eq!(
        file.header("content-type"),
        Some("application/x-go-sgf; charset=utf-8")
    );
    let name = format!(
        "attachment; filename=\"tochki-{id}.sgf\"; filename*=UTF-8''ann-%D0%AE%D1%80%D0%B0_2-{id}.sgf"
    );
    assert_eq!(file.header("content-disposition"), Some(&*name));
    assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
    assert_contains(&file, "GM[40]");
    assert_contains(&file, "SZ[5]PB[ann]BR[1600?]PW[Юра_2]WR[1600?]DT[20");
    assert_contains(&file, "]RE[B+R]");
    assert_contains(&file, ";B[ba];W[bb];B[ab];W[ee];B[cb];W[ed];B[bc])");

    // A downloaded record can be uploaded.
    let shown = upload(&app.visitor(), &file.text).await;
    assert_eq!(shown.status, 200);
    assert_contains(&shown, "Move 7 of 7");
    assert_contains(&shown, "Юра_2 resigned.");
}

#[tokio::test]
async fn unknown_match_has_no_sgf() {
    let app = TestApp::init().await;
    for id in ["1", "0", "-1", "x", "99999999999999999999"] {
        let file = app.visitor().get(&format!("/match/{id}/sgf")).await;
        file.assert_error(404, "no_such_match");
        let replay = app.visitor().get(&format!("/match/{id}/replay")).await;
        assert_eq!(replay.status, 404);
    }
}

#[tokio::test]
async fn replay_page_needs_a_finished_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = running_match(&ann, &bob).await;
    let path = format!("/match/{id}/replay");
    let early = get_html(&app.visitor(), &path).await;
    assert_eq!(
        (early.status, early.header("location")),
        (302, Some(&*format!("/match/{id}")))
    );

    bob.resign(id).await.version();
    let replay = app.visitor().get(&path).await;
    assert_eq!(replay.status, 200);
    assert_contains(&replay, "Move 7 of 7");
    assert_contains(&replay, "ann wins");
    assert_contains(&replay, &format!("/match/{id}/sgf"));
    let title = replay.text.split("<title>").nth(1).unwrap_or_default();
    assert!(title.starts_with("Replay · Tochki"), "{title:.60}");
}

#[tokio::test]
async fn replay_address_selects_the_move() {
    let app = TestApp::init().await;
    let id = finished_match(&app).await;
    for page in [format!("/match/{id}/replay"), format!("/match/{id}")] {
        for (query, place) in [
            ("?ply=3", "Move 3 of 7"),
            ("?ply=3&step=back", "Move 2 of 7"),
            ("?ply=3&step=first", "Move 0 of 7"),
            ("?ply=6", "Move 6 of 7"),
        ] {
            let shown = app.visitor().get(&format!("{page}{query}")).await;
            assert_eq!(shown.status, 200);
            assert_contains(&shown, place);
        }
        for query in [
            "?ply=99",
            "?ply=x",
            "?ply=-1",
            "?ply=6&step=on",
            "?step=back",
        ] {
            let shown = app.visitor().get(&format!("{page}{query}")).await;
            assert_eq!(shown.status, 200);
            assert!(!shown.text.contains("Move 6 of 7"), "{query}");
        }
    }
}

#[tokio::test]
async fn sgf_is_uploaded_as_file_or_text() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let sgf = "(;GM[40]SZ[9]PB[Аня]PW[Bo];B[aa];W[bb];B[cc])".as_bytes();
    for parts in [
        &[("file", sgf), ("sgf", b"")][..],
        &[("file", b""), ("sgf", sgf)],
        &[("file", sgf), ("sgf", b"(;GM[1])")],
        &[("sgf", sgf)],
    ] {
        let shown = upload_multipart(&visitor, parts).await;
        assert_eq!(shown.status, 200, "{shown:?}");
        assert_contains(&shown, "Аня – Bo");
        assert_contains(&shown, "Move 3 of 3");
    }
    // Without scripts each step uploads it again.
    let form = [
        ("sgf", std::str::from_utf8(sgf).unwrap()),
        ("ply", "3"),
        ("step", "back"),
    ];
    let shown = visitor.post("/sgf", &form).await;
    assert_contains(&shown, "Move 2 of 3");
    assert_eq!(visitor.get("/sgf").await.status, 200);
}

#[tokio::test]
async fn unreadable_sgf_is_explained() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    for (sgf, status, words) in [
        ("", 400, "Choose a file, or paste its text."),
        (" \n", 400, "Choose a file, or paste its text."),
        ("hello", 422, "This is no SGF"),
        ("(;GM[1]SZ[19];B[aa])", 422, "a record of another game"),
        (
            "(;GM[40]SZ[51];B[aa])",
            422,
            "There is no board of this size",
        ),
        ("(;GM[40]\n;B[aa)", 422, "in line 2 at character 3"),
        (
            "(;GM[40]SZ[5];B[aa];W[aa])",
            200,
            "The record ends before move 2. This place is taken already.",
        ),
        (
            "(;GM[40]SZ[5];B[ff])",
            200,
            "The record ends before move 1. This is not on the board.",
        ),
    ] {
        let answer = upload(&visitor, sgf).await;
        assert_eq!(answer.status, status, "{sgf:?}");
        assert_contains(&answer, words);
    }
    let long = format!("(;GM[40]C[{}])", "x".repeat(256 * 1024));
    let answer = upload(&visitor, &long).await;
    assert_eq!(answer.status, 413);
    assert_contains(&answer, "That is too much");
    let answer = upload_multipart(&visitor, &[("file", &vec![b'x'; 2 << 20])]).await;
    assert_eq!(answer.status, 413);
    // A body that is no form counts as empty.
    let garbage = visitor
        .post_request("/sgf")
        .header("content-type", "multipart/form-data");
    assert_eq!(send(garbage.body("--x\r\n")).await.status, 400);
    let foreign = visitor
        .post_request("/sgf")
        .header("origin", "https://evil.example");
    send(foreign.form(&[("sgf", "(;GM[40])")]))
        .await
        .assert_error(403, "foreign_origin");
    let put = send(visitor.request(Method::PUT, "/sgf")).await;
    assert_eq!(put.status, 405);
}

#[tokio::test]
async fn sgf_text_is_escaped() {
    let app = TestApp::init().await;
    let hostile = "</title></textarea><script>alert(1)</script>";
    for sgf in [
        format!("(;GM[40]SZ[5]PB[{hostile}]BR[{hostile}]DT[{hostile}]C[{hostile}]RE[B+R];B[aa])"),
        format!("(;GM[40]SZ[{hostile}])"),
        hostile.to_owned(),
    ] {
        let answer = upload(&app.visitor(), &sgf).await;
        assert!(!answer.text.contains("<script>alert"), "{}", answer.text);
        let title = answer.text.split("<title>").nth(1).unwrap_or_default();
        assert!(
            title.starts_with("Look at a game record · Tochki</title>"),
            "{title:.90}"
        );
    }
}

#[tokio::test]
async fn broken_record_is_reported_and_others_stay() {
    let app = TestApp::init().await;
    let (ann, bob) = (app.with_user("ann").await, app.with_user("bob").await);
    let mut games = Vec::new();
    for _ in 0..3 {
        let id = running_match(&ann, &bob).await;
        bob.resign(id).await.version();
        games.push(id);
    }
    // One has a move onto an occupied point, one an event that is none, and one is whole.
    let spoilt = [
        (
            games[0],
            "update match_events set body = replace(body, '0,1', '1,0') where match_id = $1 and version = 3",
        ),
        (
            games[1],
            "update match_events set body = '{}' where match_id = $1 and version = 2",
        ),
    ];
    for (id, update) in spoilt {
        let done = sqlx::query(update).bind(id).execute(&app.db).await.unwrap();
        assert_eq!(done.rows_affected(), 1);
    }

    // The first instance has the matches in memory; another one has to read them.
    let other = app.another_instance().await;
    let visitor = other.visitor();
    let sentence = "The record of this match is broken";
    for (id, _) in spoilt {
        for path in ["api/match?id={id}", "events/match/{id}", "match/{id}/sgf"] {
            let path = format!("/{}", path.replace("{id}", &id.to_string()));
            visitor.get(&path).await.assert_error(409, "broken_record");
        }
        for page in [format!("/match/{id}"), format!("/match/{id}/replay")] {
            let page = get_html(&visitor, &page).await;
            assert_eq!(page.status, 409);
            assert_contains(&page, sentence);
        }
    }
    assert_eq!(visitor.snapshot(games[2]).await["version"], 8);

    // Lists and downloads have the others.
    let ann = ann.at_instance(other.address);
    let page = ann.get("/history").await;
    assert_eq!(page.status, 200);
    for id in &games {
        assert_contains(&page, &format!("/match/{id}"));
    }
    let lines = ann.get("/history/jsonl").await.text;
    let lines: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    for (line, id) in lines.iter().zip(games.iter().rev()) {
        assert_eq!(line["match"], *id);
    }
    assert_eq!(lines[0]["moves"].as_array().unwrap().len(), 7);
    for line in &lines[1..] {
        assert_eq!(line["code"], "broken_record");
        assert!(line["message"].as_str().unwrap().starts_with(sentence));
    }
    let collection = ann.get("/history/sgf").await.text;
    assert_eq!(collection.matches("(;").count(), 3, "{collection}");
    assert_eq!(collection.matches(sentence).count(), 2, "{collection}");
    assert!(collection.contains(";W[ed];B[bc])"), "{collection}");
}
