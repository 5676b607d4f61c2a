//! `tochki export`: all finished games as one compressed file.

use crate::command_database::CommandDatabase;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use tochki_protocol::limits::ARCHIVE_PAGE_LEN;
use tochki_server::db::{Db, maintenance};
use tochki_server::partial_file::PartialFile;
use tochki_server::records::{ArchiveFilter, ArchiveReader};
use tochki_server::settings::Settings;

/// Writes the file.
#[tokio::main]
pub(crate) async fn run(settings: &Settings, path: &Path) -> anyhow::Result<()> {
    let database = CommandDatabase::open(settings).await?;
    let done = match maintenance::open_to_read(database.options.clone()).await {
        Ok(db) => {
            let done = export(&db, path).await;
            db.close().await;
            done
        }
        Err(error) => Err(error.into()),
    };
    database.close().await;
    done
}

/// Writes a line of JSON for each game, as `/api/games` has them, compressed with gzip. A page of games is in memory at a time.
async fn export(db: &Db, path: &Path) -> anyhow::Result<()> {
    // It has only what everybody can read.
    let partial = PartialFile::create(path, 0o644)?;
    let output = BufWriter::new(partial.file.try_clone()?);
    let mut lines = GzEncoder::new(output, Compression::default());
    let mut reader = ArchiveReader::open(db, ArchiveFilter::default(), None).await?;
    let mut count = 0;
    loop {
        let games = reader.next(ARCHIVE_PAGE_LEN).await?;
        if games.is_empty() {
            break;
        }
        for game in &games {
            writeln!(lines, "{}", game.line()?)?;
            count += 1;
        }
    }
    lines.finish()?.flush()?;
    let size = partial.complete()?;
    println!("{}: {count} games, {size} bytes", path.display());
    Ok(())
}
