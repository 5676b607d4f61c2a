//! Limit on concurrent games of the house bots.

use std::num::NonZeroU32;
use tokio::sync::watch;

/// The games of all bots.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    games: watch::Sender<u32>,
    limit: u32,
}

/// The slot of a game; dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct Slot(watch::Sender<u32>);

impl Load {
    pub(crate) fn new(limit: NonZeroU32) -> Self {
        Self {
            games: watch::Sender::new(0),
            limit: limit.get(),
        }
    }

    /// Takes a slot, unless there are as many games as there may be.
    pub(crate) fn try_take(&self) -> Option<Slot> {
        let taken = self.games.send_if_modified(|games| {
            let free = *games < self.limit;
            *games += u32::from(free);
            free
        });
        taken.then(|| Slot(self.games.clone()))
    }

    /// Takes a slot for a game that has begun already.
    pub(crate) fn take(&self) -> Slot {
        self.games.send_modify(|games| *games += 1);
        Slot(self.games.clone())
    }

    pub(crate) fn is_full(&self) -> bool {
        *self.games.borrow() >= self.limit
    }

    /// Subscribes to every change from now on.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u32> {
        self.games.subscribe()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.send_modify(|games| *games -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_up_to_the_limit() {
        let load = Load::new(NonZeroU32::new(2).unwrap());
        let (one, two) = (load.try_take().unwrap(), load.try_take().unwrap());
        assert!(load.is_full() && load.try_take().is_none());
        // A game that was begun before a restart counts beyond the limit.
        let third = load.take();
        drop((one, two));
        assert!(!load.is_full());
        let fourth = load.try_take().unwrap();
        assert!(load.is_full());
        drop((third, fourth));
        assert_eq!(*load.games.borrow(), 0);
    }
}
