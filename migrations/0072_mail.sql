-- Mail: addresses of players, which nobody else sees, links that set a new password, and what waits to be sent.

create table mail_addresses (
    player_id    bigint primary key references players (id) on delete cascade,
    -- The confirmed address.
    address      text,
    -- An address whose link has not been followed, the hash of that link, and when it was sent. It gets nothing else.
    pending      text,
    pending_hash bytea unique,
    pending_at   timestamptz,
    language     text not null,
    -- The end of the link that ends notices. It opens nothing else.
    unsubscribe  text not null unique,
    -- Whether sign-ins from new browsers are told.
    sign_ins     boolean not null default true,
    constraint mail_addresses_pending_is_whole check (
        (pending is null) = (pending_hash is null) and (pending is null) = (pending_at is null)
    )
);

create table password_resets (
    token_hash bytea primary key,
    player_id  bigint not null references players (id) on delete cascade,
    created_at timestamptz not null default now()
);

create index password_resets_of_player on password_resets (player_id);
create index password_resets_by_age on password_resets (created_at);

-- Mails to be sent. One that was sent stays for a day, without its content, for the count of mails to an address.
create table mails (
    id         bigint generated always as identity primary key,
    player_id  bigint not null references players (id) on delete cascade,
    address    text not null,
    kind       text not null,
    content    jsonb not null,
    language   text not null,
    created_at timestamptz not null default clock_timestamp(),
    -- When an instance may take it next: whoever takes it sets this forward, so that a crash costs some minutes and no mail.
    due_at     timestamptz not null default clock_timestamp(),
    attempts   integer not null default 0,
    sent_at    timestamptz
);

create index mails_due on mails (due_at) where sent_at is null;
create index mails_to_address on mails (lower(address), created_at);
create index mails_of_player on mails (player_id, created_at);
create index mails_by_age on mails (created_at);
