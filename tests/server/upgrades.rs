//! An upgrade while pages are open and other instances run: streams tell the release, the code of the release before is still
//! served, and an instance of that release starts on a newer schema.

use super::app::{SMALL, TestApp, begin, start_match};
use super::cluster::Database;
use super::player::{PASSWORD, Visitor};
use super::process::Server;
use super::sse_client::{Event, Frame};
use super::tables::{get_table, seats};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Returns the release that a stream tells with its first event.
async fn release_of_stream(visitor: &Visitor, path: &str) -> String {
    let mut stream = visitor.stream(path).await;
    let retry = stream.frame().await.expect("a frame");
    assert_eq!(retry, Frame::Comment("retry: 2000".into()), "{path}");
    let Some(Frame::Event(Event { id, name, data, .. })) = stream.frame().await else {
        panic!("{path} begins without an event");
    };
    assert_eq!((id, &*name), (None, "release"), "{path}");
    let release = data["release"].as_str().expect("a text");
    assert!(!release.is_empty());
    assert_eq!(data, json!({ "release": release }));
    release.to_owned()
}

/// Returns the release of a page.
async fn release_of_page(visitor: &Visitor, path: &str) -> String {
    let page = visitor.get(path).await.text;
    let (_, rest) = page.split_once("data-release=\"").expect(path);
    rest.split('"').next().expect("its end").to_owned()
}

#[tokio::test]
async fn every_stream_and_every_page_with_one_tell_the_release() {
    let app = TestApp::init().await;
    let other = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let carl = app.with_user("carl").await;
    let link = carl.open_table(&[]).await.assert_ok()["link"].clone();
    let link = link.as_str().expect("a link");
    let release = release_of_page(&carl, "/play?game=dots").await;
    let (of_match, of_table) = (format!("/match/{id}"), format!("/t/{link}"));
    for page in [&of_match, &of_table] {
        assert_eq!(release_of_page(&carl, page).await, release, "{page}");
    }
    for stream in [
        "/events?topics=me",
        "/events/lobby",
        "/events/me",
        &format!("/events/match/{id}?after=1"),
        &format!("/events/table/{link}"),
    ] {
        assert_eq!(release_of_stream(&carl, stream).await, release, "{stream}");
    }
    let visitor = other.visitor();
    let path = format!("/events/match/{id}");
    assert_eq!(release_of_stream(&visitor, &path).await, release);
    // A page without a stream hears of no release.
    let page = app.visitor().get("/rules").await.text;
    assert!(!page.contains("data-release"));
}

/// Writes a site with these files.
fn site(folder: &Path, files: &[(&str, &str)]) {
    for (path, content) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, content).expect("a file");
    }
}

/// Starts a server with the site in this folder.
async fn serve(database: &Database, folder: &Path, name: &str) -> Server {
    let text = |path: &Path| path.to_str().expect("a plain path").to_owned();
    let settings = vec![("LEPTOS_SITE_ROOT", text(&folder.join(name)))];
    Server::start_logging(database.clone(), settings, folder.join("log")).await
}

/// Returns the list of files that the service worker of a release keeps.
async fn files_to_keep(visitor: &Visitor) -> Value {
    let script = visitor.get("/release.js").await.text;
    let json = script.trim_start_matches("self.RELEASE=").trim();
    serde_json::from_str(json.trim_end_matches(';')).expect("JSON")
}

fn engine_of(release: &Value) -> String {
    let files = release["files"].as_array().expect("files").iter();
    let mut files = files.filter_map(Value::as_str);
    let engine = files.find(|file| file.starts_with("/engines/"));
    engine.expect("an engine").to_owned()
}

