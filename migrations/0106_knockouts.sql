-- Knockouts: pairs that play several games, and go on or are out.
alter table tournaments
    -- The games that each pair of a knockout plays before a play-off: 1, 2 or 4.
    add column best_of smallint,
    add constraint tournaments_best_of check (best_of is null or format = 'knockout' and best_of in (1, 2, 4)) not valid;

alter table tournament_entrants
    drop constraint tournament_entrants_state,
    -- `eliminated`: lost a pair of a knockout.
    add constraint tournament_entrants_state check (state in ('here', 'paused', 'left', 'removed', 'out', 'eliminated'));

-- The choice of a side for the last game of a pair, by its better seed.
create table tournament_choices (
    tournament_id bigint not null references tournaments (id) on delete cascade,
    round         integer not null,
    -- The place of the better seed in the order of joining.
    number        integer not null,
    -- Until then a side is chosen; afterwards the second one is taken.
    choose_by     timestamptz not null,
    side          smallint,
    primary key (tournament_id, round, number),
    foreign key (tournament_id, number) references tournament_entrants (tournament_id, number),
    constraint tournament_choices_side check (side in (1, 2))
);

create index tournament_choices_of_entrant on tournament_choices (tournament_id, number);

create or replace function plain_name(format text, id bigint) returns text
    language sql stable
    return case format
        when 'swiss' then 'Swiss' when 'round_robin' then 'Round robin' when 'knockout' then 'Knockout' else 'Arena' end || ' ' || id;

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
        t.best_of
    from tournaments t
    left join tournament_series s on s.id = t.series_id
    left join lateral (
        select case when c.deleted_at is null then c.id end as id, c.name, c.bot, is_silenced(c.muted_until, c.closed_at, c.deleted_at) as silenced
        from players c where c.id = t.creator_id) p on true;
