-- Players who have come by the line protocol: whose connection it is, and who may come back after a lost one.

create table lines (
    player_id  bigint primary key references players (id) on delete cascade,
    -- Random, so that a connection notices that another one has taken its place.
    connection bigint not null,
    -- A guest comes back from the same address only.
    address    text not null,
    -- Renewed while the connection is open.
    seen_at    timestamptz not null default now(),
    -- When it ended; nothing while it is open, and when its instance has crashed.
    lost_at    timestamptz
);

create index lines_by_seen on lines (seen_at);

-- Clients join games by their names.
create index open_tables_by_name on open_tables (game, name);
