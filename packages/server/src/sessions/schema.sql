-- Sessions and their tokens, and staff impersonation.

-- A staff member impersonates a user. code_hash is the single-use code that opens the session.
create table impersonations (
  id uuid primary key,
  staff_id bigint not null references users on delete cascade,
  user_id bigint not null references users on delete cascade,
  reason text not null,
  code_hash bytea unique,
  code_expires_at timestamptz not null,
  ends_at timestamptz not null,
  created_at timestamptz not null
);

create index impersonations_user on impersonations (user_id, created_at desc);
create index impersonations_end on impersonations (ends_at);

-- A session: a sign-in on one device. ip is where it began, last_ip where it was last used.
create table sessions (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  revoked_at timestamptz,
  revoked_reason text,
  -- absolute end, regardless of use; null if none
  ends_at timestamptz,
  -- set if staff are impersonating the user
  impersonation_id uuid references impersonations on delete cascade,
  -- when the user last authenticated; null if this session never can
  authenticated_at timestamptz,
  -- the session's companion
  companion_id uuid references companions on delete set null,
  last_ip text
);

create index sessions_user on sessions (user_id, last_used_at desc);
create index sessions_last_used on sessions (last_used_at);
create index sessions_companion on sessions (companion_id) where companion_id is not null;

-- An access token. It duplicates what every request needs of its session.
create table access_tokens (
  hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  user_id bigint not null,
  scopes text[] not null,
  expires_at timestamptz not null,
  impersonation_id uuid,
  authenticated_at timestamptz
);

create index access_tokens_session on access_tokens (session_id);
create index access_tokens_expiry on access_tokens (expires_at);

-- A single-use refresh token.
create table refresh_tokens (
  hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  scopes text[] not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- the successor tokens, so that the same client can retrieve them again; sealed under a key derived in part
  -- from the token. Null if not exchanged, or not exchanged last
  successor bytea
);

create index refresh_tokens_session on refresh_tokens (session_id);
create index refresh_tokens_expiry on refresh_tokens (expires_at);

-- A device that a user signed in from. The user is notified of sign-ins from devices not seen for a while.
create table sign_in_devices (
  user_id bigint not null references users on delete cascade,
  device bytea not null,
  seen_at timestamptz not null,
  primary key (user_id, device)
);

create index sign_in_devices_seen on sign_in_devices (seen_at);

-- When all sessions of a user were last ended, as after a password change.
create table session_ends (
  user_id bigint primary key references users on delete cascade,
  ended_at timestamptz not null
);

-- A key with which programs call the API. user_id: the person it acts for; wallet_id: the account it acts for,
-- with the rights of the account's owner.
create table api_keys (
  id uuid primary key,
  user_id bigint references users on delete cascade,
  wallet_id uuid references wallets on delete cascade,
  created_by bigint references users on delete set null,
  name text not null,
  -- group:read or group:write, as in the contract
  scopes text[] not null check (cardinality(scopes) > 0),
  -- addresses and networks that may use it; empty: any
  networks text[] not null,
  created_at timestamptz not null,
  -- null: never
  expires_at timestamptz,
  -- when its owner was told that it expires soon
  noticed_at timestamptz,
  last_used_at timestamptz,
  last_used_ip text,
  check (num_nonnulls(user_id, wallet_id) = 1)
);

create index api_keys_user on api_keys (user_id) where user_id is not null;
create index api_keys_wallet on api_keys (wallet_id) where wallet_id is not null;
create index api_keys_creator on api_keys (created_by) where created_by is not null;
create index api_keys_expiry on api_keys (expires_at) where expires_at is not null;

-- A secret of an API key, found by the random prefix that is part of the key. After a rotation the previous
-- secret is valid until valid_until. The secret has 256 random bits, so a fast hash is sufficient.
create table api_key_secrets (
  prefix text primary key,
  key_id uuid not null references api_keys on delete cascade,
  secret_hash bytea not null,
  created_at timestamptz not null,
  valid_until timestamptz
);

create index api_key_secrets_key on api_key_secrets (key_id);

-- Requests of an API key in the current minute.
create table api_key_requests (
  key_id uuid primary key references api_keys on delete cascade,
  began_at timestamptz not null,
  requests integer not null
);
