-- The events of a finished match as a pack (`tochki_play::pack`), in the place of its rows in `match_events`: a match has its events in
-- one of the two tables, never in both. The release before knows `match_events` alone, so this table is filled only where the operator
-- has turned that on (`PACK_GAMES`), once no instance of that release is left.
create table packed_matches (
    match_id bigint primary key references matches (id) on delete cascade,
    events   bytea not null
);

-- Packs do not become shorter by compression.
alter table packed_matches alter column events set storage external;

-- Which instance packs, until when if it does not say so again, and up to which match, in the order of their ends, it has looked. One
-- row, which whatever packs, unpacks or changes events of finished matches locks first.
create table packing_progress (
    only_one   boolean primary key default true check (only_one),
    holder     text,
    held_until timestamptz not null default now(),
    reached_at timestamptz not null default '-infinity',
    reached_id bigint not null default 0
);

insert into packing_progress default values;
