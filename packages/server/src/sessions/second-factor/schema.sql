-- Second factors: authenticator apps, passkeys with their challenges, and recovery codes.

-- An authenticator app. Until a code confirms it, it is inactive and expires.
create table second_factors (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('totp')),
  label text not null,
  -- sealed with the master secret
  secret bytea not null,
  algorithm text not null check (algorithm in ('SHA1', 'SHA256', 'SHA512')),
  digits integer not null check (digits between 6 and 8),
  -- seconds per time step
  period integer not null check (period > 0),
  active boolean not null,
  -- the last used time step: each code works once
  last_step bigint,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz
);

create index second_factors_user on second_factors (user_id) where active;
create index second_factors_expiry on second_factors (expires_at) where expires_at is not null;

-- A passkey (WebAuthn credential) of a user.
create table passkeys (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  -- chosen by the authenticator
  credential_id bytea not null unique,
  -- COSE (RFC 9052)
  public_key bytea not null,
  -- signature counter; 0 if the authenticator doesn't count
  counter bigint not null,
  transports text[] not null,
  name text not null,
  is_backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);

create index passkeys_user on passkeys (user_id);

-- A challenge for a passkey to sign. Purpose `alone` is a sign-in without a password, whose user isn't known
-- yet.
create table passkey_challenges (
  id uuid primary key,
  -- the bytes to sign, base64url
  challenge text not null,
  purpose text not null check (purpose in ('register', 'login', 'alone', 'reset', 'step-up')),
  -- null if the user isn't known yet
  user_id bigint references users on delete cascade,
  session_id uuid references sessions on delete cascade,
  ip text not null,
  expires_at timestamptz not null,
  check ((purpose = 'alone') = (user_id is null))
);

create index passkey_challenges_user on passkey_challenges (user_id, purpose) where user_id is not null;
create index passkey_challenges_ip on passkey_challenges (ip, expires_at) where user_id is null;
create index passkey_challenges_session on passkey_challenges (session_id) where session_id is not null;
create index passkey_challenges_expiry on passkey_challenges (expires_at);

-- A single-use recovery code.
create table recovery_codes (
  user_id bigint not null references users on delete cascade,
  -- keyed with the master secret
  hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, hash)
);
