-- Time during which no server ran, which counts for nobody.

-- When a server last said that it runs, and how often time has been given back because none did. One row.
create table heartbeat (
    only_one boolean primary key default true check (only_one),
    beat_at  timestamptz not null default now(),
    outages  integer not null default 0
);

insert into heartbeat default values;

-- What a running match was given back, by the version it stood at. Its events say when they happened; what its clock and
-- its offer show after that event is later by so much.
create table outages (
    match_id bigint not null references matches (id) on delete cascade,
    version  integer not null,
    lost_ms  bigint not null,
    primary key (match_id, version)
);
