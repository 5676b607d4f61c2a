-- Who may sit where, and how many tables one address may have.

-- Whom the creator of a table has removed from it: they stay away from that table.
create table kept_away (
    table_id  bigint not null references open_tables (id) on delete cascade,
    player_id bigint not null references players (id) on delete cascade,
    primary key (table_id, player_id)
);

create index kept_away_players on kept_away (player_id);

-- The address of the creator. It goes with the table, a day after that was closed.
alter table open_tables add column address text;
