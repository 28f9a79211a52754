-- App passwords, and sign-ins that a mail proxy had verified.

-- A random password for one mail or calendar program.
create table app_passwords (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['imap', 'smtp', 'dav', 'files']),
  secret_hash bytea not null,
  created_at timestamptz not null,
  -- null: never
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_ip text,
  last_used_service text
);

-- The whole secret is random, so it can be looked up by its keyed hash.
create unique index app_passwords_secret on app_passwords (user_id, secret_hash);
create index app_passwords_expiry on app_passwords (expires_at) where expires_at is not null;

-- A recent sign-in verified for a proxy, which knows the client's address. The mail server behind it verifies
-- the same sign-in again and doesn't know the address.
create table mail_passes (
  user_id bigint not null references users on delete cascade,
  ip text not null,
  -- confirmed on a companion device
  is_confirmed boolean not null,
  passed_at timestamptz not null,
  primary key (user_id, ip, is_confirmed)
);

create index mail_passes_passed on mail_passes (passed_at);
