-- Series: tournaments that repeat. The next one is made when the last begins.
create table tournament_series (
    id       bigint generated always as identity primary key,
    -- A recurrence rule of RFC 5545, such as `FREQ=WEEKLY;BYDAY=FR`, and the time zone of its times.
    rule     text not null,
    zone     text not null,
    made_by  bigint references players (id),
    made_at  timestamptz not null default now(),
    ended_by bigint references players (id),
    ended_at timestamptz
);

create index tournament_series_made_by on tournament_series (made_by);
create index tournament_series_ended_by on tournament_series (ended_by);

alter table tournaments
    add column series_id    bigint,
    -- The start on the clocks of the zone, as milliseconds since 1970 there: each once in a series.
    add column series_local bigint,
    -- Of the tournaments before, none has these columns, so none is looked at while the table is locked.
    add constraint tournaments_series foreign key (series_id) references tournament_series (id) not valid,
    add constraint tournaments_in_series check ((series_id is null) = (series_local is null)) not valid;

create unique index tournaments_of_series on tournaments (series_id, series_local) where series_id is not null;

create or replace view read_tournaments as
    select t.id, t.format, case when p.silenced then plain_name(t.format, t.id) else t.name end as name,
        case when p.silenced then '' else t.description end as description,
        t.game, t.setup, t.clock, t.rated, t.minutes, t.streaks, t.last_games,
        t.min_rating, t.max_rating, t.min_games, t.min_age_days, t.password_hash, t.guests, t.bots, t.entries_closed,
        t.state, t.version, ms(t.starts_at) as starts_at, ms(t.ends_at) as ends_at, t.finished_at,
        (select count(*) from tournament_entrants e where e.tournament_id = t.id and e.state in ('here', 'paused')) as players,
        p.id as creator_id, p.name as creator_name, p.bot as creator_bot,
        t.rounds, t.round, ms(t.round_at) as round_at, t.break_s, t.double, t.first_side, t.berserk,
        s.rule as series_rule, s.zone as series_zone, s.ended_at is not null as series_ended,
        (select n.id from tournaments n where n.series_id = t.series_id and n.series_local > t.series_local
         order by n.series_local limit 1) as series_next
    from tournaments t
    left join tournament_series s on s.id = t.series_id
    left join lateral (
        select case when c.deleted_at is null then c.id end as id, c.name, c.bot, is_silenced(c.muted_until, c.closed_at, c.deleted_at) as silenced
        from players c where c.id = t.creator_id) p on true;
