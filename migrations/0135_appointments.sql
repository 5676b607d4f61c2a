-- Tournaments over days: a round begins every so many days. In a round robin of that kind the pairs agree on times for their games.
alter table tournaments
    -- The days from the start of a round to that of the next one; without them, rounds are played one after another.
    add column round_days smallint,
    -- The result of a game to which nobody comes: `half` a point each, or drawn by `lot`.
    add column missed     text not null default 'half',
    add constraint tournaments_round_days check (
        round_days is null or format in ('swiss', 'round_robin') and round_days between 1 and 30) not valid,
    add constraint tournaments_missed check (missed in ('half', 'lot')) not valid;

alter table tournament_entrants
    -- The number of games by appointment to which the player has not come.
    add column missed  integer not null default 0,
    -- When the player was last told that an opponent proposes a time.
    add column told_at timestamptz;

-- The games of the round that runs which have neither begun nor been decided otherwise.
create table tournament_appointments (
    tournament_id bigint not null references tournaments (id) on delete cascade,
    round         integer not null,
    -- The places in the order of joining. The first has the first move.
    first         integer not null,
    second        integer not null,
    -- The time on which both have agreed.
    at            timestamptz,
    -- Whether each has been here since that time, or has said to be.
    first_came    boolean not null default false,
    second_came   boolean not null default false,
    -- The reminders so far: a day before is the first, an hour before the second.
    reminded      smallint not null default 0,
    primary key (tournament_id, round, first),
    foreign key (tournament_id, first) references tournament_entrants (tournament_id, number) on delete cascade,
    foreign key (tournament_id, second) references tournament_entrants (tournament_id, number) on delete cascade
);

create index tournament_appointments_first on tournament_appointments (tournament_id, first);
create index tournament_appointments_second on tournament_appointments (tournament_id, second);

-- The times that players propose for these games.
create table tournament_proposals (
    tournament_id bigint not null references tournaments (id) on delete cascade,
    round         integer not null,
    -- The place of the player in the order of joining.
    number        integer not null,
    at            timestamptz not null,
    proposed_at   timestamptz not null default now(),
    primary key (tournament_id, round, number, at),
    foreign key (tournament_id, number) references tournament_entrants (tournament_id, number) on delete cascade
);

create index tournament_proposals_of_entrant on tournament_proposals (tournament_id, number);

create or replace view read_tournaments as
    select t.id, t.format, case when p.silenced then plain_name(t.format, t.id) else t.name end as name,
        case when p.silenced then '' else t.description end as description,
        t.game, t.setup, t.clock, t.rated, t.minutes, t.streaks, t.last_games,
        t.min_rating, t.max_rating, t.min_games, t.min_age_days, t.password_hash, t.guests, t.bots, t.entries_closed,
        t.state, t.version, ms(t.starts_at) as starts_at, ms(t.ends_at) as ends_at, t.finished_at,
        (select count(*) from tournament_entrants e where e.tournament_id = t.id and e.state in ('here', 'paused', 'eliminated')) as players,
        p.id as creator_id, p.name as creator_name, p.bot as creator_bot,
        t.rounds, t.round, ms(t.round_at) as round_at, t.break_s, t.double, t.first_side, t.berserk,
        s.rule as series_rule, s.zone as series_zone, s.ended_at is not null as series_ended,
        (select n.id from tournaments n where n.series_id = t.series_id and n.series_local > t.series_local
         order by n.series_local limit 1) as series_next,
        t.best_of, t.round_days, t.missed
    from tournaments t
    left join tournament_series s on s.id = t.series_id
    left join lateral (
        select case when c.deleted_at is null then c.id end as id, c.name, c.bot, is_silenced(c.muted_until, c.closed_at, c.deleted_at) as silenced
        from players c where c.id = t.creator_id) p on true;
