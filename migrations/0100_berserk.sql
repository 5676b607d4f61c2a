-- Berserk: in an arena that has it, a player gives half of the own clock and its increment for a point more.
alter table tournament_pairings
    -- Whether each side did so; unknown while the match runs.
    add column berserk boolean[],
    -- The moves of both, which short wins and draws are known by.
    add column moves   integer[];

-- The moves so far of a match of a tournament that has not begun: until both have moved, nothing but moves and berserks happens.
create function first_moves(played bigint, version integer) returns integer
    language sql stable
    return version - (
        select count(*) from match_events e where e.match_id = played and e.version <= 4 and e.kind = 'berserked')::integer;

-- Absence counts in a tournament from the first moves on: before, their limit alone ends a match.
create or replace view reported_absences as
    select a.match_id, a.player_id, a.since
    from absences a join matches m on m.id = a.match_id
    where a.since <= now() - interval '3 seconds' and m.finished_at is null
        and (m.tournament_id is null or m.version >= 2 and first_moves(m.id, m.version) >= 2)
        and not exists (
            select from presence p
            where p.place = 'match:' || a.match_id and p.player_id = a.player_id and is_alive(p.beat_at, p.gone_at));

-- The first two moves change the side to move, and a berserk does not. Its own event may be written before this or after it.
create or replace function begin_absences() returns trigger
    language plpgsql
    as $$
    begin
        if new.version - (
            select count(*) from match_events e
            where e.match_id = new.id and e.version < new.version and e.kind = 'berserked') <> 2
        then
            return null;
        end if;
        -- Whatever appends moves never waits for the lock of an absence.
        update absences a set since = greatest(a.since, now())
        where (a.match_id, a.player_id) in (
            select w.match_id, w.player_id from absences w where w.match_id = new.id for no key update skip locked);
        return null;
    end;
    $$;

drop trigger tournament_match_begun on matches;

create trigger tournament_match_begun after update of version on matches
    for each row when (
        new.tournament_id is not null and old.version < 4 and new.version >= 2 and new.finished_at is null
        and new.to_move is distinct from old.to_move)
    execute function begin_absences();

create or replace view read_tournaments as
    select t.id, t.format, case when p.silenced then plain_name(t.format, t.id) else t.name end as name,
        case when p.silenced then '' else t.description end as description,
        t.game, t.setup, t.clock, t.rated, t.minutes, t.streaks, t.last_games,
        t.min_rating, t.max_rating, t.min_games, t.min_age_days, t.password_hash, t.guests, t.bots, t.entries_closed,
        t.state, t.version, ms(t.starts_at) as starts_at, ms(t.ends_at) as ends_at, t.finished_at,
        (select count(*) from tournament_entrants e where e.tournament_id = t.id and e.state in ('here', 'paused')) as players,
        p.id as creator_id, p.name as creator_name, p.bot as creator_bot,
        t.rounds, t.round, ms(t.round_at) as round_at, t.break_s, t.double, t.first_side, t.berserk
    from tournaments t
    left join lateral (
        select case when c.deleted_at is null then c.id end as id, c.name, c.bot, is_silenced(c.muted_until, c.closed_at, c.deleted_at) as silenced
        from players c where c.id = t.creator_id) p on true;
