//! SGF: matches as downloads, replay pages, uploaded records.

use super::app::{SMALL, TestApp, start_match};
use super::player::{Player, Response, Visitor, send};
use reqwest::Method;
use tochki_rules::Seat;
use tochki_rules::dots::Opening;
use tochki_rules::record::{self, Dialect, GameResult, WinReason};

/// Plays a match in which red captures a dot and blue resigns.
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
                how: WinReason::Points(1.into()),
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

/// Returns the response to a browser; programs are not redirected.
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
        ("hello", 422, "This is not an SGF"),
        ("(;GM[1]SZ[19];B[aa])", 422, "This is another game"),
        ("(;GM[40]SZ[51];B[aa])", 422, "Invalid board size"),
        ("(;GM[40]\n;B[aa)", 422, "in line 2, character 3"),
        (
            "(;GM[40]SZ[5];B[aa];W[aa])",
            200,
            "The game stops before move 2. This place is taken.",
        ),
        (
            "(;GM[40]SZ[5];B[ff])",
            200,
            "The game stops before move 1. This is outside the board.",
        ),
    ] {
        let answer = upload(&visitor, sgf).await;
        assert_eq!(answer.status, status, "{sgf:?}");
        assert_contains(&answer, words);
    }
    let long = format!("(;GM[40]C[{}])", "x".repeat(256 * 1024));
    let answer = upload(&visitor, &long).await;
    assert_eq!(answer.status, 413);
    assert_contains(&answer, "The file is too large");
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

/// Returns a file as bytes of one encoding, in which `text` has no more letters than that encoding.
fn encoded(label: &str, text: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("an encoding");
    let (bytes, _, unwritable) = encoding.encode(text);
    assert!(!unwritable, "{text}");
    bytes.into_owned()
}

#[tokio::test]
async fn records_of_other_programs_are_shown() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let russian = "Партия сыграна в субботу, красные начали и выиграли";
    let marked = "\u{feff}(;GM[40]SZ[9]PB[Юра];B[aa];W[bb])";
    let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let unlike = "Punish=0,Holes=1,MustSurr=0,MinArea=0";
    let cases: [(Vec<u8>, &[&str], &[&str]); 10] = [
        (
            encoded(
                "windows-1251",
                "(;GM[40]CA[windows-1251]SZ[9]PB[Юра]PW[Аня];B[aa];W[bb])",
            ),
            &["Юра – Аня", "Move 2 of 2"],
            &["role=\"alert\""],
        ),
        // The second byte of this letter is a bracket.
        (
            encoded("gbk", "(;GM[40]CA[GB2312]SZ[9]C[赱];B[aa];W[bb])"),
            &["赱", "Move 2 of 2"],
            &["role=\"alert\""],
        ),
        (
            encoded("koi8-r", &format!("(;GM[40]SZ[9]C[{russian}];B[aa];W[bb])")),
            &[russian, "Move 2 of 2"],
            &[],
        ),
        (wide, &["Юра – ", "Move 2 of 2"], &["role=\"alert\""]),
        (
            b"(;GM[40]SZ[9]PB[Ann]PW[Bo]RE[W+0.5];B[aa];W[bb])".to_vec(),
            &["Bo wins. Won by 0.5 points."],
            &["Won by 0 "],
        ),
        (
            b"(;GM[40]SZ[9]\n;B[aa];W[bb]\n;B[c".to_vec(),
            &["Move 2 of 2", "breaks off in line 3, character 3"],
            &[],
        ),
        (
            b"(;GM[40]SZ[9];B[aa]7;W[bb])".to_vec(),
            &["Move 2 of 2", "Line 1, character 20 is not SGF"],
            &[],
        ),
        (
            b"(;GM[40]SZ[9]LB;B[aa]LB;W[bb])".to_vec(),
            &["Move 2 of 2"],
            &["role=\"alert\"", "other rules"],
        ),
        (
            b"(;GM[40]SZ[9]PB[Ann]PW[Bo]RE[B+R];B[aa];W[bb];B[cc];W[resign])".to_vec(),
            &["Move 3 of 3", "Ann wins. Bo resigned"],
            &["no point", "role=\"alert\""],
        ),
        (
            format!("(;GM[40]SZ[9]RU[{unlike}];B[aa];W[bb])").into_bytes(),
            &[
                "Move 2 of 2",
                "Played by other rules (MustSurr=0, MinArea=0)",
            ],
            &["role=\"alert\""],
        ),
    ];
    for (file, words, absent) in cases {
        let told = String::from_utf8_lossy(&file).into_owned();
        let shown = upload_multipart(&visitor, &[("file", &file), ("sgf", b"")]).await;
        assert_eq!(shown.status, 200, "{told}: {shown:?}");
        let page = shown.text.split("<main").nth(1).unwrap_or_default();
        // The board announces its own alerts.
        let page = page.split("result-room").nth(1).unwrap_or_default();
        for words in words {
            assert_contains(&shown, words);
        }
        for words in absent {
            assert!(!page.contains(words), "{words} in {told}: {page}");
        }
    }
}

