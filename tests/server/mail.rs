//! Mail: an address is confirmed before it gets anything else, and resets a forgotten password; each by a link that is used once.

use super::app::{TestApp, wait_until};
use super::player::{PASSWORD, Player, Response, Visitor, send};
use super::smtp_server::{Received, SmtpServer};
use serde_json::{Value, json};
use tochki_server::settings::Settings;

pub(crate) const ORIGIN: &str = "http://tochki.example";

/// Starts a server that sends its mail to another one.
pub(crate) async fn start() -> (TestApp, SmtpServer) {
    let smtp = SmtpServer::start().await;
    let app = TestApp::with_settings(|settings| send_to(&smtp, settings)).await;
    start_sending(&app);
    (app, smtp)
}

/// Starts one more instance, which sends mail as well.
pub(crate) async fn start_another(app: &TestApp, smtp: &SmtpServer) -> TestApp {
    let mut settings = TestApp::settings();
    send_to(smtp, &mut settings);
    let other = TestApp::on(app.database.clone(), settings).await;
    start_sending(&other);
    other
}

fn send_to(smtp: &SmtpServer, settings: &mut Settings) {
    settings.smtp_url = Some(smtp.url.clone());
    settings.public_origin = Some(ORIGIN.to_owned());
}

fn start_sending(app: &TestApp) {
    let mails = &app.state.mails;
    mails.start(&app.state.tasks, tochki_pages::mail::compose);
}

async fn sign_in(visitor: &Visitor) -> Response {
    let form = [("name", "ann"), ("password", PASSWORD)];
    visitor.post("/api/login", &form).await
}

impl Player {
    pub(crate) async fn set_mail(&self, address: &str, language: &str) -> Response {
        let form = [
            ("address", address),
            ("password", PASSWORD),
            ("language", language),
        ];
        self.post("/api/set_mail", &form).await
    }

    async fn mail(&self) -> Value {
        self.get("/api/mail").await.assert_ok()
    }

    /// Sets an address, and confirms it.
    pub(crate) async fn confirm_mail(&self, smtp: &mut SmtpServer, address: &str) {
        self.set_mail(address, "en").await.assert_ok();
        let token = token_of(&smtp.next().await, "/mail/confirm?token=");
        let form = [("token", &*token)];
        self.post("/api/confirm_mail", &form).await.assert_ok();
    }
}

/// The token of a link to this path.
fn token_of(mail: &Received, path: &str) -> String {
    let link = mail.link(&format!("{ORIGIN}{path}"));
    link[ORIGIN.len() + path.len()..].to_owned()
}

#[tokio::test]
async fn an_address_is_confirmed_by_a_link_and_the_former_one_is_told_of_the_next() {
    let (app, mut smtp) = start().await;
    let ann = app.with_user("ann").await;
    let wrong = [("address", "ann@example.org"), ("password", "wrong horse")];
    ann.post("/api/set_mail", &wrong)
        .await
        .assert_error(403, "wrong_password");
    // The host of the request is in no link.
    let form = [
        ("address", "Ann@example.org"),
        ("password", PASSWORD),
        ("language", "ru"),
    ];
    let post = ann.post_request("/api/set_mail").form(&form);
    send(post.header("x-forwarded-host", "evil.example"))
        .await
        .assert_ok();
    let pending =
        json!({"available": true, "address": null, "pending": "Ann@example.org", "sign_ins": true});
    assert_eq!(ann.mail().await, pending);

    let mail = smtp.next().await;
    assert_eq!(mail.to, ["Ann@example.org"]);
    assert_eq!(mail.subject, "Подтвердите адрес почты");
    assert!(mail.plain.starts_with("Здравствуйте, ann."), "{mail:?}");
    assert!(mail.html.contains("<html lang=\"ru\""), "{mail:?}");
    assert_eq!(mail.unsubscribe, None);
    // The page of the link only asks; the button uses the link up.
    let link = mail.link(&format!("{ORIGIN}/mail/confirm?token="));
    let page = app.visitor().get(&link[ORIGIN.len()..]).await;
    assert!(page.text.contains("/api/confirm_mail"), "{}", page.text);
    assert_eq!(ann.mail().await, pending);
    let token = token_of(&mail, "/mail/confirm?token=");
    let confirm = async || {
        app.visitor()
            .post("/api/confirm_mail", &[("token", &token)])
            .await
    };
    confirm().await.assert_ok();
    confirm().await.assert_error(404, "bad_link");
    assert_eq!(ann.mail().await["address"], "Ann@example.org");

    // Another address takes its place once it is confirmed, and the former one is told so.
    ann.confirm_mail(&mut smtp, "ann@example.net").await;
    assert_eq!(ann.mail().await["address"], "ann@example.net");
    let told = smtp.next().await;
    assert_eq!(told.to, ["Ann@example.org"]);
    assert_eq!(told.subject, "Your email address was changed");
    let form = [("password", PASSWORD)];
    ann.post("/api/remove_mail", &form).await.assert_ok();
    assert_eq!(smtp.next().await.to, ["ann@example.net"]);
    assert_eq!(ann.mail().await["address"], Value::Null);
    // Nobody else has seen any of it.
    let profile = app.visitor().get("/@ann").await.text;
    assert!(!profile.contains("example.org") && !profile.contains("example.net"));
}

