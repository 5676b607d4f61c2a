//! Series: operators let tournaments repeat, and the next one is made when the last begins.

use super::{Tournaments, db};
use crate::db::Tx;
use crate::{Error, LogFailure as _, WithSubject as _};
use tochki_protocol::limits::{self, in_millis};
use tochki_protocol::{Account, Code, TournamentId, TournamentState};
use tochki_tournaments::recurrence::{LocalTime, Recurrence};

impl Tournaments {
    /// Lets an open tournament repeat by a recurrence rule of RFC 5545, on the clocks of a time zone. A rule that it had ends.
    ///
    /// # Errors
    /// `no_such_tournament`, `not_open`, or `invalid_tournament` for a rule that is none, or is none for tournaments.
    pub async fn repeat(
        &self,
        operator: &Account,
        id: TournamentId,
        rule: &str,
        zone: &str,
    ) -> Result<(), Error> {
        let done = async {
            if zone.len() > limits::ZONE_MAX_BYTES {
                return Err(Code::InvalidTournament.into());
            }
            let zone = zone.trim();
            let recurrence = Recurrence::read(rule, zone).map_err(|_| Code::InvalidTournament)?;
            let starts_at = self.get(id).await?.starts_at;
            // A rule without dates is searched for long: off the threads that answer requests.
            let checking = recurrence.clone();
            let checked = tokio::task::spawn_blocking(move || {
                let local = checking.local(starts_at)?;
                checking.check(local).ok()?;
                let next = checking.next(local, starts_at)?;
                let is_soon = next.at - starts_at <= in_millis(limits::TOURNAMENT_MAX_LEAD);
                is_soon.then_some(local)
            });
            // What the crate of the rules cannot bear is no rule either.
            let local: Option<LocalTime> = checked.await.ok().flatten();
            let local = local.ok_or(Code::InvalidTournament)?;
            let mut tx = crate::db::begin(&self.db).await?;
            let stored = self.lock(&mut tx, id).await?;
            // Its start may have moved meanwhile.
            if stored.tournament.state != TournamentState::Open
                || stored.tournament.starts_at != starts_at
            {
                return Err(Code::NotOpen.into());
            }
            db::series::insert(&mut tx, id, operator.id, &recurrence, zone, local).await?;
            tx.commit().await?;
            tracing::info!(
                tournament = id.0,
                by = operator.id.0,
                rule = recurrence.rule(),
                zone,
                "a tournament repeats"
            );
            Ok(())
        };
        done.await.with_subject(id)
    }

    /// Ends the series of a tournament. One that is made already takes place.
    ///
    /// # Errors
    /// `no_such_tournament`, or `not_open` where there is no series that goes on.
    pub async fn end_series(&self, operator: &Account, id: TournamentId) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            self.lock(&mut tx, id).await?;
            if !db::series::end(&mut tx, id, Some(operator.id)).await? {
                return Err(Code::NotOpen.into());
            }
            db::advance(&mut tx, id).await?;
            tx.commit().await?;
            tracing::info!(
                tournament = id.0,
                by = operator.id.0,
                "a series of tournaments ended"
            );
            Ok(())
        };
        done.await.with_subject(id)
    }

    /// Makes the next tournaments of series whose last one was cancelled.
    pub(super) async fn continue_series(&self) -> Result<(), Error> {
        for id in db::series::stalled(&self.db).await? {
            let made = async {
                let mut tx = crate::db::begin(&self.db).await?;
                self.lock(&mut tx, id).await?;
                make_next(&mut tx, id).await?;
                tx.commit().await?;
                Ok::<_, Error>(())
            };
            // One that cannot go on keeps no other from it.
            let made = made.await.with_subject(id);
            made.log_failure("making the next tournament of a series");
        }
        Ok(())
    }
}

/// Makes the tournament that follows a locked one in its series, in the transaction that begins that one. Of two instances that do so
/// the second finds it made.
pub(super) async fn make_next(tx: &mut Tx, id: TournamentId) -> Result<(), Error> {
    let Some(series) = db::series::of(tx, id).await? else {
        return Ok(());
    };
    let after = series.now + in_millis(limits::TOURNAMENT_MIN_LEAD);
    let rule = Recurrence::read(&series.rule, &series.zone).ok();
    match rule.and_then(|rule| rule.next(series.local, after)) {
        Some(next) => {
            db::series::insert_next(tx, id, next).await?;
        }
        // The zone may have gone from the world. The tournament itself begins in any case.
        None => {
            let (rule, zone) = (&series.rule, &series.zone);
            tracing::warn!(series = series.id, %rule, %zone, "a series has no further date");
            db::series::end(tx, id, None).await?;
        }
    }
    Ok(())
}