#[tokio::test]
async fn a_game_of_a_collection_is_chosen() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let sgf = "(;GM[40]SZ[9]PB[Ann]PW[Bo]RE[B+R];B[aa])\n(;GM[1]SZ[19];B[aa])\n\
               (;GM[40]SZ[9]PB[Cy]PW[Di]DT[2026-11-21];B[aa];W[bb];B[cc])";
    let shown = upload(&visitor, sgf).await;
    for words in [
        "Ann – Bo",
        "Move 1 of 1",
        "Game 1 of 3 in this file",
        "1 move · Ann wins",
        "Cy – Di",
        "2026-11-21 · 3 moves",
        "Another game",
    ] {
        assert_contains(&shown, words);
    }
    let choose = async |game: &str, step: &[(&str, &str)]| {
        let form = [&[("sgf", sgf), ("game", game)], step].concat();
        visitor.post("/sgf", &form).await
    };
    let third = choose("3", &[("ply", "3"), ("step", "back")]).await;
    assert_contains(&third, "Move 2 of 3");
    assert_contains(&third, "Game 3 of 3 in this file");
    // Without scripts each step says which game it is of.
    assert_contains(&third, r#"form="steps" name="game" value="3""#);
    let other = choose("2", &[]).await;
    assert_eq!(other.status, 422);
    assert_contains(&other, "This is another game");
    assert_contains(&other, "Cy – Di");
    for unreadable in ["", "0", "4", "x", "99999999999999999999"] {
        assert_contains(&choose(unreadable, &[]).await, "Game 1 of 3 in this file");
    }
    // A file that begins with another game.
    let shown = upload(&visitor, &sgf[sgf.find("(;GM[1]").unwrap()..]).await;
    assert_contains(&shown, "Game 2 of 2 in this file");
    let many = "(;GM[40]SZ[9];B[aa])".repeat(300);
    let shown = upload(&visitor, &many).await;
    assert_contains(&shown, "Game 1 of 300 in this file");
    assert_contains(&shown, "100 more games are not listed.");
    let one = upload(&visitor, "(;GM[40]SZ[9];B[aa])").await;
    assert!(!one.text.contains("in this file"));
}

#[tokio::test]
async fn an_analysis_that_no_address_has_room_for_is_kept_in_the_tab() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let remarks = |count: u8| -> String {
        let moves: Vec<String> = (0..count)
            .map(|n| {
                let (side, x) = (["B", "W"][usize::from(n % 2)], char::from(b'a' + n % 20));
                let y = char::from(b'a' + n / 20);
                format!(";{side}[{x}{y}]C[Ход {n}: здесь красным следовало сыграть иначе]")
            })
            .collect();
        format!("(;GM[40]SZ[20]{})", moves.concat())
    };
    let link = |page: &Response| -> String {
        let link = page
            .text
            .split("href=\"/analysis?game=")
            .nth(1)
            .expect("a link");
        link.split('"')
            .next()
            .unwrap_or_default()
            .replace("&amp;", "&")
    };
    let short = upload(&visitor, &remarks(3)).await;
    assert!(link(&short).contains("&notes=1%2E"), "{}", link(&short));
    assert!(!short.text.contains("data-study"));
    let long = upload(&visitor, &remarks(60)).await;
    let address = link(&long);
    assert!(
        address.contains("&moves=") && address.contains("&kept="),
        "{address}"
    );
    assert!(
        address.len() < 8000 && !address.contains("notes="),
        "{address}"
    );
    assert_contains(&long, "data-study=\"/analysis?game=dots");
    assert_contains(&long, "dataset.study");
    let whole = long.text.split("data-study=\"").nth(1).unwrap();
    let whole = whole.split('"').next().unwrap();
    assert!(whole.contains("60%2E") && whole.len() > 8000, "{whole}");
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
            title.starts_with("Open an SGF · Tochki</title>"),
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
    // The first has a move onto an occupied point, another an event that is none, and one is whole.
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
    for (id, _) in spoilt {
        for path in ["api/match?id={id}", "events/match/{id}", "match/{id}/sgf"] {
            let path = format!("/{}", path.replace("{id}", &id.to_string()));
            visitor.get(&path).await.assert_error(409, "broken_record");
        }
        for page in [format!("/match/{id}"), format!("/match/{id}/replay")] {
            let page = get_html(&visitor, &page).await;
            assert_eq!(page.status, 409);
            assert_contains(&page, "This game is damaged");
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
    let sentence = "The record of this match is broken";
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
