//! Notifications: what players are told of that happened while they were away.
//!
//! 1. Whatever a player may be told of inserts a [`Cause`](db::Cause), in the transaction that makes it happen.
//! 2. A task takes causes away and makes notifications of them, in one transaction. Several of one match become one. So whatever
//!    happens to an instance in between, nothing is lost, and nothing is told twice. Those of one match are told in their order, also by
//!    several instances: else the end of a turn might be told before its beginning, which would stay.
//! 3. A player who has the page of a match open sees what happens there, and is told nothing of it. Who comes to the page later has
//!    read the notification of the match by that. Who has just left is told: presence lasts for a moment after that, which counts for
//!    nothing here, and the beginning of a turn and the end of a match are looked at again once a lost connection would have been noticed.
//!    A page says that it has shown the end, since who has seen it leaves soon. Who is called to an adjourned match is told in any case
//!    (`db::calls`).
//! 4. Browsers without an open page are told by Web Push (`push` is the queue).
//! 5. The numbers of unread notifications and of games on turn are sent to all streams of a player (`unread`).
//!
//! Names are read when a notification is shown, so none is told that the player has no longer. Notifications are kept for
//! [`limits::NOTIFICATION_LIFETIME`].

pub(crate) mod db;
pub mod push;
mod unread;

pub(crate) use unread::UnreadSubscription;

use crate::bus::notifier::Notifier;
use crate::bus::topic::Topic;
use crate::db::Db;
use crate::settings::Settings;
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _};
use db::{StoredCause, TakenCauses};
use push::Pushes;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tochki_protocol::{
    Account, MatchId, NotificationChannel, NotificationId, NotificationKind, NotificationPage,
    NotificationSwitches, PlayerId, limits,
};
use tokio_util::sync::CancellationToken;
use unread::UnreadCounts;

/// The notifications of players.
#[derive(Clone)]
pub struct Notifications {
    db: Db,
    notifier: Notifier,
    poll_interval: Duration,
    counts: UnreadCounts,
    /// Pushes to browsers without an open page.
    pub pushes: Pushes,
}

/// The rest once some causes are told.
enum Told {
    /// Nothing.
    All,
    /// More causes, perhaps.
    More,
    /// Causes that another instance keeps waiting, for a moment.
    SomeWait,
}

impl Notifications {
    pub(crate) async fn open(
        db: Db,
        settings: &Settings,
        notifier: Notifier,
        tasks: &Tasks,
    ) -> Result<Self, Error> {
        let notifications = Self {
            pushes: Pushes::open(db.clone(), settings).await?,
            counts: UnreadCounts::open(db.clone(), notifier.clone(), tasks),
            db,
            notifier,
            poll_interval: settings.poll_interval,
        };
        tasks.spawn("notifications", {
            let (notifications, shutdown) = (notifications.clone(), tasks.shutdown());
            move || notifications.clone().run(shutdown.clone())
        });
        Ok(notifications)
    }

    /// The numbers that the pages of a player show, from now on. `is_page` is whether they are sent even if there is none: a page may
    /// show older ones.
    pub(crate) fn subscribe(&self, player: PlayerId, is_page: bool) -> UnreadSubscription {
        self.counts.subscribe(player, is_page)
    }

    /// A page of the notifications of a player, from 1.
    pub async fn page(&self, player: &Account, page: u32) -> Result<NotificationPage, Error> {
        let page = page.max(1);
        let (notifications, more) = db::page(&self.db, player.id, page - 1).await?;
        Ok(NotificationPage {
            notifications,
            unread: self.unread(player).await?,
            page,
            more,
        })
    }

    /// The number of unread notifications of a player, at most [`limits::UNREAD_COUNTED`].
    pub async fn unread(&self, player: &Account) -> Result<u32, Error> {
        let counts = db::counts(&self.db, &[player.id.0]).await?;
        Ok(counts.first().map_or(0, |(_, counts)| counts.unread))
    }

