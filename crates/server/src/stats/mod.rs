//! Profiles, standings and histories.
//!
//! 1. The transaction that ends a match also writes its results (`db::results`): a row for each player, and in `tallies` the
//!    counts and streaks of each player and game. So nothing is counted over all matches, and every list is up to date.
//! 2. There is no cache. The skipped rows of a page are skipped in an index alone.
//! 3. `ratings.ranked` and `ratings.listed` say who is in the standings: who has earned it (`db::ranking`), and whose account is
//!    open. Triggers maintain the second one, so the index of the standings holds only such players. Of equal ratings the older account comes first.
//! 4. `/history/sgf` and `/history/jsonl` are streamed while they are read.
//! 5. `cargo make seed` and `cargo make explain` measure the queries on a large database, and fail if one of them reads a
//!    whole large table.

pub mod db;

use crate::db::Db;
use crate::matches::db::replayed_matches::ReplayedMatch;
use crate::matches::game_records::log_broken;
use crate::{Error, matches, tournaments, vacations};
use tochki_names::NameKey;
use tochki_play::{Pace, Rating};
use tochki_protocol::limits::{
    HISTORY_PAGE_LEN, PROFILE_PAGE_LEN, RATING_GRAPH_MAX_POINTS, STANDINGS_PAGE_LEN, TOP_LEN,
};
use tochki_protocol::{
    Account, Code, GameStats, HistoryFilter, HistoryPage, MatchId, Page, PlayerId, Profile,
    Standings, StandingsEntry,
};
use tochki_rules::GameKind;

/// Reads the statistics of players.
#[derive(Clone)]
pub struct Stats {
    db: Db,
}

impl Stats {
    pub(crate) const fn open(db: Db) -> Self {
        Self { db }
    }

    /// The player of this name, as `viewer` may see them. The graph is that of `game`, or of the one played most.
    pub async fn profile(
        &self,
        name: &str,
        game: Option<GameKind>,
        pace: Pace,
        page: Page,
        viewer: Option<&Account>,
    ) -> Result<Profile, Error> {
        let key = NameKey::of(name);
        let found = db::profiles::by_name(&self.db, key.as_str()).await?;
        let player = found.ok_or(Code::NoSuchPlayer)?;
        let unrated = (!player.guest).then_some(Rating::START.0);
        let mut records = matches::db::results::stats(&self.db, player.id).await?;
        let games = GameKind::ALL.iter().map(|&game| {
            let played = records.iter().position(|record| record.game == game);
            let mut record = played.map_or_else(
                || GameStats::unplayed(game, unrated),
                |place| records.swap_remove(place),
            );
            record.rating = unrated.and(record.rating);
            record.until_ranked = unrated.and(record.until_ranked);
            record
        });
        let games: Vec<_> = games.collect();
        let game = game.unwrap_or_else(|| most_played(&games));
        let other = viewer.filter(|viewer| viewer.id != player.id);
        let between = match other {
            Some(viewer) => {
                Some(matches::db::results::between(&self.db, viewer.id, player.id).await?)
            }
            None => None,
        };
        Ok(Profile {
            graph: matches::db::results::rating_history(
                &self.db,
                player.id,
                game,
                pace,
                RATING_GRAPH_MAX_POINTS,
            )
            .await?,
            past: self
                .past(player.id, &HistoryFilter::default(), page, PROFILE_PAGE_LEN)
                .await?,
            id: player.id,
            name: player.name,
            guest: player.guest,
            bot: player.bot,
            closed: player.closed,
            since: player.since,
            playing: player.playing,
            spared: matches::db::time_losses::count_spared(&self.db, player.id).await?,
            vacation_until: vacations::db::until(&self.db, player.id).await?,
            titles: tournaments::db::leagues::titles(&self.db, None, Some(player.id)).await?,
            games,
            game,
            pace,
            between,
        })
    }

    /// A page of the standings of people, or of bots, with the place of `viewer`.
    pub async fn standings(
        &self,
        game: GameKind,
        pace: Pace,
        bots: bool,
        page: Page,
        viewer: Option<&Account>,
    ) -> Result<Standings, Error> {
        let total = db::standings::count(&self.db, game, pace, bots).await?;
        let skip = page.offset(STANDINGS_PAGE_LEN);
        let mine = match viewer {
            Some(viewer) => db::standings::entry(&self.db, game, pace, bots, viewer.id).await?,
            None => None,
        };
        Ok(Standings {
            game,
            pace,
            players: db::standings::page(&self.db, game, pace, bots, skip, STANDINGS_PAGE_LEN)
                .await?,
            page: page.number(),
            pages: Page::count(total, STANDINGS_PAGE_LEN),
            total,
            mine: mine.map(|placed| {
                let page = Page::of_place(placed.place, STANDINGS_PAGE_LEN);
                (placed, page.number())
            }),
        })
    }

    /// The best ten people of a game. While fewer are ranked, those with provisional ratings follow.
    pub async fn top(&self, game: GameKind) -> Result<Vec<StandingsEntry>, Error> {
        let mut top = db::standings::page(&self.db, game, Pace::Live, false, 0, TOP_LEN).await?;
        let ranked = u32::try_from(top.len()).unwrap_or(u32::MAX);
        let free = TOP_LEN.saturating_sub(ranked);
        if free > 0 {
            top.extend(
                db::standings::provisional(&self.db, game, Pace::Live, ranked + 1, free).await?,
            );
        }
        Ok(top)
    }

    /// A page of a player's own finished matches.
    pub async fn history(
        &self,
        player: &Account,
        filter: &HistoryFilter,
        page: Page,
    ) -> Result<HistoryPage, Error> {
        self.past(player.id, &by_key(filter), page, HISTORY_PAGE_LEN)
            .await
    }

    /// A player's own finished matches that ended before `after`, or all, the last one first and with all that happened
    /// in them; at most `limit`.
    pub async fn history_after(
        &self,
        player: &Account,
        filter: &HistoryFilter,
        after: Option<MatchId>,
        limit: u32,
    ) -> Result<Vec<ReplayedMatch>, Error> {
        let ids =
            matches::db::results::ids_before(&self.db, player.id, &by_key(filter), after, limit)
                .await?;
        let found = matches::db::replayed_matches::read(&self.db, &ids).await?;
        log_broken(&found);
        Ok(found)
    }

    async fn past(
        &self,
        player: PlayerId,
        filter: &HistoryFilter,
        page: Page,
        size: u32,
    ) -> Result<HistoryPage, Error> {
        let total = matches::db::results::count(&self.db, player, filter).await?;
        let skip = page.offset(size);
        let games = if skip < i64::from(total) {
            matches::db::results::page(&self.db, player, filter, skip, size).await?
        } else {
            Vec::new()
        };
        Ok(HistoryPage {
            games,
            page: page.number(),
            pages: Page::count(total, size),
            total,
        })
    }
}

/// The filter as the database looks for names: by their keys.
fn by_key(filter: &HistoryFilter) -> HistoryFilter {
    let key = |name: &String| NameKey::of(name).as_str().to_owned();
    HistoryFilter {
        opponent: filter.opponent.as_ref().map(key),
        ..filter.clone()
    }
}

/// The game with the most matches; the first one of all where none was played.
fn most_played(games: &[GameStats]) -> GameKind {
    let mut most = &games[0];
    for record in games {
        if record.counts().total() > most.counts().total() {
            most = record;
        }
    }
    most.game
}