/// Posts a form as a browser without scripts does, and follows the redirect. Returns the path and the page that it leads to.
async fn post_form(
    visitor: &Visitor,
    page: &str,
    action: &str,
    form: &[(&str, &str)],
) -> (String, String) {
    let request = visitor.post_request(action).form(form);
    let request = request.header("accept", "text/html");
    let answer = send(request.header("referer", format!("{ORIGIN}{page}"))).await;
    let place = answer.header("location").expect("a redirect").to_owned();
    let path = place.strip_prefix(ORIGIN).unwrap_or(&place);
    let (path, _) = path.split_once('#').unwrap_or((path, ""));
    let shown = visitor.get(path).await.text;
    (place, shown)
}

#[tokio::test]
async fn the_forms_of_mail_work_without_scripts() {
    let (app, mut smtp) = start().await;
    let ann = app.with_user("ann").await;
    let page = ann.get("/account").await.text;
    assert!(page.contains("href=\"#mail\">Email"), "{page}");
    assert!(!page.contains("/api/remove_mail"), "nothing to remove");
    let set = async |password| {
        let form = [
            ("address", "ann@example.org"),
            ("password", password),
            ("language", "en"),
            ("next", "/account?done=mail"),
        ];
        post_form(&ann, "/account", "/api/set_mail", &form).await
    };
    // A refusal leads to where it is told.
    let (place, page) = set("wrong horse").await;
    assert!(place.ends_with("#refused"), "{place}");
    assert!(page.contains("id=\"refused\""), "{page}");
    let (place, page) = set(PASSWORD).await;
    assert_eq!(place, "/account?done=mail");
    assert!(page.contains("Check your inbox for a link."), "{page}");
    // It is filled in, to be sent another link.
    assert!(page.contains("value=\"ann@example.org\""), "{page}");
    assert!(page.contains("/api/remove_mail"), "{page}");

    let token = token_of(&smtp.next().await, "/mail/confirm?token=");
    let link = format!("/mail/confirm?token={token}");
    let form = [("token", &*token), ("next", "/mail/confirm?done=yes")];
    let confirm = async || post_form(&ann, &link, "/api/confirm_mail", &form).await;
    let (place, page) = confirm().await;
    assert_eq!(place, "/mail/confirm?done=yes");
    assert!(page.contains("Your address is confirmed."), "{page}");
    // A link that is used up has no button more, and the way to another one.
    let (_, page) = confirm().await;
    assert!(page.contains("id=\"refused\""), "{page}");
    assert!(page.contains("href=\"/account#mail\""), "{page}");
    assert!(!page.contains("/api/confirm_mail"), "{page}");
    let form = [("token", "none"), ("new_password", "another horse")];
    let path = "/mail/reset?token=none";
    let (_, page) = post_form(&app.visitor(), path, "/api/reset_by_mail", &form).await;
    assert!(page.contains("href=\"/recover#forgot\""), "{page}");
    assert!(!page.contains("/api/reset_by_mail"), "{page}");
    let form = [("name", "ann"), ("next", "/recover?done=mail#forgot")];
    let (place, page) = post_form(&app.visitor(), "/recover", "/api/forgot_password", &form).await;
    assert_eq!(place, "/recover?done=mail#forgot");
    assert!(page.contains("a link is on its way."), "{page}");
    smtp.next().await;
}