#[tokio::test]
async fn files_of_the_previous_release_are_served() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let database = Database::fresh().await;
    let first = [
        ("pkg/tochki.aaaa.js", "old"),
        ("pkg/same.cccc.wasm", "same"),
        ("engines/dots.js", "old engine"),
        ("sound.js", "old sound"),
        ("gone.js", "gone"),
    ];
    site(&folder.join("site"), &first);
    let old = serve(&database, folder, "site").await;
    let old_release = files_to_keep(&old.visitor()).await;
    let old_engine = engine_of(&old_release);
    let visitor = old.visitor();
    assert_eq!(visitor.get(&old_engine).await.text, "old engine");
    assert_eq!(visitor.get("/pkg/tochki.bbbb.js").await.status, 404);
    let twin = serve(&database, folder, "site").await;
    assert_eq!(files_to_keep(&twin.visitor()).await, old_release);

    fs::rename(folder.join("site"), folder.join("site.previous")).expect("another name");
    let second = [
        ("pkg/tochki.bbbb.js", "new"),
        ("pkg/same.cccc.wasm", "same"),
        ("engines/dots.js", "new engine"),
        ("sound.js", "new sound"),
    ];
    site(&folder.join("site"), &second);
    let new = serve(&database, folder, "site").await;
    let visitor = new.visitor();
    let new_engine = engine_of(&files_to_keep(&visitor).await);
    assert_ne!(new_engine, old_engine);
    for (path, content) in [
        ("/pkg/tochki.aaaa.js", "old"),
        ("/pkg/tochki.bbbb.js", "new"),
        ("/pkg/same.cccc.wasm", "same"),
        (&old_engine, "old engine"),
        (&new_engine, "new engine"),
        ("/engines/dots.js", "new engine"),
        ("/sound.js", "new sound"),
    ] {
        let found = visitor.get(path).await;
        assert_eq!((found.status, &*found.text), (200, content), "{path}");
    }
    let cached = visitor.get("/pkg/tochki.aaaa.js").await;
    let cached = cached.header("cache-control").expect("a header").to_owned();
    assert!(cached.contains("immutable"), "{cached}");
    for path in [
        "/pkg/tochki.dddd.js",
        "/pkg/..%2fgone.js",
        "/engines/dots.js?v=dddd",
        "/gone.js",
    ] {
        assert_eq!(visitor.get(path).await.status, 404, "{path}");
    }

    // A page of the release before hears of the other one when its stream is opened again.
    let ann = new.with_user("ann").await;
    let told = release_of_stream(&ann, "/events/lobby").await;
    assert_ne!(old_release["version"], told);
    assert_eq!(release_of_page(&ann, "/play").await, told);
}

#[tokio::test]
async fn previous_site_is_found_by_its_setting_and_may_be_missing() {
    let folder = TempDir::new().expect("a folder");
    site(folder.path(), &[("pkg/tochki.aaaa.js", "old")]);
    let before = folder.path().to_owned();
    let app = TestApp::with_settings(|settings| settings.previous_site = Some(before)).await;
    let found = app.visitor().get("/pkg/tochki.aaaa.js").await;
    assert_eq!((found.status, &*found.text), (200, "old"));
    let app = TestApp::init().await;
    let found = app.visitor().get("/pkg/tochki.aaaa.js").await;
    assert_eq!(found.status, 404);
}

#[tokio::test]
async fn the_release_before_starts_on_a_newer_schema() {
    let app = TestApp::init().await;
    // The schema that the next release leaves behind, by whose migration nothing that this one uses has changed.
    sqlx::raw_sql(
        "alter table players add column of_the_next_release text;
         insert into _sqlx_migrations (version, description, success, checksum, execution_time)
         select max(version) + 1, 'of the next release', true, '\\x00', 0 from _sqlx_migrations",
    )
    .execute(&app.db)
    .await
    .expect("another migration");
    let restarted = app.another_instance().await;
    let ann = restarted.with_user("ann").await;
    let bob = app.with_user("bob").await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
}

/// Checks that the names which migrations have replaced are there for instances of the release before, until a later migration
/// drops them.
#[tokio::test]
async fn the_release_before_reads_and_writes_under_the_old_names() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let table = ann.open_table(&[]).await.assert_ok();
    for statement in [
        "insert into seated (table_id, chair, player_id)
         select t.id, 2, p.id from open_tables t, players p where p.name = 'bob'",
        "update seated set ready = true, agreed = table_agreement(table_id), seen_at = now() where player_id in (
             select s.player_id from seated s where s.chair = 2 for no key update skip locked)",
        "insert into kept_away (table_id, player_id)
         select t.id, p.id from open_tables t, players p where p.name = 'cid' on conflict do nothing",
        "update players set name_look = 'rob' where name = 'bob'",
    ] {
        let done = sqlx::query(statement).execute(&app.db).await;
        assert_eq!(done.expect(statement).rows_affected(), 1, "{statement}");
    }
    let seated = get_table(&app.visitor(), &table).await;
    assert_eq!(seats(&seated), [Some(("ann", false)), Some(("bob", true))]);
    cid.sit(&table).await.assert_error(403, "removed");
    let form = [("name", "rob"), ("password", PASSWORD)];
    let rob = app.visitor().post("/api/register", &form).await;
    rob.assert_error(409, "name_taken");
    let equal: Vec<bool> = sqlx::query_scalar(
        "select unnest(array[
             welcome() = arrival_timeout(), time_is_kept() = heartbeat_is_fresh(),
             (select count(*) from away) = (select count(*) from reported_absences),
             (select count(*) from results_that_fit(1, null, null, null)) = 0,
             (select count(*) from counted_again(1, 'dots')) = 0,
             (select bool_and(name_look = name_skeleton) from players)])",
    )
    .fetch_all(&app.db)
    .await
    .expect("the old names");
    assert_eq!(equal, [true; 6]);
    let left = sqlx::query("delete from seated where player_id = $1 returning table_id")
        .bind(bob.id)
        .fetch_all(&app.db)
        .await;
    assert_eq!(left.expect("a seat").len(), 1);
    assert_eq!(
        seats(&get_table(&app.visitor(), &table).await),
        [Some(("ann", false)), None]
    );
}
