//! A disk that is full: changes that cannot be stored are refused, and the server is whole again once there is room.

use super::database_of;
use crate::app::{SMALL, TIMEOUT, TestApp, begin, start_match, wait_until};
use crate::fault_table::print_row;
use crate::live_matches::LiveMatches;
use crate::player::{Visitor, try_send};
use crate::process::Process;
use reqwest::Method;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;
use tochki_protocol::limits;
use tokio::time::{Instant, sleep};

#[tokio::test]
async fn a_full_disk_is_unavailable_and_not_ready_and_whole_again_afterwards() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    // The error of Postgres when a table cannot grow.
    sqlx::raw_sql(
        "create function full_disk() returns trigger language plpgsql as $$ begin
             raise exception 'could not extend file' using errcode = '53100'; end $$;
         create trigger full_disk before insert or update on match_events execute function full_disk();
         create trigger full_disk before insert or update on readiness execute function full_disk();",
    )
    .execute(&app.db)
    .await
    .unwrap();
    let form = [("client_id", "a")];
    ann.make_move(id, "1,1", &form)
        .await
        .assert_error(503, "unavailable");
    let visitor = app.visitor();
    wait_until("a server that is not ready", async || {
        (visitor.get("/readyz").await.status == 503).then_some(())
    })
    .await;
    // That new pages can be written is not enough.
    for _ in 0..4 {
        sleep(limits::READINESS_INTERVAL).await;
        assert_eq!(visitor.get("/readyz").await.status, 503);
    }
    assert_eq!(visitor.get("/healthz").await.status, 200);
    assert_eq!(ann.snapshot(id).await["version"], 2, "it still answers");
    sqlx::raw_sql("drop function full_disk() cascade")
        .execute(&app.db)
        .await
        .unwrap();
    assert_eq!(ann.make_move(id, "1,1", &form).await.version(), 3);
    wait_until("a server that is ready", async || {
        (visitor.get("/readyz").await.status == 200).then_some(())
    })
    .await;
}

/// The size of the small disk. A new cluster has 60 MB.
const SIZE: &str = "size=256m";

/// A file system of its own in memory, which goes with this value.
struct SmallDisk(TempDir);

impl SmallDisk {
    /// Mounts the disk. `None`, with a line of output, where it cannot be had.
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", SIZE, "tmpfs"]);
        match mount.arg(folder.path()).output() {
            Ok(mounted) if mounted.status.success() => Some(Self(folder)),
            Ok(refused) => {
                let output = String::from_utf8_lossy(&refused.stderr);
                println!("SKIPPED: no small disk can be mounted: {}", output.trim());
                None
            }
            Err(error) => {
                println!("SKIPPED: no small disk can be mounted: {error}");
                None
            }
        }
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }

    /// Writes a file until nothing more fits.
    fn fill(&self) {
        let mut filler = File::options()
            .append(true)
            .create(true)
            .open(self.filler())
            .expect("a file");
        for size in [1 << 20, 4096, 1] {
            while filler.write_all(&vec![0; size]).is_ok() {}
        }
    }

    /// Removes that file.
    fn make_room(&self) {
        std::fs::remove_file(self.filler()).expect("it is there");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Also while somebody still has a file open there.
        let unmounted = Command::new("umount")
            .arg("--lazy")
            .arg(self.path())
            .status();
        if !unmounted.is_ok_and(|status| status.success()) {
            eprintln!("{} is still mounted", self.path().display());
        }
    }
}

/// Returns the status of `/readyz`.
async fn readiness(visitor: &Visitor) -> Option<u16> {
    let asked = visitor.request(Method::GET, "/readyz");
    Some(try_send(asked).await.ok()?.status)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes a while, and root mounts a disk: `cargo make faults`"]
async fn a_full_disk_makes_a_server_wait_until_there_is_room() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let mut server = Process::start_with_own_postgres(disk.path()).await;
    let db = database_of(disk.path()).await;
    let visitor = server.visitor();
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let pace = Duration::from_millis(50);
    let live = LiveMatches::start(&visitor, 4, &[("clock", "300+0")], pace).await;

    // First no table can grow.
    disk.fill();
    assert!(live.refusals().is_empty());
    let refusals = wait_until("moves that cannot be kept", async || {
        disk.fill();
        Some(live.refusals()).filter(|refusals| !refusals.is_empty())
    })
    .await;
    let answers: Vec<&String> = refusals.keys().collect();
    assert_eq!(answers, ["503 unavailable"]);
    wait_until("a server that is not ready", async || {
        (readiness(&visitor).await == Some(503)).then_some(())
    })
    .await;
    assert_eq!(visitor.get("/healthz").await.status, 200);
    disk.make_room();
    let first = live.wait_until_whole().await;
    server.wait_until_ready().await;

    // Then Postgres ends, because it cannot write its log, and it cannot start.
    disk.fill();
    let ended = sqlx::raw_sql("select pg_switch_wal(); create table one_more as select 1 as one; select pg_switch_wal(); checkpoint")
        .execute(&db)
        .await;
    println!("with a full disk: {ended:?}");
    wait_until("a server that is not ready", async || {
        (readiness(&visitor).await == Some(503)).then_some(())
    })
    .await;
    let until = Instant::now() + TIMEOUT;
    while Instant::now() < until {
        disk.fill();
        assert_eq!(readiness(&visitor).await, Some(503));
        sleep(Duration::from_millis(500)).await;
    }
    disk.make_room();
    let begun = Instant::now();
    server.wait_until_ready().await;
    live.wait_until_whole().await;
    let second = begun.elapsed();
    let form = [("client_id", "a")];
    ann.make_move(id, "1,1", &form).await.assert_ok();
    let refusals = live.refusals();
    let cost = live.finish(&db).await;
    println!("refusals: {refusals:?}");
    print_row("disk full, so that no table grows", cost, first);
    print_row("disk full, so that Postgres ends", cost, second);
    assert_eq!((cost.lost, cost.wrongly_lost), (0, 0));
    db.close().await;
    server.terminate();
    assert!(server.wait_for_exit().await.success());
}
