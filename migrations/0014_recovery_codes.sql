-- One-time codes for those who forget their password.

create table recovery_codes (
    player_id bigint not null references players (id) on delete cascade,
    -- SHA-256 of the player and the code. A code has 80 random bits, so that nobody finds it from its hash.
    code_hash bytea not null,
    primary key (player_id, code_hash)
);

-- When the player last had codes made; nothing, as long as they never had.
alter table players add column recovery_codes_at timestamptz;
