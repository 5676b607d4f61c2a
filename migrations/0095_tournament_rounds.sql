-- Tournaments of rounds: Swiss tournaments and round robins.
alter table tournaments
    -- The round that is played or was the last, from 1; 0 before the first.
    add column round      integer not null default 0,
    -- The start of the next round, once it is known.
    add column round_at   timestamptz,
    -- The seconds from the last game of a round to the next.
    add column break_s    integer,
    -- Whether each pair of a round robin meets twice.
    add column double     boolean not null default false,
    -- The side of the first player in the first round of a Swiss, drawn by lot.
    add column first_side smallint,
    add constraint tournaments_break check (format not in ('swiss', 'round_robin') or break_s is not null);

alter table tournament_entrants
    -- The rating by which a Swiss numbers its players, or the place in the table of a round robin, drawn by lot.
    add column seed       integer,
    -- The round for which the player has said to be here.
    add column here_round integer not null default 0,
    -- The round without the player, as requested: half a point.
    add column bye_round  integer,
    drop constraint tournament_entrants_state,
    -- `out`: stayed away from two games in a row.
    add constraint tournament_entrants_state check (state in ('here', 'paused', 'left', 'removed', 'out'));

alter table tournament_pairings
    -- Whether this is the part of a round: of these a player has one.
    add column of_round boolean not null default false,
    -- The kind of a round without an opponent.
    add column bye      text,
    -- Dots, discs or boxes of both at the end.
    add column board    integer[],
    drop constraint tournament_pairings_bye,
    -- In a round robin a player who has left forfeits without a match. Points of rounds are half points.
    add constraint tournament_pairings_bye check (
        (second is null) = (bye is not null) and (second is not null or match_id is null)
        and (second is null or match_id is not null or forfeit)),
    add constraint tournament_pairings_bye_kind check (bye in ('pairing', 'requested', 'late', 'absent', 'free'));

create unique index tournament_pairings_first on tournament_pairings (tournament_id, round, first) where of_round;
create unique index tournament_pairings_second on tournament_pairings (tournament_id, round, second) where of_round;

-- Players who stayed away from games of a Swiss without having left it.
create table no_shows (
    player_id bigint primary key references players (id) on delete cascade,
    -- How often, since the last Swiss that was played without one.
    count     integer not null,
    -- Until then the player enters no Swiss.
    until     timestamptz not null
);

-- The name of a tournament whose creator is silenced.
create function plain_name(format text, id bigint) returns text
    language sql stable
    return case format when 'swiss' then 'Swiss' when 'round_robin' then 'Round robin' else 'Arena' end || ' ' || id;

create or replace view read_tournaments as
    select t.id, t.format, case when p.silenced then plain_name(t.format, t.id) else t.name end as name,
        case when p.silenced then '' else t.description end as description,
        t.game, t.setup, t.clock, t.rated, t.minutes, t.streaks, t.last_games,
        t.min_rating, t.max_rating, t.min_games, t.min_age_days, t.password_hash, t.guests, t.bots, t.entries_closed,
        t.state, t.version, ms(t.starts_at) as starts_at, ms(t.ends_at) as ends_at, t.finished_at,
        (select count(*) from tournament_entrants e where e.tournament_id = t.id and e.state in ('here', 'paused')) as players,
        p.id as creator_id, p.name as creator_name, p.bot as creator_bot,
        t.rounds, t.round, ms(t.round_at) as round_at, t.break_s, t.double, t.first_side
    from tournaments t
    left join lateral (
        select case when c.deleted_at is null then c.id end as id, c.name, c.bot, is_silenced(c.muted_until, c.closed_at, c.deleted_at) as silenced
        from players c where c.id = t.creator_id) p on true;
