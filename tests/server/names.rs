//! Names: the refused ones, and those that look like somebody else's.

use super::app::TestApp;
use super::player::{PASSWORD, Response, Visitor};

async fn register(visitor: &Visitor, name: &str) -> Response {
    let form = [("name", name), ("password", PASSWORD)];
    visitor.post("/api/register", &form).await
}

async fn be_guest(visitor: &Visitor, name: &str) -> Response {
    visitor.post("/api/be_guest", &[("name", name)]).await
}

#[tokio::test]
async fn names_in_disguise_are_refused() {
    let app = TestApp::init().await;
    for (name, reason) in [
        // Cyrillic А, Greek ο, and a Latin name with a Cyrillic ending.
        ("\u{410}nn", "one script"),
        ("b\u{3bf}b", "one script"),
        ("Carol\u{430}", "one script"),
        // Fillers, blanks and variation selectors.
        ("ann\u{3164}", "invisible"),
        ("ann\u{115f}", "invisible"),
        ("ann\u{34f}", "invisible"),
        ("ann\u{fe0f}", "invisible"),
        ("\u{13441}\u{13441}", "invisible"),
        ("\u{1780}\u{17d2}", "invisible"),
        ("z\u{316}\u{317}\u{318}algo", "two marks"),
        ("Operator", "reserved"),
        ("ADMIN", "reserved"),
        ("\u{430}дмин", "reserved"),
        ("m0derator", "reserved"),
        ("Tochki-1", "reserved"),
        ("\u{5b98}\u{65b9}", "reserved"),
        ("\u{430}\u{501}\u{43c}\u{456}\u{43f}", "reserved"),
        (
            "\u{43e}\u{440}\u{435}\u{433}\u{430}\u{442}\u{43e}\u{433}",
            "reserved",
        ),
    ] {
        for answer in [
            register(&app.visitor(), name).await,
            be_guest(&app.visitor(), name).await,
        ] {
            let refused = answer.assert_error(400, "invalid_name");
            let message = refused["message"].as_str().unwrap();
            assert!(message.contains(reason), "{name:?}: {message}");
        }
    }
}

#[tokio::test]
async fn a_name_that_looks_like_another_is_taken() {
    let app = TestApp::init().await;
    for (first, others) in [
        // Cyrillic сор, Latin with a capital I for an l, rn for m, a zero, and Cyrillic capitals like a Latin name.
        ("cop", vec!["\u{441}\u{43e}\u{440}", "COP", "C0p"]),
        ("Villi", vec!["ViIIi", "Vi1li"]),
        ("modem", vec!["modern", "Modern"]),
        ("hat", vec!["\u{41d}\u{410}\u{422}"]),
        ("wanda", vec!["vvanda", "VVanda"]),
        ("x_", vec!["x__", "x-"]),
        ("x-k", vec!["x_k", "x--k"]),
    ] {
        app.with_user(first).await;
        for other in others {
            register(&app.visitor(), other)
                .await
                .assert_error(409, "name_taken");
            be_guest(&app.visitor(), other)
                .await
                .assert_error(409, "name_taken");
        }
    }
    // A guest, who becomes an account, keeps the name; another guest's likeness does not.
    let guest = app.visitor();
    be_guest(&guest, "Lulu-1").await.assert_ok();
    be_guest(&app.visitor(), "Lulu-l")
        .await
        .assert_error(409, "name_taken");
    let keep = [("name", "LuIu-1"), ("password", PASSWORD)];
    assert_eq!(
        guest.post("/api/keep_account", &keep).await.assert_ok()["name"],
        "LuIu-1"
    );
}

#[tokio::test]
async fn older_names_stay_and_are_marked() {
    let app = TestApp::init().await;
    let insert = "insert into players (name, name_key) values ($1, $2)";
    for (name, key) in [
        ("cop", "cop"),
        ("\u{441}\u{43e}\u{440}", "\u{441}\u{43e}\u{440}"),
        ("\u{410}nn", "\u{430}nn"),
        ("Admin", "admin"),
        ("Юра", "юра"),
    ] {
        sqlx::query(insert)
            .bind(name)
            .bind(key)
            .execute(&app.db)
            .await
            .unwrap();
    }
    let newer = app.another_instance().await;
    let marks: Vec<(String, Option<String>)> =
        sqlx::query_as("select name, name_mark from players order by id")
            .fetch_all(&app.db)
            .await
            .unwrap();
    let marks: Vec<_> = marks
        .iter()
        .map(|(name, mark)| (name.as_str(), mark.as_deref()))
        .collect();
    assert_eq!(
        marks,
        [
            ("cop", None),
            ("\u{441}\u{43e}\u{440}", Some("clash")),
            ("\u{410}nn", Some("refused")),
            ("Admin", Some("refused")),
            ("Юра", None),
        ]
    );
    let boss = newer.with_operator("boss").await;
    let listed = boss.get("/api/marked_names").await.assert_ok();
    let listed: Vec<_> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|marked| {
            let name = marked["player"]["name"].as_str().unwrap();
            (name, marked["mark"].as_str().unwrap())
        })
        .collect();
    let expected = [
        ("\u{441}\u{43e}\u{440}", "clash"),
        ("\u{410}nn", "refused"),
        ("Admin", "refused"),
    ];
    assert_eq!(listed, expected);
    let page = boss.get("/operator").await.text;
    assert!(page.contains("looks like an older name"), "{page}");
    let carol = newer.with_user("carol").await;
    let refused = carol.get("/api/marked_names").await;
    refused.assert_error(403, "not_operator");
    for name in ["Ann", "COP", "юРА"] {
        register(&newer.visitor(), name)
            .await
            .assert_error(409, "name_taken");
    }
}

#[tokio::test]
async fn skeletons_of_an_older_rule_are_computed_anew() {
    let app = TestApp::init().await;
    // As a server of the release before has stored them: each is a name of its own.
    for (name, look) in [
        ("x_", "x_"),
        ("x__", "x__"),
        ("wanda", "wanda"),
        ("vvanda", "vvanda"),
    ] {
        sqlx::query("insert into players (name, name_key, name_look) values ($1, $1, $2)")
            .bind(name)
            .bind(look)
            .execute(&app.db)
            .await
            .unwrap();
    }
    app.another_instance().await;
    let looks: Vec<(String, String, Option<String>)> =
        sqlx::query_as("select name, name_skeleton, name_mark from players order by id")
            .fetch_all(&app.db)
            .await
            .unwrap();
    let looks: Vec<_> = looks
        .iter()
        .map(|(name, look, mark)| (name.as_str(), look.as_str(), mark.as_deref()))
        .collect();
    assert_eq!(
        looks,
        [
            ("x_", "x-", None),
            ("x__", "x-", Some("clash")),
            ("wanda", "vvanda", Some("clash")),
            ("vvanda", "vvanda", None),
        ]
    );
    // Nobody else gets a name like theirs.
    register(&app.visitor(), "x-")
        .await
        .assert_error(409, "name_taken");
}
