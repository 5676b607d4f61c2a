//! Deliveries: the time at which each event was sent, and the time it took to each reader.

use crate::Result;
use crate::event_stream::EventStream;
use crate::measure::Durations;
use crate::numbers::Numbers;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The number of events that can be told apart.
pub(crate) const EVENTS_MAX: usize = 2048;

/// The timeout of the last events.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The time at which each event was sent, by its number, and the number of deliveries.
pub(crate) struct Sent {
    begun: Instant,
    /// The times in microseconds since the beginning; 0 is not sent.
    at: Vec<AtomicU64>,
    received: AtomicUsize,
}

impl Sent {
    pub(crate) fn new(events: usize) -> Arc<Self> {
        Arc::new(Self {
            begun: Instant::now(),
            at: (0..events).map(|_| AtomicU64::new(0)).collect(),
            received: AtomicUsize::new(0),
        })
    }

    fn now(&self) -> u64 {
        self.begun.elapsed().as_micros() as u64
    }

    /// Notes that the event of this number is about to be sent.
    pub(crate) fn note(&self, number: usize) {
        self.at[number].store(self.now(), Ordering::SeqCst);
    }

    /// Counts the receipt of this event by a reader. Returns the time that it took; `None` if no event of this number was sent.
    pub(crate) fn receive(&self, number: usize) -> Option<Duration> {
        let sent = self.at.get(number)?.load(Ordering::SeqCst);
        if sent == 0 {
            return None;
        }
        self.received.fetch_add(1, Ordering::SeqCst);
        Some(Duration::from_micros(self.now().saturating_sub(sent)))
    }

    /// Returns the number of deliveries, to all readers together.
    pub(crate) fn received(&self) -> usize {
        self.received.load(Ordering::SeqCst)
    }

    /// Waits until there were so many deliveries.
    ///
    /// # Errors
    /// If they are not made within a minute.
    pub(crate) async fn wait_for(&self, count: usize) -> Result<()> {
        let until = Instant::now() + TIMEOUT;
        while self.received() < count {
            if Instant::now() > until {
                return Err(format!("{} of {count} events have come", self.received()).into());
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Ok(())
    }
}

/// Reads events up to the number `last`. Keeps the times of those that come before `burst`.
pub(crate) async fn read_until(
    mut stream: EventStream,
    mut numbers: Numbers,
    sent: Arc<Sent>,
    last: usize,
    burst: usize,
) -> Result<Durations> {
    let mut took = Durations::default();
    loop {
        while let Some(number) = numbers.next() {
            // An id of another server counts otherwise.
            let Some(duration) = sent.receive(number) else {
                continue;
            };
            if number < burst {
                took.add(duration);
            }
            if number == last {
                return Ok(took);
            }
        }
        stream.read(numbers.buffer()).await?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_sent_is_received() {
        let sent = Sent::new(4);
        // The clock of an event begins at 1 µs.
        std::thread::sleep(Duration::from_millis(1));
        sent.note(2);
        std::thread::sleep(Duration::from_millis(5));
        assert!(sent.receive(2).expect("sent") >= Duration::from_millis(5));
        assert_eq!(sent.receive(1), None);
        assert_eq!(sent.receive(4), None, "out of bounds");
        assert_eq!(sent.received(), 1);
    }
}
