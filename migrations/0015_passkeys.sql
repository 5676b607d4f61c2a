-- Passkeys (WebAuthn): signing in with a device instead of a password.

-- By what authenticators know an account: 64 random bytes, the same for all of its passkeys. Null until it adds one.
alter table players add column passkey_handle bytea unique;

-- When the player of a session proved to have a passkey; null for sessions opened otherwise.
alter table sessions add column passkey_at timestamptz;

create table passkeys (
    id            bigint generated always as identity primary key,
    player_id     bigint not null references players (id) on delete cascade,
    credential_id bytea not null unique,
    -- The public key, as `webauthn_rp` encodes it. It never changes.
    public_key    bytea not null,
    -- What signing in changes, likewise: the signature counter, whether the passkey is backed up.
    state         bytea not null,
    -- How a browser reaches the authenticator: one bit for each transport.
    transports    smallint not null,
    -- What the player calls it; empty if nothing is known.
    name          text not null,
    created_at    timestamptz not null default now(),
    used_at       timestamptz
);

create index passkeys_of_player on passkeys (player_id);

-- Challenges that browsers have been given. Each is answered once, by the browser that it was given to.
create table passkey_challenges (
    -- SHA-256 of the token of the session, or of the cookie of a browser that is signing in. So a browser has one.
    browser    bytea primary key,
    -- Whose account gets the passkey; null for signing in.
    player_id  bigint references players (id) on delete cascade,
    -- The challenge and what was asked for, as `webauthn_rp` encodes them.
    state      bytea not null,
    expires_at timestamptz not null
);

create index passkey_challenges_by_time on passkey_challenges (expires_at);
create index passkey_challenges_of_player on passkey_challenges (player_id);
