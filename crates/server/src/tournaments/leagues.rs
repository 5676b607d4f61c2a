//! Leagues: an operator opens one, players join, and the driver begins its seasons.
//!
//! A season is a tournament for each division: a double round robin over days, in which pairs agree on times. Once all of a season are over,
//! and its time has come, the next one follows from their standings (`tochki_tournaments::league`). Who has withdrawn, or is out after two
//! missed games, is no member any more, and may join again as a newcomer.

use super::{NewFormat, NewTournament, RoundPace, Tournaments, db};
use crate::{Error, LogFailure as _, WithSubject as _};
use std::collections::HashSet;
use tochki_names::TableName;
use tochki_play::Terms;
use tochki_protocol::{
    Account, Code, EntryCondition, EntryConditions, League, LeagueDivision, LeagueId,
    LeagueOverview, MissedGame, PlayerId, TournamentStanding, TournamentState, limits,
};
use tochki_tournaments::arena;
use tochki_tournaments::league::next_divisions;

/// The season before, as the next one follows from it.
#[derive(Default)]
struct LastSeason {
    /// The players of each division who stay, the best in front.
    divisions: Vec<Vec<i64>>,
    /// Those who have withdrawn, are out, or were removed.
    gone: Vec<i64>,
    winner: Option<PlayerId>,
}

impl Tournaments {
    /// Opens a league, whose first season begins after so many days.
    ///
    /// # Errors
    /// `invalid_tournament` for the name or the days, or `invalid_clock` for games that are not played live.
    pub async fn open_league(
        &self,
        operator: &Account,
        name: &str,
        terms: Terms,
        lead_days: Option<u32>,
    ) -> Result<LeagueId, Error> {
        let name = TableName::read(name).ok_or(Code::InvalidTournament)?;
        let lead_days = lead_days.unwrap_or(limits::LEAGUE_DEFAULT_LEAD_DAYS);
        let is_sensible = limits::LEAGUE_NAME_CHARS.contains(&name.as_str().chars().count())
            && limits::LEAGUE_LEAD_DAYS.contains(&lead_days);
        if !is_sensible {
            return Err(Code::InvalidTournament.into());
        }
        if arena::estimated_duration(terms.clock, &terms.setup).is_none() {
            return Err(Code::InvalidClock.into());
        }
        let mut tx = crate::db::begin(&self.db).await?;
        let made = db::leagues::insert(&mut tx, operator.id, name.as_str(), &terms, lead_days);
        let id = made.await?;
        tx.commit().await?;
        tracing::info!(league = id.0, by = operator.id.0, "a league is opened");
        Ok(id)
    }

