-- What authorizes a sign-up: codes that prove an address, tokens and invitations.

-- A started sign-up. The code proves the address; if there is no address, a token was used instead.
create table signup_codes (
  id uuid primary key,
  code_hash bytea not null unique,
  tenant_id integer not null references tenants,
  plan_id uuid not null references plans,
  email text,
  first_name text,
  last_name text,
  voucher text,
  referral text,
  language text not null,
  ip text not null,
  verify_ip text,
  submit_ip text,
  user_agent text not null,
  attempts integer not null default 0,
  user_id bigint references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  token text,
  check (email is null or token is null)
);

create index signup_codes_email on signup_codes (email, expires_at) where used_at is null;
create index signup_codes_ip on signup_codes (ip, expires_at) where used_at is null;
create index signup_codes_expiry on signup_codes (expires_at);

-- A token that lets its holders sign up for a plan. Two tenants may use the same token text: otherwise each
-- could discover the other's.
create table signup_tokens (
  -- in upper case
  token text check (token = upper(token) and length(token) between 1 and 191),
  plan_id uuid not null references plans,
  -- accounts created with it
  counter integer not null default 0 check (counter >= 0),
  usage_limit integer check (usage_limit > 0),
  expires_at timestamptz,
  created_at timestamptz not null,
  tenant_id integer not null references tenants,
  revoked_at timestamptz,
  primary key (tenant_id, token),
  check (counter <= usage_limit)
);

create index signup_tokens_plan on signup_tokens (plan_id);
create index signup_tokens_created on signup_tokens (tenant_id, created_at desc, token);

-- An invitation by e-mail. status is one of 1 new, 2 sent, 4 failed, 8 completed; error says why it couldn't
-- be sent.
create table signup_invitations (
  id uuid primary key,
  tenant_id integer not null references tenants,
  email text not null check (email = lower(email)),
  status smallint not null check (status in (1, 2, 4, 8)),
  user_id bigint references users on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  error text,
  first_name text,
  last_name text,
  check (user_id is null or status = 8)
);

create index signup_invitations_tenant on signup_invitations (tenant_id, created_at desc, id desc);
create index signup_invitations_email on signup_invitations (tenant_id, email);
-- An address has at most one open invitation per tenant.
create unique index signup_invitations_open on signup_invitations (tenant_id, email) where status <> 8;
create index signup_invitations_user on signup_invitations (user_id) where user_id is not null;
