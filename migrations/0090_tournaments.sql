-- Tournaments of four formats, their entrants and pairings.
create table tournaments (
    id             bigint generated always as identity primary key,
    format         text not null,
    name           text not null,
    description    text not null default '',
    creator_id     bigint references players (id),
    -- The address at which it was made, for the limit by address; forgotten after a day.
    address        text,
    -- Whether an operator made it: then no limit against arranged games applies.
    by_operator    boolean not null,
    game           text not null,
    setup          jsonb not null,
    clock          text not null,
    rated          boolean not null,
    -- The duration of an arena.
    minutes        integer,
    -- The rounds of the other formats, once that is known.
    rounds         smallint,
    streaks        boolean not null default true,
    berserk        boolean not null default false,
    last_games     boolean not null default false,
    -- The choices that one format has alone.
    options        jsonb not null default '{}',
    -- Who may enter.
    min_rating     integer,
    max_rating     integer,
    min_games      integer,
    min_age_days   integer,
    password_hash  text,
    guests         boolean not null default false,
    bots           boolean not null default false,
    entries_closed boolean not null default false,
    state          text not null default 'open',
    -- Grows with every change that its page shows.
    version        bigint not null default 0,
    created_at     timestamptz not null default now(),
    starts_at      timestamptz not null,
    began_at       timestamptz,
    -- The end of an arena that runs, which an outage moves.
    ends_at        timestamptz,
    finished_at    timestamptz,
    -- The instance that drives it.
    holder         text,
    held_until     timestamptz,
    constraint tournaments_format check (format in ('arena', 'swiss', 'round_robin', 'knockout')),
    constraint tournaments_state check (state in ('open', 'running', 'finished', 'cancelled')),
    constraint tournaments_arena check ((format = 'arena') = (minutes is not null))
);

create index tournaments_ahead on tournaments (starts_at, id) where state in ('open', 'running');
create index tournaments_past on tournaments (finished_at desc, id desc) where state = 'finished';
create index tournaments_of_creator on tournaments (creator_id);
create index tournaments_of_address on tournaments (address) where address is not null;

create table tournament_entrants (
    tournament_id bigint not null references tournaments (id) on delete cascade,
    player_id     bigint not null references players (id) on delete cascade,
    -- The place in the order of joining, from 0. It is kept by who leaves.
    number        integer not null,
    -- `here`, `paused` (keeps the score, is not paired), `left` (before the start), or `removed`.
    state         text not null default 'here',
    -- The address, by which guests and games of two accounts of one address are known.
    address       text,
    joined_at     timestamptz not null default now(),
    pauses        integer not null default 0,
    -- Since when the entrant waits for a pairing; in the future after a pause.
    waits_from    timestamptz not null default now(),
    -- The score so far, and the state of its fold.
    score         integer not null default 0,
    sheet         jsonb,
    primary key (tournament_id, player_id),
    constraint tournament_entrants_number unique (tournament_id, number),
    constraint tournament_entrants_state check (state in ('here', 'paused', 'left', 'removed'))
);

create index tournament_entrants_of_player on tournament_entrants (player_id);
create index tournament_entrants_with_address on tournament_entrants (tournament_id) where address is not null;

create table tournament_pairings (
    id            bigint generated always as identity primary key,
    tournament_id bigint not null references tournaments (id) on delete cascade,
    -- The wave of an arena, the round of the others.
    round         integer not null,
    -- The places in the order of joining. The first has the first move; without a second this is a bye.
    first         integer not null,
    second        integer,
    match_id      bigint unique references matches (id),
    finished_at   timestamptz,
    -- Whether the result counts; unknown while the match runs. What runs on after the end does not.
    counts        boolean,
    -- 0 for a draw.
    winner        smallint,
    forfeit       boolean not null default false,
    points        integer[],
    foreign key (tournament_id, first) references tournament_entrants (tournament_id, number),
    foreign key (tournament_id, second) references tournament_entrants (tournament_id, number),
    constraint tournament_pairings_bye check ((second is null) = (match_id is null))
);