    /// Marks a notification of a player as read, or all.
    pub async fn mark_read(
        &self,
        player: &Account,
        id: Option<NotificationId>,
    ) -> Result<(), Error> {
        let ids = id.map(|id| [id.0]);
        let ids = ids.as_ref().map(<[i64; 1]>::as_slice);
        if db::mark_read(&self.db, player.id, ids).await? {
            self.notifier.notify(Topic::Notified(player.id));
        }
        Ok(())
    }

    /// A player has come to a match, and has read by that what there is to tell of it.
    pub async fn mark_match_read(&self, player: PlayerId, id: MatchId) -> Result<(), Error> {
        if db::mark_match_read(&self.db, player, id).await? {
            self.notifier.notify(Topic::Notified(player));
        }
        Ok(())
    }

    /// The switches of a player.
    pub async fn switches(&self, player: &Account) -> Result<Vec<NotificationSwitches>, Error> {
        db::switches(&self.db, player.id).await
    }

    /// Sets a switch of a player.
    pub async fn set_switch(
        &self,
        player: &Account,
        kind: NotificationKind,
        channel: NotificationChannel,
        is_on: bool,
    ) -> Result<(), Error> {
        db::set_switch(&self.db, player.id, kind, channel, is_on).await
    }

    /// Makes notifications of causes, whenever this instance has committed some, and of those that other instances have left.
    async fn run(self, shutdown: CancellationToken) {
        let mut poll = tokio::time::interval(self.poll_interval);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = self.notifier.causes_notified() => {}
                _ = poll.tick() => {
                    let called = db::calls::insert_due(&self.db).await;
                    called.log_failure("calling players to adjourned matches");
                }
            }
            loop {
                let told = self.tell_next().await;
                // What failed stays, and is taken in the next round.
                let told = told.log_failure("telling players what has happened");
                match told {
                    Some(Told::SomeWait) if !shutdown.is_cancelled() => {
                        tokio::time::sleep(limits::NOTIFICATION_ORDER_PAUSE).await;
                    }
                    Some(Told::More) => {}
                    _ => break,
                }
            }
        }
    }

    /// Makes notifications of the next causes.
    async fn tell_next(&self) -> Result<Told, Error> {
        let mut tx = crate::db::begin(&self.db).await?;
        let TakenCauses {
            causes,
            held,
            more,
            some_wait,
        } = db::take_causes(&mut tx).await?;
        let told_after = if some_wait {
            Told::SomeWait
        } else if more {
            Told::More
        } else {
            Told::All
        };
        // Whatever happens in a match may be the beginning of a turn, or its end, also for who is told nothing of it.
        let of_matches = causes.iter().filter(|cause| cause.match_id.is_some());
        let of_matches = of_matches.map(|cause| PlayerId(cause.player_id));
        let mut concerned: HashSet<_> = of_matches.chain(held).collect();
        // Of the causes of one subject only the last is told.
        let mut last: HashMap<(i64, &str), &StoredCause> = HashMap::new();
        let mut alone = Vec::new();
        for cause in &causes {
            match &cause.subject {
                Some(subject) => {
                    last.insert((cause.player_id, subject), cause);
                }
                None => alone.push(cause),
            }
        }
        let (told, done): (Vec<_>, Vec<_>) = last
            .into_values()
            .chain(alone)
            .partition(|cause| cause.kind.is_some());
        if !done.is_empty() {
            concerned.extend(db::delete_done(&mut tx, &done).await?);
        }
        if !told.is_empty() {
            concerned.extend(db::insert(&mut tx, &told).await?);
            if self.pushes.is_on() {
                db::pushes::queue(&mut tx, &told, self.pushes.delay).await?;
            }
        }
        tx.commit().await?;
        for player in concerned {
            self.notifier.notify(Topic::Notified(player));
        }
        Ok(told_after)
    }
}