#[tokio::test]
async fn nobody_bombs_an_address_or_writes_a_header() {
    let (app, mut smtp) = start().await;
    let (ann, bob) = app.with_two_users().await;
    for text in [
        "bob@example.org\r\nBcc: eve@example.org",
        "bob@example.org\nSubject: hello",
        "bob@example.org, eve@example.org",
        "bob@[127.0.0.1]",
        "bob",
    ] {
        ann.set_mail(text, "en")
            .await
            .assert_error(400, "invalid_mail");
    }
    // Three a day to one address, whoever asks and however it is written.
    for (player, address) in [
        (&ann, "victim@example.org"),
        (&bob, "Victim@example.org"),
        (&ann, "VICTIM@example.org"),
    ] {
        player.set_mail(address, "en").await.assert_ok();
        let mail = smtp.next().await;
        assert_eq!(mail.to, [address]);
        let bcc = mail.headers.lines().any(|line| line.starts_with("Bcc"));
        assert!(!bcc, "{}", mail.headers);
    }
    bob.set_mail("victim@example.org", "en")
        .await
        .assert_error(429, "too_many_attempts");
    // Nor by an account that is made anew.
    bob.post("/api/delete_account", &[("password", PASSWORD)])
        .await
        .assert_ok();
    let eve = app.with_user("eve").await;
    eve.set_mail("victim@example.org", "en")
        .await
        .assert_error(429, "too_many_attempts");
    // An address that is not confirmed gets nothing else.
    let form = [("name", "ann")];
    for _ in 0..2 {
        app.visitor()
            .post("/api/forgot_password", &form)
            .await
            .assert_ok();
    }
    let signed_in = sign_in(&app.visitor()).await;
    signed_in.assert_ok();
    ann.confirm_mail(&mut smtp, "ann@example.org").await;
    assert!(smtp.rest().is_empty());
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_by_a_link() {
    let (app, mut smtp) = start().await;
    let ann = app.with_user("ann").await;
    ann.confirm_mail(&mut smtp, "ann@example.org").await;
    let program = ann.create_token("read").await;
    let forgot = async |name: &str| {
        let form = [("name", name)];
        app.visitor().post("/api/forgot_password", &form).await
    };
    // The same answer for a name that nobody has.
    let (known, unknown) = (forgot("ANN").await, forgot("nobody").await);
    assert_eq!((known.status, &known.text), (unknown.status, &unknown.text));
    let first = token_of(&smtp.next().await, "/mail/reset?token=");
    forgot("ann").await.assert_ok();
    let mail = smtp.next().await;
    assert_eq!(mail.to, ["ann@example.org"]);
    let token = token_of(&mail, "/mail/reset?token=");

    let reset = async |token: &str, password: &str| {
        let form = [("token", token), ("new_password", password)];
        app.visitor().post("/api/reset_by_mail", &form).await
    };
    reset("none", "another horse battery")
        .await
        .assert_error(404, "bad_link");
    reset(&token, "short")
        .await
        .assert_error(400, "invalid_password");
    reset(&token, "another horse battery").await.assert_ok();
    // The link, and those before it, are used up; sessions and tokens have ended.
    for used in [&token, &first] {
        reset(used, "yet another horse")
            .await
            .assert_error(404, "bad_link");
    }
    ann.get("/api/mail").await.assert_error(401, "signed_out");
    let call = app.visitor().request(reqwest::Method::GET, "/api/whoami");
    let called = send(call.bearer_auth(&program)).await;
    called.assert_error(401, "bad_token");
    let old = sign_in(&app.visitor()).await;
    old.assert_error(401, "bad_credentials");

    // A link is good for an hour, and there are three a day.
    forgot("ann").await.assert_ok();
    // The reset has signed in from a browser that was not known.
    let mails = [smtp.next().await, smtp.next().await];
    let last = mails.iter().find(|mail| mail.plain.contains("/mail/reset"));
    let last = token_of(last.expect("a third link"), "/mail/reset?token=");
    forgot("ann").await.assert_ok();
    sqlx::query("update password_resets set created_at = now() - interval '61 minutes'")
        .execute(&app.db)
        .await
        .unwrap();
    reset(&last, "yet another horse")
        .await
        .assert_error(404, "bad_link");
    let waiting: i64 = sqlx::query_scalar("select count(*) from mails where sent_at is null")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!((waiting, smtp.rest().len()), (0, 0));
}

#[tokio::test]
async fn an_address_that_waits_for_its_link_is_forgotten_with_the_password() {
    let (app, mut smtp) = start().await;
    let (ann, bob) = app.with_two_users().await;
    ann.confirm_mail(&mut smtp, "ann@example.org").await;
    // Somebody who knows the passwords has set other addresses.
    let mut links = Vec::new();
    for player in [&ann, &bob] {
        player.set_mail("eve@example.org", "en").await.assert_ok();
        links.push(token_of(&smtp.next().await, "/mail/confirm?token="));
    }
    let forgot = app
        .visitor()
        .post("/api/forgot_password", &[("name", "ann")])
        .await;
    forgot.assert_ok();
    let token = token_of(&smtp.next().await, "/mail/reset?token=");
    let form = [
        ("token", &*token),
        ("new_password", "another horse battery"),
    ];
    app.visitor()
        .post("/api/reset_by_mail", &form)
        .await
        .assert_ok();
    let form = [
        ("password", PASSWORD),
        ("new_password", "another horse battery"),
    ];
    bob.post("/api/change_password", &form).await.assert_ok();
    for link in &links {
        let confirmed = app
            .visitor()
            .post("/api/confirm_mail", &[("token", link)])
            .await;
        confirmed.assert_error(404, "bad_link");
    }
}

#[tokio::test]
async fn an_address_that_nobody_confirms_is_deleted_with_its_link() {
    let (app, mut smtp) = start().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    ann.confirm_mail(&mut smtp, "ann@example.org").await;
    for player in [&ann, &bob, &cid] {
        player.set_mail("late@example.org", "en").await.assert_ok();
        smtp.next().await;
    }
    sqlx::query(
        "update mail_addresses set pending_at = now() - interval '25 hours' where player_id = any($1)",
    )
    .bind([ann.id, bob.id])
    .execute(&app.db)
    .await
    .unwrap();
    // A link that is too old is waited for no longer.
    assert_eq!(bob.mail().await["pending"], Value::Null);
    // An instance cleans up when it starts.
    let _other = start_another(&app, &smtp).await;
    let left: Vec<(i64, Option<String>, Option<String>)> =
        wait_until("old addresses are gone", async || {
            let left: Vec<(i64, Option<String>, Option<String>)> = sqlx::query_as(
                "select player_id, address, pending from mail_addresses order by player_id",
            )
            .fetch_all(&app.db)
            .await
            .unwrap();
            (left.len() == 2 && left[0].2.is_none()).then_some(left)
        })
        .await;
    assert_eq!(left[0], (ann.id, Some("ann@example.org".to_owned()), None));
    assert_eq!(left[1], (cid.id, None, Some("late@example.org".to_owned())));
    let data = bob.get("/api/my_data").await.assert_ok();
    assert_eq!(data["mail"], Value::Null);
    assert!(!data.to_string().contains("late@example.org"), "{data}");
    let data = ann.get("/api/my_data").await.assert_ok();
    assert_eq!(data["mail"]["address"], "ann@example.org");
    assert_eq!(data["mail"]["pending"], Value::Null);
}

#[tokio::test]
async fn a_sign_in_from_a_new_browser_is_told_until_one_click_ends_it() {
    let (app, mut smtp) = start().await;
    let ann = app.with_user("ann").await;
    ann.confirm_mail(&mut smtp, "ann@example.org").await;
    let browser = app.visitor();
    sign_in(&browser).await.assert_ok();
    let mail = smtp.next().await;
    assert_eq!(mail.subject, "New sign-in to your account");
    // A browser that is known is no news.
    sign_in(&browser).await.assert_ok();
    let (link, how) = mail.unsubscribe.expect("a link");
    assert_eq!(how, "List-Unsubscribe=One-Click");
    let link = link.trim_matches(['<', '>']);
    let path = link.strip_prefix(ORIGIN).expect("a link of this site");
    // Following it changes nothing: a page asks.
    let page = app.visitor().get(path).await;
    assert!(page.text.contains("/api/unsubscribe"), "{}", page.text);
    assert_eq!(ann.mail().await["sign_ins"], true);
    let click = [("List-Unsubscribe", "One-Click")];
    assert_eq!(app.visitor().post(path, &click).await.status, 200);
    app.visitor()
        .post("/mail/unsubscribe/none", &click)
        .await
        .assert_error(404, "bad_link");
    assert_eq!(ann.mail().await["sign_ins"], false);
    sign_in(&app.visitor()).await.assert_ok();
    let form = [("sign_ins", "true")];
    ann.post("/api/mail_notices", &form).await.assert_ok();
    sign_in(&app.visitor()).await.assert_ok();
    smtp.next().await;
    assert!(smtp.rest().is_empty());
}

#[tokio::test]
async fn a_mail_that_is_not_taken_waits_and_of_two_instances_one_sends_it() {
    let (app, mut smtp) = start().await;
    let _other = start_another(&app, &smtp).await;
    let ann = app.with_user("ann").await;
    smtp.refuse(1);
    ann.set_mail("ann@example.org", "en").await.assert_ok();
    let attempts = async || {
        let count: i32 = sqlx::query_scalar("select attempts from mails")
            .fetch_one(&app.db)
            .await
            .unwrap();
        (count == 1).then_some(())
    };
    wait_until("the first attempt", attempts).await;
    wait_until("its end", async || {
        let later: bool = sqlx::query_scalar(
            "select due_at between now() + interval '30 seconds' and now() + interval '61 seconds' from mails",
        )
        .fetch_one(&app.db)
        .await
        .unwrap();
        later.then_some(())
    })
    .await;
    sqlx::query("update mails set due_at = now()")
        .execute(&app.db)
        .await
        .unwrap();
    // Any mail wakes the sending.
    let bob = app.with_user("bob").await;
    bob.set_mail("bob@example.org", "en").await.assert_ok();
    let mut to = [
        smtp.next().await.to.remove(0),
        smtp.next().await.to.remove(0),
    ];
    to.sort();
    assert_eq!(to, ["ann@example.org", "bob@example.org"]);
    let left: i64 = wait_until("both as sent", async || {
        let left: i64 = sqlx::query_scalar("select count(*) from mails where content <> '{}'")
            .fetch_one(&app.db)
            .await
            .unwrap();
        (left == 0).then_some(left)
    })
    .await;
    assert_eq!((left, smtp.rest().len()), (0, 0));
}

#[tokio::test]
async fn without_a_mail_server_there_are_no_addresses() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    assert_eq!(ann.mail().await["available"], false);
    ann.set_mail("ann@example.org", "en")
        .await
        .assert_error(404, "mail_off");
    app.visitor()
        .post("/api/forgot_password", &[("name", "ann")])
        .await
        .assert_error(404, "mail_off");
    assert!(!ann.get("/account").await.text.contains("id=\"mail\""));
    assert!(
        !app.visitor()
            .get("/recover")
            .await
            .text
            .contains("id=\"forgot\"")
    );
}

#[tokio::test]
async fn all_names_of_a_mailbox_are_counted_together() {
    let (app, mut smtp) = start().await;
    let (ann, bob) = app.with_two_users().await;
    for (player, address) in [
        (&ann, "victim.one+a@gmail.com"),
        (&bob, "vic.timone@GoogleMail.com"),
        (&ann, "victimone+b.c@gmail.com"),
    ] {
        player.set_mail(address, "en").await.assert_ok();
        assert_eq!(smtp.next().await.to, [address], "as it was written");
    }
    let refused = bob.set_mail("v.i.c.t.i.m.o.n.e@gmail.com", "en").await;
    refused.assert_error(429, "too_many_attempts");
    // Elsewhere a dot tells two mailboxes apart.
    bob.set_mail("victim.one@example.org", "en")
        .await
        .assert_ok();
    smtp.next().await;
}
