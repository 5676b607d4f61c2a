//! Sends pushes: takes them from the queue of the server (`tochki_server::notifications::push`), in the words of the pages.

mod encryption;
mod sender;

use sender::Sender;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use tochki_protocol::limits;
use tochki_server::notifications::push::{Outcome, Push};
use tochki_server::{AppState, Error, LogFailure as _};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

/// Starts sending, unless the operator has set no contact.
///
/// # Errors
/// When no client can be made.
pub fn start(app: &AppState) -> anyhow::Result<()> {
    if !app.notifications.pushes.is_on() {
        return Ok(());
    }
    let sender = Arc::new(Sender::new(app.settings.push_timeout)?);
    let task_app = app.clone();
    app.tasks.spawn("pushes", move || {
        Sending::new(task_app.clone(), sender.clone()).run()
    });
    Ok(())
}

/// The pushes that this instance is sending, each by a task of its own: none waits for another one.
struct Sending {
    app: AppState,
    sender: Arc<Sender>,
    /// Each ends with its push if that is done with.
    tasks: JoinSet<Option<Push>>,
    /// The pushes that are done with, to be deleted by one statement: a commit for each would be most of a burst's work.
    done: Vec<Push>,
    hosts: Hosts,
    /// The places of those whose failure is being noted.
    settling: Arc<Semaphore>,
}

/// How many pushes are being sent to each host. Held for a lookup, never across an await.
#[derive(Clone, Default)]
struct Hosts(Arc<Mutex<HashMap<String, usize>>>);

/// The place of a push among those to its host; dropping it, also by a panic, makes room for another one.
struct HostPlace {
    hosts: Hosts,
    host: String,
}

impl Sending {
    fn new(app: AppState, sender: Arc<Sender>) -> Self {
        Self {
            app,
            sender,
            tasks: JoinSet::new(),
            done: Vec::new(),
            hosts: Hosts::default(),
            settling: Arc::new(Semaphore::new(limits::PUSHES_SETTLED_AT_ONCE)),
        }
    }

    async fn run(mut self) {
        let mut poll = tokio::time::interval(self.app.settings.push_poll_interval);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // Whether the last claim has found any, so that there may be more; and how many were sent since.
        let (mut found, mut sent) = (false, 0);
        loop {
            let is_due = tokio::select! {
                () = self.app.shutdown.cancelled() => break,
                _ = poll.tick() => true,
                Some(ended) = self.tasks.join_next() => {
                    self.done.extend(ended.ok().flatten());
                    sent += 1;
                    if self.done.len() >= limits::PUSHES_BETWEEN_CLAIMS || self.tasks.is_empty() {
                        self.delete_done().await;
                    }
                    found && (sent >= limits::PUSHES_BETWEEN_CLAIMS || self.tasks.is_empty())
                }
            };
            if is_due {
                self.delete_done().await;
                sent = 0;
                let claimed = self.send_due().await.log_failure("claiming pushes");
                found = claimed.unwrap_or_default() > 0;
            }
        }
        // What was claimed is sent to the end: that takes no longer than a request may.
        while let Some(ended) = self.tasks.join_next().await {
            self.done.extend(ended.ok().flatten());
        }
        self.delete_done().await;
    }

    async fn delete_done(&mut self) {
        let done = std::mem::take(&mut self.done);
        let deleted = self.app.notifications.pushes.delete(&done).await;
        deleted.log_failure("deleting pushes that are done with");
    }

    /// Begins to send pushes that are due, as many as there are places. Returns their number.
    async fn send_due(&mut self) -> Result<usize, Error> {
        let places = limits::PUSHES_AT_ONCE.saturating_sub(self.tasks.len());
        if places == 0 {
            return Ok(0);
        }
        let sending = self.hosts.counts();
        let claimed = self
            .app
            .notifications
            .pushes
            .claim(places, &sending)
            .await?;
        let count = claimed.len();
        for push in claimed {
            let (app, sender) = (self.app.clone(), self.sender.clone());
            let settling = self.settling.clone();
            let place = self.hosts.take_place(push.host());
            self.tasks.spawn(async move {
                let done = send(&app, &sender, &settling, push).await;
                drop(place);
                done
            });
        }
        Ok(count)
    }
}

/// Sends a push. Returns it if it is done with.
async fn send(app: &AppState, sender: &Sender, settling: &Semaphore, push: Push) -> Option<Push> {
    let pushes = &app.notifications.pushes;
    let outcome = sender.send(pushes, &push).await;
    if outcome == Outcome::Taken || outcome == Outcome::Refused {
        return Some(push);
    }
    // It is never closed.
    let _turn = settling.acquire().await.ok();
    let settled = pushes.settle(&push, outcome).await;
    settled.log_failure("noting what has become of a push");
    None
}

impl Hosts {
    fn counts(&self) -> HashMap<String, usize> {
        self.lock().clone()
    }

    fn take_place(&self, host: &str) -> HostPlace {
        *self.lock().entry(host.to_owned()).or_default() += 1;
        HostPlace {
            hosts: self.clone(),
            host: host.to_owned(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().expect("no panic while the lock is held")
    }
}

impl Drop for HostPlace {
    fn drop(&mut self) {
        let mut counts = self.hosts.lock();
        if let Some(count) = counts.get_mut(&self.host) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.host);
            }
        }
    }
}
