-- API keys: programs call the API with them, for a person or for an account.
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
