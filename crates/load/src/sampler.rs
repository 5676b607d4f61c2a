//! Samples of a server's metrics while it is measured, once a second.

use crate::Result;
use crate::client::Client;
use crate::metrics::Metrics;
use crate::tochki::TochkiServer;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::time::MissedTickBehavior;

const SAMPLE_INTERVAL: Duration = Duration::from_secs(1);

/// A measurement with its samples.
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) samples: Vec<Sample>,
}

/// The change of the metrics since the sample before.
pub(crate) struct Sample {
    /// The seconds since the beginning of the run.
    pub(crate) at: f64,
    /// The moves in a second.
    pub(crate) moves: f64,
    /// The mean and the 99th percentile of the time of appending, in seconds; `None` if nothing was appended.
    pub(crate) append: Option<[f64; 2]>,
    /// The open event streams.
    pub(crate) streams: f64,
    /// The connections to the database that are used.
    pub(crate) connections: f64,
}

/// Awaits a measurement, and samples the metrics of this server meanwhile if it has any.
pub(crate) async fn during<T>(
    tochki: &TochkiServer,
    name: String,
    runs: &mut Vec<Run>,
    measured: impl Future<Output = T>,
) -> T {
    let Some(address) = tochki.metrics else {
        return measured.await;
    };
    // Held for a moment, so that what was told is there however the task ends.
    let samples = Arc::new(Mutex::new(Vec::new()));
    // A task of its own: nothing that is measured waits for a sample.
    let sampling = tokio::spawn({
        let samples = samples.clone();
        async move {
            if let Err(error) = sample(address, &samples).await {
                eprintln!("the metrics cannot be read: {error}");
            }
        }
    });
    let result = measured.await;
    sampling.abort();
    let samples = std::mem::take(&mut *samples.lock().expect("no panic while it is locked"));
    runs.push(Run { name, samples });
    result
}

async fn sample(address: SocketAddr, samples: &Mutex<Vec<Sample>>) -> Result<()> {
    let mut client = Client::connect(address).await?;
    let begun = Instant::now();
    let mut interval = tokio::time::interval(SAMPLE_INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last: Option<(Instant, Metrics)> = None;
    loop {
        interval.tick().await;
        let text = client.get("/metrics").await?.ok()?.body;
        let (now, metrics) = (Instant::now(), Metrics::read(std::str::from_utf8(&text)?)?);
        if let Some((then, before)) = &last {
            let sample = Sample::between(before, &metrics, begun, *then, now);
            let mut samples = samples.lock().expect("no panic while it is locked");
            samples.push(sample);
        }
        last = Some((now, metrics));
    }
}

impl Sample {
    fn between(
        before: &Metrics,
        metrics: &Metrics,
        begun: Instant,
        then: Instant,
        now: Instant,
    ) -> Self {
        const APPEND: &str = "append_duration_seconds";
        let moves = |metrics: &Metrics| metrics.sum("moves_total", &[("outcome", "committed")]);
        let mean = metrics.mean_since(before, APPEND);
        let p99 = metrics.quantile_since(before, APPEND, 0.99);
        Self {
            at: (now - begun).as_secs_f64(),
            moves: (moves(metrics) - moves(before)) / (now - then).as_secs_f64(),
            append: mean.zip(p99).map(|(mean, p99)| [mean, p99]),
            streams: metrics.sum("streams", &[]),
            connections: metrics.sum("database_connections", &[("state", "used")]),
        }
    }
}
