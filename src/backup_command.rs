//! `tochki backup`, `tochki restore` and `tochki verify`.

use crate::command_database::CommandDatabase;
use anyhow::Context as _;
use own_postgres::{client_environment, client_program, database, file_argument};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tochki_server::db::maintenance;
use tochki_server::partial_file::PartialFile;
use tochki_server::records::verify;
use tochki_server::settings::Settings;
use tokio::process::Command;

/// The action of the command.
pub(crate) enum BackupVerb {
    Backup(PathBuf),
    Restore(PathBuf),
    Verify,
}

/// Runs the command.
#[tokio::main]
pub(crate) async fn run(settings: &Settings, verb: BackupVerb) -> anyhow::Result<()> {
    let database = CommandDatabase::open(settings).await?;
    let done = match verb {
        BackupVerb::Backup(file) => backup(&database, &file).await,
        BackupVerb::Restore(file) => restore(&database, &file).await,
        BackupVerb::Verify => verify(&database).await,
    };
    database.close().await;
    done
}

/// Writes the whole database into a file in `pg_dump`'s custom format. The file is there once it is complete.
async fn backup(database: &CommandDatabase, file: &Path) -> anyhow::Result<()> {
    // It contains what nobody but the operator may read.
    let partial = PartialFile::create(file, 0o600)?;
    let output = partial.file.try_clone()?;
    let dumped = client(database, "pg_dump", |command| {
        command
            .args(["--format=custom", "--no-owner", "--no-privileges"])
            .stdout(output);
    });
    dumped.await?;
    let size = partial.complete()?;
    println!("{}: {size} bytes", file.display());
    Ok(())
}

/// Reads a backup into a database that is empty, in one transaction.
async fn restore(target: &CommandDatabase, file: &Path) -> anyhow::Result<()> {
    File::open(file).with_context(|| file.display().to_string())?;
    let name = database(&target.options);
    if !maintenance::is_empty(&target.options).await? {
        anyhow::bail!(
            "the database {name} is not empty. A backup is restored into an empty one: create another database, or give another \
             DATA_DIR"
        );
    }
    // As a connection string, so that no name of a database is taken for one.
    let quoted = name.replace('\\', "\\\\").replace('\'', "\\'");
    let file_argument = file_argument(file)?;
    client(target, "pg_restore", |command| {
        command
            .args(["--single-transaction", "--exit-on-error"])
            .args(["--no-owner", "--no-privileges"])
            .arg(format!("--dbname=dbname='{quoted}'"))
            .arg(file_argument);
    })
    .await
    .context("nothing was restored")?;
    maintenance::analyze(&target.options).await?;
    println!("{} is restored.", file.display());
    Ok(())
}

/// Runs a client program on this database.
async fn client(
    target: &CommandDatabase,
    name: &'static str,
    arguments: impl FnOnce(&mut Command),
) -> anyhow::Result<()> {
    let version = maintenance::server_version(&target.options)
        .await
        .context("cannot use the database")?;
    let mut command = Command::new(client_program(name, version).await?);
    command
        .envs(client_environment(&target.options, target.url.as_deref()))
        .env_remove("DATABASE_URL")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        // An interrupted command leaves no program behind that still writes.
        .kill_on_drop(true);
    arguments(&mut command);
    let ended = command
        .spawn()
        .with_context(|| format!("{name} does not start"))?
        .wait_with_output()
        .await?;
    if ended.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&ended.stderr);
    anyhow::bail!("{name} failed ({}): {}", ended.status, words.trim())
}

/// Prints the checksum, and every match that does not replay to its stored state.
async fn verify(database: &CommandDatabase) -> anyhow::Result<()> {
    let db = maintenance::open_to_read(database.options.clone()).await?;
    let verified = verify::verify(&db, |id, why| println!("match {id}: {why}")).await;
    db.close().await;
    let verified = verified?;
    for (name, rows, checksum) in &verified.parts {
        println!("{name:<18} {rows:>12} {checksum}");
    }
    println!("checksum {}", verified.checksum);
    println!(
        "{} matches replayed, {} broken",
        verified.matches(),
        verified.broken
    );
    if verified.broken > 0 {
        anyhow::bail!(
            "{} matches do not give what is stored of them",
            verified.broken
        );
    }
    Ok(())
}