    /// Ends a league. The season that runs is played to its end.
    ///
    /// # Errors
    /// `not_found`, or `not_open` for a league that has ended.
    pub async fn end_league(&self, operator: &Account, id: LeagueId) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let stored = db::leagues::lock(&mut tx, id).await?;
            stored.ok_or(Code::NotFound)?;
            if !db::leagues::end(&mut tx, id).await? {
                return Err(Code::NotOpen.into());
            }
            tx.commit().await?;
            tracing::info!(league = id.0, by = operator.id.0, "a league is ended");
            Ok(())
        };
        done.await.with_subject(operator.id)
    }

    /// Makes a player a member of a league, who plays from the next season on.
    ///
    /// # Errors
    /// `not_found`, `not_open` for a league that has ended, `not_qualified` for guests and bots, or `tournament_full`.
    pub async fn join_league(&self, player: &Account, id: LeagueId) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let stored = db::leagues::lock(&mut tx, id).await?;
            let stored = stored.ok_or(Code::NotFound)?;
            if stored.league.ended {
                return Err(Code::NotOpen.into());
            }
            if player.guest {
                return Err(EntryCondition::Guests.into());
            }
            if player.bot {
                return Err(EntryCondition::Bots.into());
            }
            if i64::from(stored.league.members) >= limits::LEAGUE_MAX_MEMBERS {
                return Err(Code::TournamentFull.into());
            }
            db::leagues::join(&mut tx, id, player.id).await?;
            tx.commit().await?;
            Ok(())
        };
        done.await.with_subject(player.id)
    }

    /// Ends the membership of a player. A season that runs is left by withdrawing from its tournament.
    ///
    /// # Errors
    /// `not_found`, or `not_open` for who is no member.
    pub async fn leave_league(&self, player: &Account, id: LeagueId) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let stored = db::leagues::lock(&mut tx, id).await?;
            stored.ok_or(Code::NotFound)?;
            if db::leagues::leave(&mut tx, id, &[player.id.0]).await? == 0 {
                return Err(Code::NotOpen.into());
            }
            tx.commit().await?;
            Ok(())
        };
        done.await.with_subject(player.id)
    }

    /// The leagues, those that go on first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn all_leagues(&self) -> Result<Vec<League>, Error> {
        db::leagues::list(&self.db).await
    }

    /// A league with the divisions of its season, as a player or a visitor sees it.
    ///
    /// # Errors
    /// `not_found`.
    pub async fn league(
        &self,
        id: LeagueId,
        viewer: Option<&Account>,
        is_operator: bool,
    ) -> Result<LeagueOverview, Error> {
        let stored = db::leagues::read(&self.db, id).await?;
        let league = stored.ok_or(Code::NotFound)?.league;
        let mut divisions = Vec::new();
        let mut known = HashSet::new();
        for row in db::leagues::divisions(&self.db, id, league.season).await? {
            let rows = self.ranking(row.tournament).await?.rows.clone();
            known.extend(rows.iter().map(|row| row.player.id));
            divisions.push(LeagueDivision {
                division: row.division.cast_unsigned(),
                tournament: row.tournament,
                state: row.state,
                rows,
            });
        }
        let members = db::leagues::members(&self.db, id).await?;
        let is_new = |one: &Account| !known.contains(&one.id);
        Ok(LeagueOverview {
            divisions,
            newcomers: members.into_iter().filter(is_new).collect(),
            titles: db::leagues::titles(&self.db, Some(id), None).await?,
            member: match viewer {
                Some(viewer) => db::leagues::is_member(&self.db, id, viewer.id).await?,
                None => false,
            },
            may_manage: is_operator && !league.ended,
            league,
        })
    }

    /// Begins the seasons that are due. The driver does so, with each of its turns.
    pub(super) async fn drive_leagues(&self) -> Result<(), Error> {
        for id in db::leagues::due(&self.db).await? {
            // One that cannot be begun keeps no other from its season.
            let begun = self.begin_season(id).await;
            begun.log_failure("beginning a season of a league");
        }
        Ok(())
    }

    /// Begins the next season of a league, if it is still due.
    async fn begin_season(&self, id: LeagueId) -> Result<(), Error> {
        let stored = db::leagues::read(&self.db, id).await?;
        let season = stored.map_or(0, |stored| stored.league.season);
        // The standings are final, and are read before anything is locked.
        let last = self.last_season(id, season).await?;
        let mut tx = crate::db::begin(&self.db).await?;
        let Some(stored) = db::leagues::lock(&mut tx, id).await? else {
            return Ok(());
        };
        let league = &stored.league;
        // Another instance may have begun it.
        if league.season != season || league.ended || league.next_at > stored.now {
            return Ok(());
        }
        if let Some(winner) = last.winner {
            db::leagues::award(&mut tx, id, season, winner).await?;
        }
        db::leagues::leave(&mut tx, id, &last.gone).await?;
        let members = db::leagues::members(&mut *tx, id).await?;
        let divisions = next_of(
            &last,
            &members.iter().map(|one| one.id.0).collect::<Vec<_>>(),
        );
        if members.len() < limits::LEAGUE_MIN_MEMBERS {
            db::leagues::wait(&mut tx, id).await?;
            return Ok(tx.commit().await?);
        }
        let season = season + 1;
        for (division, players) in (1..).zip(&divisions) {
            let new = NewTournament {
                name: format!("{} {season}/{division}", league.name),
                description: String::new(),
                terms: Terms {
                    setup: league.setup,
                    clock: league.clock,
                    rated: league.rated,
                },
                format: NewFormat::RoundRobin {
                    double: true,
                    pace: RoundPace::Days(limits::LEAGUE_ROUND_DAYS),
                    missed: MissedGame::Half,
                },
                starts_at: stored.now,
                entry: EntryConditions::default(),
                password_hash: None,
            };
            let made = db::insert(&mut tx, stored.made_by, true, "", &new).await?;
            let place = (id, season, division);
            db::leagues::fill_division(&mut tx, made, place, players).await?;
        }
        db::leagues::begin_season(&mut tx, id, season).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Reads how a season of a league that is over went.
    async fn last_season(&self, id: LeagueId, season: u32) -> Result<LastSeason, Error> {
        let mut last = LastSeason {
            gone: db::leagues::removed(&self.db, id, season).await?,
            ..LastSeason::default()
        };
        for row in db::leagues::divisions(&self.db, id, season).await? {
            let rows = self.ranking(row.tournament).await?.rows.clone();
            if row.division == 1 && row.state == TournamentState::Finished {
                last.winner = rows
                    .first()
                    .filter(|row| !row.paused)
                    .map(|row| row.player.id);
            }
            let (gone, stay): (Vec<TournamentStanding>, Vec<_>) =
                rows.into_iter().partition(|row| row.paused);
            let ids = |rows: Vec<TournamentStanding>| rows.into_iter().map(|row| row.player.id.0);
            last.gone.extend(ids(gone));
            last.divisions.push(ids(stay).collect());
        }
        Ok(last)
    }
}

/// Returns the divisions of the next season, of those who are members in the order of joining.
fn next_of(last: &LastSeason, members: &[i64]) -> Vec<Vec<i64>> {
    let are_members: HashSet<i64> = members.iter().copied().collect();
    let stay: Vec<Vec<i64>> = (last.divisions.iter())
        .map(|division| {
            let players = division.iter().copied();
            players.filter(|one| are_members.contains(one)).collect()
        })
        .collect();
    let known: HashSet<i64> = stay.iter().flatten().copied().collect();
    let newcomers: Vec<i64> = (members.iter().copied())
        .filter(|one| !known.contains(one))
        .collect();
    next_divisions(&stay, &newcomers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_no_member_any_more_makes_room() {
        let last = LastSeason {
            divisions: vec![(0..8).collect(), (10..18).collect()],
            gone: vec![99],
            winner: Some(PlayerId(0)),
        };
        // 3 has left the league, and 20 has joined.
        let members: Vec<i64> = (0..8)
            .chain(10..18)
            .chain([20])
            .filter(|one| *one != 3)
            .collect();
        assert_eq!(
            next_of(&last, &members),
            [
                vec![0, 1, 2, 4, 5, 10, 11, 6],
                vec![7, 12, 13, 14, 15, 16, 17, 20]
            ]
        );
        let first = next_of(&LastSeason::default(), &[5, 4, 3]);
        assert_eq!(first, [vec![5, 4, 3]]);
    }
}
