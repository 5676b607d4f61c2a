-- Leagues: divisions that play double round robins over days, season after season.
create table leagues (
    id       bigint generated always as identity primary key,
    name     text not null,
    game     text not null,
    setup    jsonb not null,
    clock    text not null,
    rated    boolean not null,
    made_by  bigint not null references players (id),
    made_at  timestamptz not null default now(),
    -- The season that runs or was the last, from 1; 0 before the first.
    season   integer not null default 0,
    -- The earliest start of the next season. It also waits for the end of the last one.
    next_at  timestamptz not null,
    -- Since then no season is begun any more.
    ended_at timestamptz
);

create index leagues_ahead on leagues (next_at) where ended_at is null;
create index leagues_made_by on leagues (made_by);

create table league_members (
    league_id bigint not null references leagues (id) on delete cascade,
    player_id bigint not null references players (id) on delete cascade,
    joined_at timestamptz not null default now(),
    primary key (league_id, player_id)
);

create index league_members_of_player on league_members (player_id);

-- Who has won the first division of a season.
create table league_titles (
    league_id bigint not null references leagues (id) on delete cascade,
    season    integer not null,
    player_id bigint not null references players (id) on delete cascade,
    won_at    timestamptz not null default now(),
    primary key (league_id, season)
);

create index league_titles_of_player on league_titles (player_id);

alter table tournaments
    -- The division of a season that this tournament is; the first is the highest.
    add column league_id bigint references leagues (id),
    add column season    integer,
    add column division  integer,
    add constraint tournaments_of_season check (
        (league_id is null) = (season is null) and (league_id is null) = (division is null)) not valid;

create unique index tournaments_of_league on tournaments (league_id, season, division) where league_id is not null;
