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
