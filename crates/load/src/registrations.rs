//! Registrations, which hash passwords: what memory they leave behind.

use crate::Result;
use crate::client::Client;
use crate::house::House;
use crate::measure::{megabytes, memory};
use std::time::Instant;

/// How many register at a time.
const AT_ONCE: usize = 8;

pub(crate) async fn measure(house: &House, count: usize) -> Result<Vec<String>> {
    let process = [house.process()];
    let before = memory(&process);
    let begun = Instant::now();
    let address = house.address;
    let tasks: Vec<_> = (0..AT_ONCE)
        .map(|task| {
            tokio::spawn(async move {
                for n in 0..count / AT_ONCE {
                    let name = format!("Load-{task}-{n}");
                    let form = [("name", &*name), ("password", "correct horse battery")];
                    let mut client = Client::connect(address).await?;
                    client.post("/api/register", &form).await?.ok()?;
                }
                Ok::<_, Box<dyn std::error::Error + Send + Sync>>(())
            })
        })
        .collect();
    let mut most = before;
    for task in tasks {
        task.await??;
        most = most.max(memory(&process));
    }
    Ok(vec![
        count.to_string(),
        megabytes(before),
        megabytes(most),
        megabytes(memory(&process)),
        format!("{:.1} s", begun.elapsed().as_secs_f64()),
    ])
}
