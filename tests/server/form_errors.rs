//! Errors of forms in addresses: `?__path=/api/login&__err=…`, which the server writes for pages without scripts. Anybody can
//! write such an address, too, and no page may break by it.

use super::app::{SMALL, TestApp, begin, start_match};
use super::player::{Response, Visitor, send};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use leptos::server_fn::ServerFn;
use reqwest::Method;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tochki_pages::api;
use tochki_protocol::limits::FORM_ERROR_MAX_BYTES;

/// Returns the address of a page with this text as the error of a form.
fn address(page: &str, path: &str, error: &str) -> String {
    format!("{page}?__path={path}&__err={}", URL_SAFE.encode(error))
}

/// Returns an error of whose unknown field so many arrays are open.
fn nested(depth: usize) -> String {
    format!(
        r#"{{"code":"name_taken","message":"","a":{}"#,
        "[".repeat(depth)
    )
}

/// Returns an error that the server may write, with a field of this length beside it.
fn padded(length: usize) -> String {
    let padding = "x".repeat(length);
    format!(r#"{{"code":"name_taken","message":"x","more":"{padding}"}}"#)
}

async fn page(visitor: &Visitor, address: &str) -> Response {
    let page = visitor.request(Method::GET, address);
    send(page.header("accept", "text/html")).await
}

/// Opens a tournament of a player.
const TOURNAMENT: &str = "insert into tournaments (format, name, creator_id, by_operator, game, setup, clock, rated, minutes, starts_at)
     select 'arena', 'Arena', $1, false, 'dots', '{\"width\":39,\"height\":32,\"start\":\"empty\"}', '60+1', false, 30,
         now() + interval '1 hour' returning id";

/// Opens a league of an operator.
const LEAGUE: &str = "insert into leagues (name, game, setup, clock, rated, made_by, next_at)
     values ('League', 'dots', '{\"width\":39,\"height\":32,\"start\":\"empty\"}', '600+5', true, $1, now() + interval '1 day')
     returning id";

/// Returns whether a page shows that a name is taken.
fn shows_error(page: &Response) -> bool {
    page.text.contains("That name is taken")
}

macro_rules! forms {
    ($($name:ident),*) => { &[$((stringify!($name), <api::$name as ServerFn>::PATH)),*] };
}

/// The functions whose errors a page shows, by their names in the code.
type Forms = &'static [(&'static str, &'static str)];

/// Reads the names of all functions whose errors the code of the pages reads.
fn names_in_code(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            names_in_code(&path, names);
        } else {
            let code = fs::read_to_string(&path).unwrap_or_default();
            let calls = code.split("form_error::<api::").skip(1);
            names.extend(calls.filter_map(|call| Some(call.split_once('>')?.0.to_owned())));
        }
    }
}

