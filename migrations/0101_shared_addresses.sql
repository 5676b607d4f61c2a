-- Accounts that entered a tournament at one address, for operators. The address itself is forgotten a day after the tournament.
create table shared_addresses (
    tournament_id bigint not null references tournaments (id) on delete cascade,
    player_id     bigint not null references players (id) on delete cascade,
    -- Who entered first at this address.
    first_id      bigint not null references players (id) on delete cascade,
    at            timestamptz not null default now(),
    primary key (tournament_id, player_id)
);

create index shared_addresses_by_time on shared_addresses (at);
create index shared_addresses_of_player on shared_addresses (player_id);
create index shared_addresses_of_first on shared_addresses (first_id);
