//! Open tables as waiting rooms, pages and programs see them.

use crate::Error;
use crate::db::rows::{card, parse_stored, skip_unreadable};
use crate::db::terms::StoredTerms;
use crate::db::{Db, Tx};
use tochki_play::{Pace, Rating, Terms};
use tochki_protocol::limits;
use tochki_protocol::{
    MatchId, MatchStarted, PlayerCard, PlayerId, SeatedPlayer, Table, TableId, TableLink,
};
use tochki_rules::GameKind;

/// A table, and its match if it has started.
#[derive(Clone, Debug, PartialEq)]
pub struct TableState {
    /// The table.
    pub table: Table,
    /// The event of the start of its match.
    pub started: Option<MatchStarted>,
}

/// A seat that is taken: its number, 1 or 2, the player, whether the player is ready, and for which agreement.
type SeatRow = (i16, i64, bool, Option<String>);

/// A player in the game of the table: id, name, rating, and whether it is a guest, a provisional rating, a bot.
type CardRow = (i64, String, f64, bool, bool, bool);

/// A table with the columns that `select_tables!` reads.
#[expect(clippy::struct_excessive_bools, reason = "these are columns")]
struct OpenTableRow {
    id: i64,
    name: String,
    link: String,
    game: String,
    setup: serde_json::Value,
    clock: String,
    rated: bool,
    agreement: String,
    closed: bool,
    creator_id: i64,
    seats: Vec<SeatRow>,
    match_id: Option<i64>,
    seat1: Option<i64>,
    seat2: Option<i64>,
    players: Vec<CardRow>,
    muted_by: Vec<i64>,
    min_rating: Option<i32>,
    max_rating: Option<i32>,
    correspondence: bool,
    is_creator_away: bool,
}

/// Selects tables `t`, with the match `m` that has started at each, in one statement: the rest of it and its arguments, from `$2`
/// on, are given. `players` are all that the table names: creator, seated players, players of the match.
macro_rules! select_tables {
    ($rest:literal $(, $($arguments:tt)*)?) => {
        sqlx::query_as!(
            OpenTableRow,
            r#"select t.id as "id!", t.name as "name!", t.link as "link!", t.game as "game!", t.setup as "setup!",
                      t.clock as "clock!", table_is_rated(t.id, t.rated) as "rated!",
                      table_agreement(t.id) as "agreement!", t.closed_at is not null as "closed!",
                      t.creator_id as "creator_id!",
                      array(select row(s.seat_no, s.player_id, s.ready, s.agreed) from table_seats s where s.table_id = t.id)
                          as "seats!: Vec<SeatRow>",
                      t.match_id as "match_id?", m.seat1 as "seat1?", m.seat2 as "seat2?",
                      array(
                          select row(p.id, p.name, coalesce(r.rating, $1), p.guest, is_provisional(p.guest, r.ranked), p.bot)
                          from players p left join ratings r on r.player_id = p.id and r.game = rating_kind(t.game, t.correspondence)
                          where p.id = any(array[t.creator_id, m.seat1, m.seat2]
                              || array(select s.player_id from table_seats s where s.table_id = t.id)))
                          as "players!: Vec<CardRow>",
                      array(select u.player_id from mutes u where u.muted_id = t.creator_id order by 1) as "muted_by!",
                      t.min_rating as "min_rating?", t.max_rating as "max_rating?", t.correspondence as "correspondence!",
                      exists (select from vacations v where v.player_id = t.creator_id and v.ends_at > now()) as "is_creator_away!"
               from open_tables t left join matches m on m.id = t.match_id "# + $rest,
            Rating::START.0 $(, $($arguments)*)?
        )
    };
}

impl OpenTableRow {
    fn read(self) -> Result<TableState, Error> {
        let Terms {
            setup,
            clock,
            rated,
        } = StoredTerms::new(self.game, self.setup, self.clock).read(self.rated)?;
        let game = setup.kind();
        let cards: Vec<PlayerCard> = self
            .players
            .into_iter()
            .map(|(id, name, rating, guest, provisional, bot)| {
                card(id, name, rating, guest, provisional, bot)
            })
            .collect();
        let card_of = |id: i64| {
            let card = cards.iter().find(|card| card.id.0 == id).cloned();
            card.ok_or_else(|| Error::invariant(format!("player {id} of a table is missing")))
        };
        let is_ready = |(_, _, ready, agreed): &SeatRow| {
            *ready && agreed.as_deref() == Some(self.agreement.as_str())
        };
        let seated_at = |number: i16| {
            let seat = self.seats.iter().find(|(seat, ..)| *seat == number);
            seat.map(|seat| {
                let card = card_of(seat.1)?;
                Ok::<_, Error>(SeatedPlayer {
                    id: card.id,
                    name: card.name,
                    rating: card.rating,
                    guest: card.guest,
                    provisional: card.provisional,
                    bot: card.bot,
                    ready: is_ready(seat),
                })
            })
            .transpose()
        };
        let match_id = self.match_id.map(MatchId);
        let started = match (match_id, self.seat1, self.seat2) {
            (Some(match_id), Some(seat1), Some(seat2)) => Some(MatchStarted {
                match_id,
                game,
                players: [card_of(seat1)?, card_of(seat2)?],
            }),
            _ => None,
        };
        let creator = card_of(self.creator_id)?;
        let mut seats = [seated_at(1)?, seated_at(2)?];
        if clock.pace() == Pace::Correspondence && !self.closed {
            // The creator has no seat, because a player has one at most, and is ready for whoever comes.
            seats[0] = Some(SeatedPlayer {
                id: creator.id,
                name: creator.name.clone(),
                rating: creator.rating,
                guest: creator.guest,
                provisional: creator.provisional,
                bot: creator.bot,
                ready: true,
            });
        }
        let table = Table {
            id: TableId(self.id),
            name: self.name,
            link: parse_stored(&self.link, self.link.parse().ok())?,
            creator,
            setup,
            clock,
            rated,
            terms_changed: self.seats.iter().any(|seat| seat.2 && !is_ready(seat)),
            seats,
            min_rating: self.min_rating,
            max_rating: self.max_rating,
            agreement: self.agreement.clone(),
            match_id,
            closed: self.closed,
        };
        Ok(TableState { table, started })
    }
}

