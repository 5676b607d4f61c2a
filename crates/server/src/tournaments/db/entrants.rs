//! The entrants of a tournament.

use crate::Error;
use crate::db::rows::{account, parse_stored, parse_stored_game};
use crate::db::terms::rating_kind;
use crate::db::{Db, Tx};
use sqlx::types::Json;
use tochki_play::{Pace, Rating, Timestamp};
use tochki_protocol::{
    Account, Code, EntrantState, MatchId, PlayerId, TournamentId, TournamentLink,
};
use tochki_rules::GameKind;
use tochki_tournaments::arena::{Rules, Sheet};

/// An entrant that is locked.
pub struct LockedEntrant {
    /// The state.
    pub state: EntrantState,
    /// The number of pauses so far.
    pub pauses: u32,
    /// Whether a game has counted here.
    pub has_played: bool,
}

/// An entrant to be.
pub struct NewEntrant<'a> {
    /// The player.
    pub player: PlayerId,
    /// The address, or its site.
    pub address: &'a str,
}

/// Locks an entrant of a locked tournament.
pub async fn lock(
    tx: &mut Tx,
    id: TournamentId,
    player: PlayerId,
) -> Result<Option<LockedEntrant>, Error> {
    let row = sqlx::query!(
        r#"select state, pauses, sheet is not null as "has_played!"
           from tournament_entrants where tournament_id = $1 and player_id = $2 for no key update"#,
        id.0,
        player.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    row.map(|row| {
        Ok(LockedEntrant {
            state: parse_stored(&row.state, EntrantState::read(&row.state))?,
            pauses: row.pauses.cast_unsigned(),
            has_played: row.has_played,
        })
    })
    .transpose()
}

/// Returns whether a player takes part in another tournament that runs. One over days leaves time for others.
pub async fn is_in_another(tx: &mut Tx, id: TournamentId, player: PlayerId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (
               select from tournament_entrants e join tournaments t on t.id = e.tournament_id
               where e.player_id = $2 and e.tournament_id <> $1 and e.state = 'here' and t.state = 'running'
                   and t.round_days is null) as "is!""#,
        id.0,
        player.0
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// The facts of a player that the conditions of entering are compared with.
pub struct Qualification {
    /// The rating.
    pub rating: i32,
    /// The number of rated games of this kind.
    pub games: i32,
    /// The age of the account in days.
    pub age_days: i32,
    /// Whether the account is neither closed nor deleted.
    pub is_open: bool,
    /// The number of entrants so far.
    pub entrants: i64,
    /// The number of guests among them from this address.
    pub guests_here: i64,
    /// Whether they are people and the player is a bot, or the other way round.
    pub mixes: bool,
}

/// Reads the record of a player who wants to enter a locked tournament.
pub async fn qualification(
    tx: &mut Tx,
    player: PlayerId,
    game: GameKind,
    id: TournamentId,
    address: &str,
) -> Result<Qualification, Error> {
    Ok(sqlx::query_as!(
        Qualification,
        r#"select round(coalesce(r.rating, $5))::int as "rating!", coalesce(r.games, 0) as "games!",
                  extract(day from now() - p.created_at)::int as "age_days!",
                  p.closed_at is null and p.deleted_at is null as "is_open!",
                  (select count(*) from tournament_entrants e where e.tournament_id = $3) as "entrants!",
                  (select count(*) from tournament_entrants e join players g on g.id = e.player_id
                   where e.tournament_id = $3 and e.address = $4 and g.guest) as "guests_here!",
                  (select count(*) > 0 and count(*) filter (where g.bot = p.bot) = 0
                   from tournament_entrants e join players g on g.id = e.player_id
                   where e.tournament_id = $3 and e.state <> 'left') as "mixes!"
           from players p left join ratings r on r.player_id = p.id and r.game = $2 where p.id = $1"#,
        player.0,
        rating_kind(game, Pace::Live),
        id.0,
        address,
        Rating::START.0
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Lets those entrants of a locked tournament leave that begins now who do not meet its conditions any more, and returns them: ratings
/// and accounts may have changed since they entered.
pub async fn drop_unqualified(
    tx: &mut Tx,
    id: TournamentId,
    game: GameKind,
) -> Result<Vec<PlayerId>, Error> {
    let ids = sqlx::query_scalar!(
        r#"update tournament_entrants e set state = 'left'
         from tournaments t cross join (players p left join ratings r on r.player_id = p.id and r.game = $2)
         where t.id = $1 and e.tournament_id = t.id and e.player_id = p.id and e.state = 'here' and (
             p.closed_at is not null or p.deleted_at is not null or p.guest and not t.guests or p.bot and not t.bots
             or coalesce(round(coalesce(r.rating, $3)) < t.min_rating, false)
             or coalesce(round(coalesce(r.rating, $3)) > t.max_rating, false)
             or coalesce(coalesce(r.games, 0) < t.min_games, false)
             or coalesce(extract(day from now() - p.created_at) < t.min_age_days, false))
         returning e.player_id as "player_id!""#,
        id.0,
        rating_kind(game, Pace::Live),
        Rating::START.0
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(ids.into_iter().map(PlayerId).collect())
}

/// The entrants of a tournament who have not left it.
pub async fn concerned(tx: &mut Tx, id: TournamentId) -> Result<Vec<PlayerId>, Error> {
    let ids = sqlx::query_scalar!(
        "select player_id from tournament_entrants where tournament_id = $1 and state in ('here', 'paused', 'out', 'eliminated') order by number",
        id.0
    );
    let ids = ids.fetch_all(&mut **tx).await?;
    Ok(ids.into_iter().map(PlayerId).collect())
}

/// Inserts an entrant of a locked tournament, at the end of the order of joining.
pub async fn insert(tx: &mut Tx, id: TournamentId, new: &NewEntrant<'_>) -> Result<(), Error> {
    sqlx::query!(
        "insert into tournament_entrants (tournament_id, player_id, number, address)
         select $1, $2, coalesce(max(number) + 1, 0), $3 from tournament_entrants where tournament_id = $1",
        id.0,
        new.player.0,
        new.address
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Notes for operators that a new entrant has entered at the address of an earlier one.
pub async fn note_shared_address(
    tx: &mut Tx,
    id: TournamentId,
    new: &NewEntrant<'_>,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into shared_addresses (tournament_id, player_id, first_id)
         select tournament_id, $2, player_id from tournament_entrants
         where tournament_id = $1 and address = $3 and player_id <> $2 order by number limit 1
         on conflict do nothing",
        id.0,
        new.player.0,
        new.address
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Lets a locked entrant take part again, and wait after a delay in milliseconds.
pub async fn come_back(
    tx: &mut Tx,
    id: TournamentId,
    player: PlayerId,
    delay: i64,
) -> Result<(), Error> {
    sqlx::query!(
        "update tournament_entrants set state = 'here', waits_from = now() + $3::bigint * interval '1 millisecond'
         where tournament_id = $1 and player_id = $2",
        id.0,
        player.0,
        delay
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Sets the state of a locked entrant.
pub async fn set_state(
    tx: &mut Tx,
    id: TournamentId,
    player: PlayerId,
    state: EntrantState,
) -> Result<(), Error> {
    sqlx::query!(
        "update tournament_entrants set state = $3 where tournament_id = $1 and player_id = $2",
        id.0,
        player.0,
        state.as_str()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Pauses a locked entrant who takes part.
pub async fn pause(tx: &mut Tx, id: TournamentId, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "update tournament_entrants set state = 'paused', pauses = pauses + 1
         where tournament_id = $1 and player_id = $2 and state = 'here'",
        id.0,
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// An entrant for the standings.
pub struct RankedEntrant {
    /// The player.
    pub account: Account,
    /// The score.
    pub sheet: Sheet,
    /// Whether the player is not paired.
    pub paused: bool,
}

/// The rules of the scores of an arena, and its entrants who have neither left nor been removed, and whose accounts are not closed, in the
/// order of joining.
pub async fn ranked(db: &Db, id: TournamentId) -> Result<(Rules, Vec<RankedEntrant>), Error> {
    let rules = sqlx::query!(
        "select game, streaks, berserk from tournaments where id = $1",
        id.0
    )
    .fetch_optional(db)
    .await?
    .ok_or(Code::NoSuchTournament)?;
    let rows = sqlx::query!(
        r#"select p.id, p.name, p.guest, p.bot, e.state, e.sheet as "sheet: Json<Sheet>"
           from tournament_entrants e join players p on p.id = e.player_id
           where e.tournament_id = $1 and e.state in ('here', 'paused') and p.closed_at is null order by e.number"#,
        id.0
    )
    .fetch_all(db)
    .await?;
    let entrants = rows.into_iter().map(|row| RankedEntrant {
        account: account(row.id, row.name, row.guest, row.bot),
        sheet: row.sheet.map(|sheet| sheet.0).unwrap_or_default(),
        paused: row.state != EntrantState::Here.as_str(),
    });
    let rules = Rules {
        game: parse_stored_game(&rules.game)?,
        streaks: rules.streaks,
        berserk: rules.berserk,
    };
    Ok((rules, entrants.collect()))
}

/// The entry of a player, without the row of the standings.
pub struct Entry {
    /// The state.
    pub state: EntrantState,
    /// Since when the entrant waits.
    pub waits_from: Timestamp,
    /// The running match of the tournament.
    pub match_id: Option<MatchId>,
}

/// The entry of a player, if they have entered.
pub async fn entry(db: &Db, id: TournamentId, player: PlayerId) -> Result<Option<Entry>, Error> {
    let row = sqlx::query!(
        r#"select state, ms(waits_from) as "waits_from!",
                  (select p.match_id from tournament_pairings p
                   where p.tournament_id = e.tournament_id and p.finished_at is null and e.number in (p.first, p.second)
                   limit 1) as match_id
           from tournament_entrants e where tournament_id = $1 and player_id = $2"#,
        id.0,
        player.0
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        Ok(Entry {
            state: parse_stored(&row.state, EntrantState::read(&row.state))?,
            waits_from: Timestamp(row.waits_from),
            match_id: row.match_id.map(MatchId),
        })
    })
    .transpose()
}

/// Another tournament that a player has entered, and that may overlap with this one. How long rounds last is not known: two hours
/// are assumed. Those over days leave time for others.
pub async fn clash(
    db: &Db,
    id: TournamentId,
    player: PlayerId,
) -> Result<Option<TournamentLink>, Error> {
    let row = sqlx::query!(
        "select o.id, o.name
         from tournaments t, tournament_entrants e join tournaments o on o.id = e.tournament_id
         where t.id = $1 and e.player_id = $2 and o.id <> t.id and e.state in ('here', 'paused')
             and t.state in ('open', 'running') and o.state in ('open', 'running') and t.round_days is null and o.round_days is null
             and o.starts_at < coalesce(t.ends_at, t.starts_at + coalesce(t.minutes, 120) * interval '1 minute')
             and t.starts_at < coalesce(o.ends_at, o.starts_at + coalesce(o.minutes, 120) * interval '1 minute')
         order by o.starts_at, o.id limit 1",
        id.0,
        player.0
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| TournamentLink {
        id: TournamentId(row.id),
        name: row.name,
    }))
}
