//! What the club knows of its players: profiles, standings, the history of each. Read from the database whenever somebody
//! asks, so that what has just ended is in it.

use super::db::archive::{self, PastMatch};
use super::db::{Db, profiles, results, standings};
use super::names::NameKey;
use crate::Error;
use tochki_play::Rating;
use tochki_protocol::{
    Account, Code, GameStats, HistoryFilter, HistoryPage, MatchId, Page, PlayerId, Profile,
    Standings, StandingsEntry,
};
use tochki_rules::GameKind;

/// How many matches a profile shows at once.
const OF_PROFILE: u32 = 20;

/// How many matches are on a page of the history.
const OF_HISTORY: u32 = 30;

/// How many players are on a page of the standings.
const OF_STANDINGS: u32 = 50;

/// How many players are on the front page.
const TOP: u32 = 10;

/// The most points that a graph of ratings has.
const OF_GRAPH: u32 = 200;

/// The club's books.
#[derive(Clone)]
pub struct Stats {
    db: Db,
}

impl Stats {
    pub(super) const fn open(db: Db) -> Self {
        Self { db }
    }

    /// The player of this name, as `viewer` may see them. The graph is that of `game`, or of the one played most.
    pub async fn profile(
        &self,
        name: &str,
        game: Option<GameKind>,
        page: Page,
        viewer: Option<&Account>,
    ) -> Result<Profile, Error> {
        let key = NameKey::of(name);
        let found = profiles::by_name(&self.db, key.as_str()).await?;
        let player = found.ok_or(Code::NoSuchPlayer)?;
        let unrated = (!player.guest).then_some(Rating::START.0);
        let mut records = results::records(&self.db, player.id).await?;
        let games = GameKind::ALL.iter().map(|&game| {
            let played = records.iter().position(|record| record.game == game);
            let mut record = played.map_or_else(
                || GameStats::unplayed(game, unrated),
                |place| records.swap_remove(place),
            );
            record.rating = unrated.and(record.rating);
            record
        });
        let games: Vec<_> = games.collect();
        let game = game.unwrap_or_else(|| most_played(&games));
        let other = viewer.filter(|viewer| viewer.id != player.id);
        let between = match other {
            Some(viewer) => Some(results::between(&self.db, viewer.id, player.id).await?),
            None => None,
        };
        Ok(Profile {
            graph: results::ratings_over_time(&self.db, player.id, game, OF_GRAPH).await?,
            past: self
                .past(player.id, &HistoryFilter::default(), page, OF_PROFILE)
                .await?,
            id: player.id,
            name: player.name,
            guest: player.guest,
            closed: player.closed,
            since: player.since,
            playing: player.playing,
            games,
            game,
            between,
        })
    }

    /// A page of the standings, with the place of `viewer`.
    pub async fn standings(
        &self,
        game: GameKind,
        page: Page,
        viewer: Option<&Account>,
    ) -> Result<Standings, Error> {
        let total = standings::count(&self.db, game).await?;
        let skip = page.skipped(OF_STANDINGS);
        let mine = match viewer {
            Some(viewer) => standings::of(&self.db, game, viewer.id).await?,
            None => None,
        };
        Ok(Standings {
            game,
            players: standings::placed(&self.db, game, skip, OF_STANDINGS).await?,
            page: page.number(),
            pages: Page::count(total, OF_STANDINGS),
            total,
            mine: mine.map(|placed| {
                let page = Page::of_place(placed.place, OF_STANDINGS);
                (placed, page.number())
            }),
        })
    }

    /// The best ten of a game.
    pub async fn top(&self, game: GameKind) -> Result<Vec<StandingsEntry>, Error> {
        standings::placed(&self.db, game, 0, TOP).await
    }

    /// A page of a player's own finished matches.
    pub async fn history(
        &self,
        player: &Account,
        filter: &HistoryFilter,
        page: Page,
    ) -> Result<HistoryPage, Error> {
        self.past(player.id, &by_key(filter), page, OF_HISTORY)
            .await
    }

    /// A player's own finished matches that ended before `after`, or all, the last one first and with all that happened
    /// in them; at most `limit`.
    pub async fn next_of_history(
        &self,
        player: &Account,
        filter: &HistoryFilter,
        after: Option<MatchId>,
        limit: u32,
    ) -> Result<Vec<PastMatch>, Error> {
        let ids = results::next(&self.db, player.id, &by_key(filter), after, limit).await?;
        archive::read(&self.db, &ids).await
    }

    async fn past(
        &self,
        player: PlayerId,
        filter: &HistoryFilter,
        page: Page,
        size: u32,
    ) -> Result<HistoryPage, Error> {
        let total = results::count(&self.db, player, filter).await?;
        let skip = page.skipped(size);
        let games = if skip < i64::from(total) {
            results::past(&self.db, player, filter, skip, size).await?
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
        if record.tally().all() > most.tally().all() {
            most = record;
        }
    }
    most.game
}