/// The table with this link, if it is open or was closed recently.
pub async fn by_link(db: &Db, link: &TableLink) -> Result<Option<TableState>, Error> {
    let row = select_tables!("where t.link = $2", link.as_str())
        .fetch_optional(db)
        .await?;
    row.map(OpenTableRow::read).transpose()
}

/// The tables among these that are open or were closed recently.
pub async fn by_ids(db: &Db, ids: &[i64]) -> Result<Vec<TableState>, Error> {
    let rows = select_tables!("where t.id = any($2)", ids)
        .fetch_all(db)
        .await?;
    Ok(skip_unreadable(rows.into_iter().map(OpenTableRow::read)))
}

/// A table in a waiting room.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedTable {
    /// The table.
    pub table: Table,
    /// The players who have muted its creator. They are not shown what its creator calls it.
    pub muted_by: Vec<PlayerId>,
    /// Whether its creator is on vacation, and sees it alone: nobody else could sit down.
    pub is_creator_away: bool,
}

impl ListedTable {
    /// Returns whether this player sees the table.
    pub fn is_shown_to(&self, player: PlayerId) -> bool {
        !self.muted_by.contains(&player)
            && (!self.is_creator_away || self.table.creator.id == player)
    }
}

/// The tables of this game listed in its waiting room, oldest first: those whose creator is present, also while both seats are taken. Those
/// by correspondence of players on vacation take no place from others.
pub async fn listed(tx: &mut Tx, game: GameKind) -> Result<Vec<ListedTable>, Error> {
    let rows = select_tables!(
        "where t.game = $2 and t.closed_at is null and t.seen_at > now() - $3::interval
             and (not t.correspondence or t.id in (
                 select id from open_tables o
                 where game = $2 and correspondence and closed_at is null
                     and not exists (select from vacations v where v.player_id = o.creator_id and v.ends_at > now())
                 order by id desc limit $4)
                 or t.id in (
                 select o.id from open_tables o join vacations v on v.player_id = o.creator_id
                 where o.game = $2 and o.correspondence and o.closed_at is null and v.ends_at > now()
                 order by o.id desc limit $4))
         order by t.id",
        game.id(),
        limits::TABLE_LISTING_TIMEOUT as _,
        limits::SEEKS_MAX_LISTED
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(skip_unreadable(rows.into_iter().map(|mut row| {
        let muted_by = std::mem::take(&mut row.muted_by);
        Ok(ListedTable {
            is_creator_away: row.is_creator_away && row.correspondence,
            table: row.read()?.table,
            muted_by: muted_by.into_iter().map(PlayerId).collect(),
        })
    })))
}

/// The tables of this name and game whose seats are taken, or whose match is running.
pub async fn full(db: &Db, game: GameKind, name: &str) -> Result<Vec<Table>, Error> {
    let rows = select_tables!(
        "where t.game = $2 and t.name = $3
             and (t.closed_at is null and (select count(*) from table_seats s where s.table_id = t.id) = 2
                 or exists (select from matches r where r.id = t.match_id and r.finished_at is null))",
        game.id(),
        name
    )
    .fetch_all(db)
    .await?;
    Ok(skip_unreadable(
        rows.into_iter().map(|row| Ok(row.read()?.table)),
    ))
}

/// The open table at which this player has a seat, or which they have opened.
pub async fn of_player(db: &Db, player: PlayerId) -> Result<Option<Table>, Error> {
    let row = select_tables!(
        "where t.id in (
             select table_id from table_seats where player_id = $2
             union all
             select id from open_tables where creator_id = $2 and closed_at is null and not correspondence)
         order by t.id desc limit 1",
        player.0
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| Ok(row.read()?.table)).transpose()
}
