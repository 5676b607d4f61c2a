-- Bots of the house: accounts that the server itself plays for, one for each game and level. They have no password.

create table house_bots (
    player_id bigint primary key references players (id),
    game      text not null,
    level     smallint not null,
    unique (game, level)
);

-- Which instance plays for them, and until when if it does not say so again. One row.
create table house_bot_lease (
    only_one   boolean primary key default true check (only_one),
    holder     text,
    held_until timestamptz not null default now()
);

insert into house_bot_lease default values;
