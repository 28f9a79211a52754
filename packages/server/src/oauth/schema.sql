-- OAuth and OpenID Connect: applications, consents, codes, tokens and grants, and the keys that sign ID tokens.

-- An application that may ask users for their consent. built_in names those configured in the settings.
create table oauth_clients (
  id uuid primary key,
  name text not null,
  -- null: a public client, which has to use PKCE
  secret_hash bytea,
  redirect_uris text[] not null,
  post_logout_redirect_uris text[] not null,
  scopes text[] not null,
  grants text[] not null,
  id_token_alg text not null check (id_token_alg in ('RS256', 'ES256')),
  built_in text unique,
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- requests without PKCE are rejected
  require_pkce boolean not null,
  check (require_pkce or secret_hash is not null)
);

-- A user's consent to an application, for each sorted set of scopes.
create table oauth_consents (
  user_id bigint not null references users on delete cascade,
  client_id uuid not null references oauth_clients on delete cascade,
  scopes text[] not null,
  created_at timestamptz not null,
  approved_at timestamptz not null,
  primary key (user_id, client_id, scopes)
);

-- A code, token or grant, as the library stores it. Secrets are stored as hashes. A grant may be borrowed:
-- actor_id is who really uses it, session_id the session in which that began.
create table oauth_records (
  model text not null,
  id_hash bytea not null,
  -- id in lists
  handle uuid not null unique,
  grant_hash bytea,
  user_code_hash bytea,
  user_id bigint references users on delete cascade,
  client_id uuid references oauth_clients on delete cascade,
  -- as stored by the library, without the id
  payload jsonb not null,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  actor_id bigint references users on delete cascade,
  session_id uuid references sessions on delete cascade,
  primary key (model, id_hash),
  check ((actor_id is null) = (session_id is null)),
  check (actor_id is null or model = 'Grant')
);

create index oauth_records_grant on oauth_records (grant_hash) where grant_hash is not null;
create unique index oauth_records_user_code on oauth_records (user_code_hash) where user_code_hash is not null;
create index oauth_records_user on oauth_records (user_id, client_id) where user_id is not null;
create index oauth_records_client on oauth_records (client_id) where client_id is not null;
create index oauth_records_session on oauth_records (session_id) where session_id is not null;
create index oauth_records_actor on oauth_records (actor_id) where actor_id is not null;
create index oauth_records_expiry on oauth_records (expires_at);

-- Grants that are active, apart from their expiry: a borrowed grant is active while its session and the actor
-- are.
create view oauth_live_grants as
  select g.id_hash, g.handle, g.user_id, g.client_id, g.expires_at, g.actor_id, a.email as actor_email
  from oauth_records g
    left join sessions s on s.id = g.session_id
    left join users a on a.id = g.actor_id
  where g.model = 'Grant' and (g.actor_id is null or (s.revoked_at is null and a.deleted_at is null
    and a.status & 4 = 0 and (s.impersonation_id is null or a.role is not null)));

-- A key pair that signs ID tokens; the private part is sealed. It is published before it signs (signs_from),
-- so that clients with cached keys get it in time, and until expires_at after it signed (retired_at).
create table oauth_keys (
  kid text primary key,
  alg text not null check (alg in ('RS256', 'ES256')),
  sealed bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  expires_at timestamptz,
  signs_from timestamptz not null,
  check ((retired_at is null) = (expires_at is null))
);

-- Only one key of a kind is current at a time, whichever process creates it.
create unique index oauth_keys_signing on oauth_keys (alg) where retired_at is null;