#[tokio::test]
async fn no_error_in_an_address_breaks_a_page() {
    let app = TestApp::init().await;
    let (ann, bob) = (app.with_operator("ann").await, app.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    bob.resign(id).await.assert_ok();
    let (visitor, guest) = (app.visitor(), app.visitor().be_guest("guest").await);
    let opened = ann.post("/api/open_table", &[("game", "dots")]).await;
    let opened = opened.assert_ok();
    let table = format!("/t/{}", opened["link"].as_str().expect("a link"));
    let game = format!("/match/{id}");
    let terms = [("setup", SMALL), ("clock", "3d")];
    let asked = ann.challenge(&bob, &terms).await.id("id");
    let slow = bob.answer_challenge(asked, true).await.id("match");
    ann.make_move(slow, "1,1", &[]).await.assert_ok();
    let plan = format!("/match/{slow}/plan");
    let adjourned = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, adjourned).await;
    bob.offer(adjourned, "adjourn").await.assert_ok();
    ann.answer_offer(adjourned, true).await.assert_ok();
    let seal = format!("/match/{adjourned}/seal");

    let opened: i64 = sqlx::query_scalar(TOURNAMENT)
        .bind(ann.id)
        .fetch_one(&app.db)
        .await
        .unwrap();
    let tournament = format!("/tournament/{opened}");
    let opened: i64 = sqlx::query_scalar(LEAGUE)
        .bind(ann.id)
        .fetch_one(&app.db)
        .await
        .unwrap();
    let league = format!("/league/{opened}");

    let of_match = forms![
        MakeMove,
        Resign,
        Abort,
        MakeOffer,
        AnswerOffer,
        CancelOffer,
        Rematch,
        Berserk,
        OfferAdjournment,
        ResumeMatch,
        OperatorAnnul,
        Say,
        Mute,
        ReportMessage,
        OperatorRemoveMessage
    ];
    let of_account = forms![
        ResetPassword,
        ChangePassword,
        EndSession,
        DeleteAccount,
        EndToken,
        CreateToken,
        BecomeBot,
        MakeRecoveryCodes,
        RemovePasskey,
        SetMail,
        RemoveMail,
        SetMailNotices,
        SetTimeZone
    ];
    let pages: [(&Visitor, &str, Forms); 19] = [
        (&visitor, "/play", forms![CreateGuest]),
        (&visitor, "/login", forms![Login]),
        (&visitor, "/register", forms![Register]),
        (&visitor, "/recover", forms![Recover, ForgotPassword]),
        (&visitor, "/mail/confirm", forms![ConfirmMail]),
        (&visitor, "/mail/reset", forms![ResetByMail]),
        (&visitor, "/mail/unsubscribe/1", forms![Unsubscribe]),
        (&guest, "/keep", forms![KeepAccount]),
        (&ann, "/account", of_account),
        (&ann, &game, of_match),
        (&ann, &plan, forms![SetConditionalMoves]),
        (
            &ann,
            "/games",
            forms![SetVacation, AnswerChallenge, CancelChallenge, Rematch],
        ),
        (&ann, &seal, forms![SealMove]),
        (
            &ann,
            &table,
            forms![Sit, StandUp, SetReady, RemovePlayer, CreateGuest],
        ),
        (
            &bob,
            "/play",
            forms![
                IssueChallenge,
                StartQuickGame,
                AnswerChallenge,
                CancelChallenge,
                CreateTable,
                Sit,
                Say
            ],
        ),
        (
            &ann,
            "/operator",
            forms![
                OperatorMute,
                OperatorClose,
                OperatorDismiss,
                OperatorRemoveMessage,
                OperatorAnnulAll,
                OpenLeague
            ],
        ),
        (&ann, "/operator/rings", forms![OperatorAnnulAll]),
        (&ann, &league, forms![JoinLeague, LeaveLeague, EndLeague]),
        (
            &ann,
            &tournament,
            forms![
                JoinTournament,
                LeaveTournament,
                ConfirmPresence,
                RequestBye,
                RemindOfTournament,
                RemoveFromTournament,
                CancelTournament,
                CloseTournamentEntries,
                ChooseSide,
                ProposeTime,
                RepeatTournament,
                EndTournamentSeries
            ],
        ),
    ];
    let mut in_code = BTreeSet::new();
    names_in_code(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/pages/src/ui")),
        &mut in_code,
    );
    let tried = pages.iter().flat_map(|(_, _, forms)| forms.iter());
    let tried: BTreeSet<_> = tried.map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(tried, in_code, "each form has its page here");

    for (who, at, forms) in pages {
        assert_eq!(page(who, at).await.status, 200, "{at}");
        for (name, path) in forms {
            // The deepest that an address reaches, and the deepest that is read at all.
            for depth in [24_300, FORM_ERROR_MAX_BYTES / 4 * 3 - 40] {
                let shown = page(who, &address(at, path, &nested(depth))).await;
                assert_eq!(shown.status, 200, "{at} {name} {depth}");
                assert!(!shows_error(&shown), "{at} {name} {depth}");
            }
        }
    }
}

#[tokio::test]
async fn errors_in_addresses_have_a_limit() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let shown = async |error: &str| {
        let shown = page(&visitor, &address("/register", "/api/register", error)).await;
        assert_eq!(shown.status, 200, "{error}");
        shown
    };
    assert!(shows_error(&shown(&padded(0)).await));
    let longest = FORM_ERROR_MAX_BYTES / 4 * 3 - padded(0).len();
    assert!(shows_error(&shown(&padded(longest)).await));
    assert!(!shows_error(&shown(&padded(longest + 1)).await));
    // As large as the head of a request may be.
    assert!(!shows_error(&shown(&nested(24_300)).await));
    // An unreadable text is an error all the same.
    for error in ["", "{", "[]", "\u{1}", &nested(200)] {
        let shown = shown(error).await;
        assert!(shown.text.contains("role=\"alert\""), "{error}");
    }

    // Every error of a form is short enough for its address, however long what it complains about is.
    let (ann, long) = (app.with_user("ann").await, "ё".repeat(9000));
    let form = [("opponent", "1"), ("game", "dots"), ("rated", &*long)];
    let refused = ann.post_request("/api/challenge").form(&form);
    let refused = refused.header("accept", "text/html");
    let refused = send(refused.header("referer", ann.url("/play"))).await;
    assert_eq!(refused.status, 302, "{refused:?}");
    let back = refused.headers["location"].to_str().expect("an address");
    let (_, error) = back.split_once("__err=").expect("an error");
    assert!(error.len() <= FORM_ERROR_MAX_BYTES, "{back}");
}
