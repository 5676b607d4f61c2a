//! Sends pushes: takes them from the queue of the server (`tochki_server::notifications::push`), in the words of the pages.

mod sender;

use futures::StreamExt as _;
use sender::Sender;
use std::sync::Arc;
use tochki_protocol::limits;
use tochki_server::{AppState, Error, LogFailure as _};
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
    app.tasks
        .spawn("pushes", move || run(task_app.clone(), sender.clone()));
    Ok(())
}

async fn run(app: AppState, sender: Arc<Sender>) {
    let mut poll = tokio::time::interval(app.settings.push_poll_interval);
    poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = app.shutdown.cancelled() => return,
            _ = poll.tick() => {}
        }
        loop {
            // What was claimed is sent to the end, also at a shutdown: that takes no longer than a request may.
            let sent = send_due(&app, &sender).await.log_failure("sending pushes");
            if sent.unwrap_or_default() < limits::PUSH_BATCH_LEN as usize
                || app.shutdown.is_cancelled()
            {
                break;
            }
        }
    }
}

/// Sends the pushes that are due. Returns their number.
async fn send_due(app: &AppState, sender: &Sender) -> Result<usize, Error> {
    let pushes = &app.notifications.pushes;
    let claimed = pushes.claim().await?;
    let count = claimed.len();
    futures::stream::iter(claimed)
        .for_each_concurrent(limits::PUSHES_AT_ONCE, async |push| {
            let outcome = sender.send(pushes, &push).await;
            let settled = pushes.settle(&push, outcome).await;
            settled.log_failure("noting what has become of a push");
        })
        .await;
    Ok(count)
}
