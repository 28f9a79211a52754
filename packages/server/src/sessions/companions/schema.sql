-- Companions, their pairing, and sign-ins that wait for them.

-- A companion: a phone or browser that confirms a user's sign-ins. paired_at is null until it is paired.
create table companions (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  -- kept in case all other devices are lost
  is_recovery boolean not null default false,
  device_id text not null default '',
  -- confirms its owner's sign-ins
  mfa_enabled boolean not null default false,
  -- of a native app; browsers have a subscription instead, sealed because its holder could send pushes
  notification_token text,
  -- a Web Push subscription as JSON, sealed with the master secret
  push_subscription bytea,
  paired_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index companions_user on companions (user_id, created_at, id);
-- Every sign-in queries this.
create index companions_paired on companions (user_id) where mfa_enabled;

-- The secret that pairs a companion. A companion has at most one; it is deleted when used.
create table companion_pairings (
  companion_id uuid primary key references companions on delete cascade,
  secret_hash bytea not null unique,
  -- hash of the short code that can be typed instead
  code_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index companion_pairings_expiry on companion_pairings (expires_at);

-- Sign-ins of a user from one address, and the decision about them.
create table auth_attempts (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  -- an IPv6 address may contain an IPv4 address and a zone
  ip text not null check (length(ip) <= 64),
  status text not null check (status in ('NEW', 'ACCEPTED', 'DENIED')),
  service text not null,
  user_agent text not null,
  -- when a confirmation or denial expires
  expires_at timestamptz,
  last_seen timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (user_id, ip)
);

create index auth_attempts_recent on auth_attempts (user_id, updated_at desc, id desc);
create index auth_attempts_updated on auth_attempts (updated_at);

-- A sign-in waiting for a companion. Several from one address share its attempt.
create table sign_in_prompts (
  id uuid primary key,
  attempt_id uuid not null references auth_attempts on delete cascade,
  user_id bigint not null,
  service text not null,
  user_agent text not null,
  -- two digits shown by the client; null if it can't show any
  number text check (number ~ '^[0-9]{2}$'),
  -- for a polling client; null if it waits on its connection or reconnects
  secret_hash bytea,
  -- of the given password: a password change cancels pending sign-ins
  password_mark bytea,
  status text not null check (status in ('WAITING', 'ACCEPTED', 'DENIED', 'USED', 'DROPPED', 'EXPIRED')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index sign_in_prompts_user on sign_in_prompts (user_id, expires_at);
create index sign_in_prompts_attempt on sign_in_prompts (attempt_id, expires_at);
create index sign_in_prompts_expiry on sign_in_prompts (expires_at);
-- scanned every few minutes
create index sign_in_prompts_waiting on sign_in_prompts (expires_at) where status = 'WAITING';

-- Notifies every process that waits for a user's companions or decisions of each change.
create function companions_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('companions', coalesce(new.user_id, old.user_id)::text);
      return null;
    end $$;

create trigger companions_changed after insert or update or delete on companions
  for each row execute function companions_changed();
create trigger auth_attempts_changed after insert or update of status or delete on auth_attempts
  for each row execute function companions_changed();
create trigger sign_in_prompts_changed after insert or update or delete on sign_in_prompts
  for each row execute function companions_changed();