create index tournament_pairings_in_order on tournament_pairings (tournament_id, id);
create index tournament_pairings_running on tournament_pairings (tournament_id) where finished_at is null;

-- What creators and operators did: removals, cancelling, closing of the entries.
create table tournament_acts (
    id            bigint generated always as identity primary key,
    tournament_id bigint not null references tournaments (id) on delete cascade,
    by_id         bigint not null references players (id),
    by_operator   boolean not null,
    act           text not null,
    player_id     bigint references players (id) on delete set null,
    at            timestamptz not null default now(),
    constraint tournament_acts_act check (act in ('removed', 'cancelled', 'entries_closed', 'entries_opened'))
);

create index tournament_acts_of_tournament on tournament_acts (tournament_id, id);
create index tournament_acts_by on tournament_acts (by_id);
create index tournament_acts_on on tournament_acts (player_id);

alter table matches
    add column tournament_id bigint,
    -- The time for the first move, and the moves of each side before a draw or a finish is offered.
    add column first_move_ms bigint,
    add column offers_after  integer,
    -- Of the matches before, none has these columns, so none is looked at while the table is locked.
    add constraint matches_tournament foreign key (tournament_id) references tournaments (id) not valid,
    add constraint matches_of_tournament check ((tournament_id is null) = (first_move_ms is null)) not valid;

-- Absence counts in a tournament from the first moves on: before, their limit alone ends a match.
create or replace view reported_absences as
    select a.match_id, a.player_id, a.since
    from absences a join matches m on m.id = a.match_id
    where a.since <= now() - interval '3 seconds' and m.finished_at is null
        and (m.tournament_id is null or m.version >= 2)
        and not exists (
            select from presence p
            where p.place = 'match:' || a.match_id and p.player_id = a.player_id and is_alive(p.beat_at, p.gone_at));

create function begin_absences() returns trigger
    language plpgsql
    as $$
    begin
        -- Whatever appends moves never waits for the lock of an absence.
        update absences a set since = greatest(a.since, now())
        where (a.match_id, a.player_id) in (
            select w.match_id, w.player_id from absences w where w.match_id = new.id for no key update skip locked);
        return null;
    end;
    $$;

create trigger tournament_match_begun after update of version on matches
    for each row when (new.tournament_id is not null and old.version < 2 and new.version >= 2 and new.finished_at is null)
    execute function begin_absences();

-- Whether an entrant may be paired now: plays nowhere, is not on vacation, and has an account that is neither closed nor deleted.
create function is_free_entrant(player bigint) returns boolean
    language sql stable
    begin atomic
        select not exists (select from playing y where y.player_id = player)
            and not exists (select from vacations v where v.player_id = player and v.ends_at > now())
            and exists (select from players p where p.id = player and p.closed_at is null and p.deleted_at is null);
    end;

-- Whether what a player has written to all is not shown: the account is muted, closed or deleted.
create function is_silenced(muted_until timestamptz, closed_at timestamptz, deleted_at timestamptz) returns boolean
    language sql stable
    begin atomic
        select coalesce(muted_until > now(), false) or closed_at is not null or deleted_at is not null;
    end;

-- Tournaments as they are read everywhere. The texts of who is silenced are not.
create view read_tournaments as
    select t.id, t.format, case when p.silenced then 'Arena ' || t.id else t.name end as name,
        case when p.silenced then '' else t.description end as description,
        t.game, t.setup, t.clock, t.rated, t.minutes, t.streaks, t.last_games,
        t.min_rating, t.max_rating, t.min_games, t.min_age_days, t.password_hash, t.guests, t.bots, t.entries_closed,
        t.state, t.version, ms(t.starts_at) as starts_at, ms(t.ends_at) as ends_at, t.finished_at,
        (select count(*) from tournament_entrants e where e.tournament_id = t.id and e.state in ('here', 'paused')) as players,
        p.id as creator_id, p.name as creator_name, p.bot as creator_bot
    from tournaments t
    left join lateral (
        select case when c.deleted_at is null then c.id end as id, c.name, c.bot, is_silenced(c.muted_until, c.closed_at, c.deleted_at) as silenced
        from players c where c.id = t.creator_id) p on true;
