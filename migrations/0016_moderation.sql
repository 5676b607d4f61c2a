-- Whom nobody may pester, who the operators are, and what a sanction holds for.

-- How many challenges a player has got of late.
create index challenges_got on challenges (to_id, created_at);

-- Operators, whom the command line appoints.
create table operators (
    player_id bigint primary key references players (id) on delete cascade,
    since     timestamptz not null default now()
);

alter table players
    -- When an operator last muted the player or closed the account.
    add column sanctioned_at timestamptz,
    -- The player whose sanction this new name has, because both came from one address.
    add column sanction_of bigint references players (id) on delete set null;

update players set sanctioned_at = now() where closed_at is not null or muted_until > now();

create index players_by_sanction on players (sanction_of) where sanction_of is not null;

-- Where players came from of late, so that a sanction holds for their new names. Kept for two days.
create table addresses (
    player_id bigint not null references players (id) on delete cascade,
    address   text not null,
    seen_at   timestamptz not null default now(),
    primary key (player_id, address)
);

create index addresses_by_address on addresses (address);
create index addresses_by_age on addresses (seen_at);

-- An operator has removed the message: its author and time are still shown, its text is not.
alter table messages add column removed_at timestamptz;

-- Removed messages in their order, for pages that show them already. Whoever inserts a row holds a lock until the commit,
-- so that a later row has a greater number.
create table removals (
    id         bigint generated always as identity primary key,
    message_id bigint not null references messages (id) on delete cascade,
    at         timestamptz not null default now()
);

create index removals_of_message on removals (message_id);

-- The number of the reported message, which stays when the message is gone: reports of one message are one entry.
alter table reports add column said_id bigint;
update reports set said_id = message_id;
create index reports_of_message on reports (said_id) where closed_at is null;
create index reports_by_age on reports (at);

alter table audit
    add column message_id bigint,
    add column match_id bigint;
create index audit_by_age on audit (at);
