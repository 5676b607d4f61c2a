//! Limit on concurrent games over all accounts.

use std::sync::Arc;
use tokio::sync::watch;

/// A bounded counter. Cloning it is cheap.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    most: usize,
    taken: Arc<watch::Sender<usize>>,
}

/// The slot of one game; dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct Slot(Arc<watch::Sender<usize>>);

impl Slots {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            taken: Arc::new(watch::Sender::new(0)),
        }
    }

    pub(crate) fn are_free(&self) -> bool {
        *self.taken.borrow() < self.most
    }

    /// Takes a slot, unless there are as many games as may be.
    pub(crate) fn try_take(&self) -> Option<Slot> {
        let taken = self.taken.send_if_modified(|taken| {
            let free = *taken < self.most;
            *taken += usize::from(free);
            free
        });
        taken.then(|| Slot(self.taken.clone()))
    }

    /// Takes a slot for a game that runs already.
    pub(crate) fn take(&self) -> Slot {
        self.taken.send_modify(|taken| *taken += 1);
        Slot(self.taken.clone())
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<usize> {
        self.taken.subscribe()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.send_modify(|taken| *taken -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_games_are_accepted_than_may_run() {
        let slots = Slots::new(2);
        let one = slots.try_take().unwrap();
        let resumed = slots.take();
        assert!(slots.try_take().is_none() && !slots.are_free());
        let beyond = slots.take();
        drop(one);
        assert!(slots.try_take().is_none(), "two still run");
        drop(beyond);
        assert!(slots.are_free() && slots.try_take().is_some());
        drop(resumed);
    }
}
