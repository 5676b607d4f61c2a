//! The size of the database before and after its finished games are packed, and how fast they are.

use crate::Result;
use crate::seed::run;
use sqlx::{PgConnection, PgPool};
use std::time::Instant;
use tochki_server::db::maintenance;
use tochki_server::matches::packing;

pub(crate) async fn measure(db: &mut PgConnection, url: &str) -> Result<()> {
    let pool = PgPool::connect(url).await?;
    println!("{}", maintenance::game_sizes(&pool).await?);
    let begun = Instant::now();
    let report = |id, why: &str| println!("match {id} stays as it is: {why}");
    let packed = packing::pack_all(&pool, report).await?;
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{packed} games packed in {seconds:.1} s, {:.0} a second\n",
        packed as f64 / seconds
    );
    pool.close().await;
    // The rows that were deleted leave room in their files; it is given back so that the files can be compared.
    run(db, "vacuum full analyze match_events").await?;
    run(db, "vacuum full analyze packed_matches").await?;
    let pool = PgPool::connect(url).await?;
    println!("{}", maintenance::game_sizes(&pool).await?);
    pool.close().await;
    Ok(())
}
