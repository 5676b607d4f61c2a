//! Tournaments: made by players, entered, driven by one instance, and ranked.
//!
//! Pairings, scores and times are decided by the pure crate `tochki_tournaments`; here are the rows, and who may do what.
//!
//! 1. `creation` makes a tournament, `entry` lets players in and out, `presence` asks before a round or an arena who is here.
//! 2. `driver` runs on every instance. One at a time drives a tournament, by a lease in its row, and checks in each transaction
//!    that it still has it; another takes over when the lease expires. It begins and ends the tournament, and pairs: in waves an
//!    arena (`arena`), in rounds a Swiss or a round robin (`rounds`), in duels a knockout (`knockout`, `duels`). In a round robin over days the pairs agree
//!    on times (`appointments`).
//! 3. A pairing and its match are made in one transaction, which locks the tournament, then the players in the order of their ids:
//!    nobody is in two, whatever is killed when. All pairings of a round are made in one transaction, so none is begun by half.
//! 4. The transaction that ends a match folds its result into the scores of both players (`db::results`). It locks the row of the
//!    tournament before those of the entrants, as everything here does.
//! 5. `standings` ranks the entrants, once for each version of a tournament; those of rounds by all results (`round_results`,
//!    `knockout_results`).
//! 6. `feed` tells those who watch a tournament what has changed, once a second; `round_announcements` calls players to the next
//!    round.
//! 7. `files`, `record_file` and `arena_file` write the results as files that other programs read, `calendar` the times of all tournaments.
//! 8. `series` makes the next tournament of a series, in the transaction that begins the last.
//! 9. `leagues` begins the seasons of leagues, each with a tournament for a division.
//! 10. `reminders` tells players that a tournament begins soon, as a cause of notifications.

mod appointments;
mod arena;
mod arena_file;
mod calendar;
mod calendar_cache;
mod creation;
pub mod db;
mod driver;
mod duels;
mod entry;
mod feed;
mod feeds;
mod files;
mod knockout;
mod knockout_results;
mod leagues;
mod new_tournament;
mod presence;
mod ranking;
mod record_file;
mod reminders;
mod round_announcements;
mod round_calls;
mod round_results;
mod rounds;
mod series;
mod standings;

pub(crate) use feeds::{Feed, Frames};
pub use new_tournament::{NewFormat, NewTournament, RoundPace};
pub(crate) use round_calls::RoundCall;

use crate::bus::notifier::Notifier;
use crate::db::Db;
use crate::pairing::capacity::Capacity;
use crate::secrets::random_u64;
use crate::supervision::Tasks;
use crate::{Error, WithSubject as _};
use calendar_cache::Calendars;
use feeds::Feeds;
use ranking::RankingCache;
use round_calls::RoundCalls;
use std::sync::Arc;
use tochki_protocol::{Code, PlayerId, Tournament, TournamentId, TournamentPairings, limits};
use tochki_rules::GameKind;

/// The tournaments.
#[derive(Clone)]
pub struct Tournaments {
    db: Db,
    notifier: Notifier,
    capacity: Capacity,
    /// The name of this process as a holder of leases.
    holder: Arc<str>,
    rankings: Arc<RankingCache>,
    calendars: Arc<Calendars>,
    feeds: Arc<Feeds>,
    round_calls: Arc<RoundCalls>,
}

impl Tournaments {
    pub(super) fn open(db: Db, capacity: Capacity, notifier: Notifier, tasks: &Tasks) -> Self {
        let tournaments = Self {
            db,
            notifier,
            capacity,
            holder: format!("{:016x}", random_u64()).into(),
            rankings: Arc::default(),
            calendars: Arc::default(),
            feeds: Arc::default(),
            round_calls: Arc::default(),
        };
        tasks.spawn("tournaments", {
            let (tournaments, shutdown) = (tournaments.clone(), tasks.shutdown());
            move || tournaments.clone().drive_loop(shutdown.clone())
        });
        tasks.spawn("tournament feeds", {
            let (tournaments, shutdown) = (tournaments.clone(), tasks.shutdown());
            move || tournaments.clone().feed_loop(shutdown.clone())
        });
        tournaments
    }

    /// A tournament.
    ///
    /// # Errors
    /// `no_such_tournament`.
    pub async fn get(&self, id: TournamentId) -> Result<Tournament, Error> {
        let found = db::read(&self.db, id).await.with_subject(id)?;
        Ok(found.ok_or(Code::NoSuchTournament)?.tournament)
    }

    /// The hash of the password that this player has to know to enter: who is an entrant already is not asked again.
    pub(crate) async fn password_hash(
        &self,
        id: TournamentId,
        player: PlayerId,
    ) -> Result<Option<String>, Error> {
        let hash = db::password_hash(&self.db, id, player).await?;
        Ok(hash.ok_or(Code::NoSuchTournament)?)
    }

    /// The tournaments that are open or running, the next to begin first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn upcoming(
        &self,
        game: Option<GameKind>,
        page: u32,
    ) -> Result<Vec<Tournament>, Error> {
        let skip = i64::from(page) * limits::TOURNAMENTS_PAGE_LEN;
        db::upcoming(&self.db, game, skip).await
    }

    /// The finished tournaments, the latest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn finished(
        &self,
        game: Option<GameKind>,
        page: u32,
    ) -> Result<Vec<Tournament>, Error> {
        let skip = i64::from(page) * limits::TOURNAMENTS_PAGE_LEN;
        db::finished(&self.db, game, skip).await
    }

    /// The tournament to which visitors are pointed: one that can be entered and runs, or begins soon.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next(&self, game: Option<GameKind>) -> Result<Option<Tournament>, Error> {
        db::next(&self.db, game).await
    }

    /// A page of the pairings, the latest first, counted from 0; with `round`, of those of a round in their order, with who has no
    /// opponent in it.
    ///
    /// # Errors
    /// `no_such_tournament`.
    pub async fn pairings(
        &self,
        id: TournamentId,
        round: Option<u32>,
        page: u32,
    ) -> Result<TournamentPairings, Error> {
        let done = async {
            let round = round.map(|round| i32::try_from(round).unwrap_or(i32::MAX));
            let total = match db::pairings::count(&self.db, id, round).await? {
                0 => {
                    let version = db::version(&self.db, id).await?;
                    version.ok_or(Code::NoSuchTournament)?;
                    0
                }
                total => total,
            };
            let skip = i64::from(page) * i64::from(limits::TOURNAMENT_PAGE_LEN);
            let (pairings, byes, to_come) = match round {
                None => {
                    let page = db::pairings::page(&self.db, id, skip).await?;
                    (page, Vec::new(), Vec::new())
                }
                Some(round) => (
                    db::pairings::page_of_round(&self.db, id, round, skip).await?,
                    db::pairings::byes_of_round(&self.db, id, round, skip).await?,
                    db::pairings::to_come(&self.db, id, round).await?,
                ),
            };
            Ok(TournamentPairings {
                pairings,
                total: u32::try_from(total).unwrap_or(u32::MAX),
                byes,
                to_come,
            })
        };
        done.await.with_subject(id)
    }
}
