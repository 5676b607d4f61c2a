//! Announcing rounds: players with a stream of their own are told that a round begins soon.
//!
//! Every instance looks by itself for rounds that begin soon, so no message between them is needed, and tells each of them once. A
//! stream that is opened meanwhile is told at its beginning.

use super::round_calls::RoundCall;
use super::{Tournaments, db};
use crate::Error;
use std::sync::Arc;
use tokio::sync::broadcast;

impl Tournaments {
    /// Subscribes to calls to rounds, and returns those that are open.
    pub(crate) fn round_calls(&self) -> (Vec<Arc<RoundCall>>, broadcast::Receiver<Arc<RoundCall>>) {
        self.round_calls.subscribe()
    }

    /// Looks which rounds begin soon, and tells of those that are new.
    pub(super) async fn call_to_rounds(&self) -> Result<(), Error> {
        let soon = db::presence::soon(&self.db).await?;
        let is_soon = |call: &RoundCall| soon.iter().any(|one| call.is_to(one.id, one.number));
        let known = self.round_calls.keep(is_soon);
        for one in soon {
            if known.iter().any(|call| call.is_to(one.id, one.number)) {
                continue;
            }
            let players = db::presence::players(&self.db, one.id).await?;
            let call = RoundCall::new(one.id, one.number, one.at, players);
            self.round_calls.send(call);
        }
        Ok(())
    }
}
