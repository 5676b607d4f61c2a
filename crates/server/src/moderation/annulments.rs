//! Notices of annulled matches, sent at once to every open stream of both players, at every instance.
//!
//! The code that annuls a match notifies the task of each instance, which reads the notices and passes them to its streams. A
//! player without a stream, or whose stream has missed it, gets the notice with the next page.

use crate::bus::notifier::Notifier;
use crate::db::Db;
use crate::frame::rating_corrected_frame;
use crate::moderation::db;
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _};
use bytes::Bytes;
use std::collections::HashSet;
use tochki_protocol::{MatchId, PlayerId, limits};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

/// The notices on their way to the streams of this instance.
#[derive(Clone)]
pub struct Annulments {
    db: Db,
    notifier: Notifier,
    notices: broadcast::Sender<(PlayerId, Bytes)>,
}

/// The notices for one player.
pub(crate) struct AnnulmentSubscription {
    player: PlayerId,
    notices: broadcast::Receiver<(PlayerId, Bytes)>,
}

impl Annulments {
    pub(crate) fn open(db: Db, notifier: Notifier, tasks: &Tasks) -> Self {
        let annulments = Self {
            db,
            notifier,
            notices: broadcast::channel(limits::ANNULMENT_CHANNEL_CAPACITY).0,
        };
        tasks.spawn("annulments", {
            let (annulments, shutdown) = (annulments.clone(), tasks.shutdown());
            move || annulments.clone().publish_loop(shutdown.clone())
        });
        annulments
    }

    /// The notices for this player from now on.
    pub(crate) fn subscribe(&self, player: PlayerId) -> AnnulmentSubscription {
        AnnulmentSubscription {
            player,
            notices: self.notices.subscribe(),
        }
    }

    async fn publish_loop(self, shutdown: CancellationToken) {
        loop {
            let annulled = tokio::select! {
                () = shutdown.cancelled() => return,
                annulled = self.notifier.annulled_notified() => annulled,
            };
            self.publish(annulled)
                .await
                .log_failure("reading what players are told of annulments");
        }
    }

    /// Publishes the notices of these matches; `None` is all of the last minute, as some may have been missed.
    async fn publish(&self, annulled: Option<HashSet<MatchId>>) -> Result<(), Error> {
        if self.notices.receiver_count() == 0 {
            return Ok(());
        }
        let ids = match annulled {
            Some(ids) => ids.into_iter().collect(),
            None => db::annulments::recently_annulled(&self.db).await?,
        };
        for (player, notice) in db::annulments::notices_of(&self.db, &ids).await? {
            // `send` fails where no stream of this instance is subscribed.
            let _ = self
                .notices
                .send((player, rating_corrected_frame(&notice)?));
        }
        Ok(())
    }
}

impl AnnulmentSubscription {
    /// The next notice; waits for ever once there will be no more. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Bytes {
        loop {
            match self.notices.recv().await {
                Ok((player, frame)) if player == self.player => return frame,
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return std::future::pending().await,
            }
        }
    }
}
