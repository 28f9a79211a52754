-- Previous passwords, and codes to set a new one.

-- A previous password of a user, which the policy may forbid to reuse.
create table password_history (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  password_hash text not null,
  created_at timestamptz not null
);

create index password_history_user on password_history (user_id, created_at desc);

-- A code with which a user can set a password. user_id is unknown until the mail job has looked up the user;
-- creator_id is who created a one-time link for another user.
create table verification_codes (
  id uuid primary key,
  code_hash bytea not null unique,
  mode text not null check (mode in ('password-reset')),
  user_id bigint references users on delete cascade,
  creator_id bigint references users on delete cascade,
  active boolean not null,
  attempts integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create index verification_codes_user on verification_codes (user_id);
create index verification_codes_creator on verification_codes (creator_id);
create index verification_codes_expiry on verification_codes (expires_at);
