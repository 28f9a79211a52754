-- Everything about wallets except balances: discounts, settings, debts and alerts, and referrals.

-- A discount: a percentage off all prices of a wallet. code is the voucher for it.
create table discounts (
  id uuid primary key,
  tenant_id integer not null references tenants,
  code text,
  discount integer not null check (discount between 0 and 100),
  description jsonb not null,
  active boolean not null,
  expires_at timestamptz,
  usage_limit integer check (usage_limit > 0),
  -- number of accounts created with its code
  usage_count integer not null default 0 check (usage_count >= 0),
  check (usage_count <= usage_limit)
);

create unique index discounts_code on discounts (tenant_id, code);

alter table wallets add foreign key (discount_id) references discounts on delete set null;

-- A key/value setting of a wallet.
create table wallet_settings (
  wallet_id uuid not null references wallets on delete cascade,
  key text not null,
  value text not null,
  primary key (wallet_id, key)
);

create index wallet_settings_key on wallet_settings (key, wallet_id)
  where key in ('degraded_for_debt', 'trial_end_notice');

-- A debt: the time since a wallet's balance became negative, with the steps taken. The ledger inserts the row
-- when the balance becomes negative and deletes it when it no longer is.
create table wallet_debts (
  wallet_id uuid primary key references wallets on delete cascade,
  negative_since timestamptz not null,
  -- when each step was taken; null if not yet
  initial_at timestamptz,
  reminder_at timestamptz,
  degrade_at timestamptz,
  degraded_reminder_at timestamptz,
  warning_at timestamptz
);

create index wallet_debts_since on wallet_debts (negative_since);

-- A threshold for an alert: sent once when the balance falls below it, and again after it was above.
create table wallet_alerts (
  wallet_id uuid not null references wallets on delete cascade,
  -- cents
  threshold bigint not null check (threshold >= 0),
  -- null if the balance has recovered, or never fell below
  alerted_at timestamptz,
  -- when the balance reached the threshold again after an alert; cleared with the next one
  resolved_at timestamptz,
  -- the last alert, whether or not the balance has recovered since
  last_alert_at timestamptz,
  primary key (wallet_id, threshold)
);

-- A referral programme: rewards customers whose codes are used by others to sign up.
create table referral_programs (
  id uuid primary key,
  tenant_id integer not null references tenants,
  active boolean not null,
  name jsonb not null,
  description jsonb not null,
  -- cents, for the referrer
  award_amount integer not null default 0 check (award_amount >= 0),
  -- cents that the new customer must have paid, less refunds
  payments_threshold integer not null default 0 check (payments_threshold >= 0),
  -- for the new customer
  discount_id uuid references discounts on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- version for detecting stale form submissions
  revision bigint not null default 0
);

create index referral_programs_tenant on referral_programs (tenant_id, created_at);
create trigger referral_programs_revision before update on referral_programs
  for each row execute function raise_revision();

-- A user's code in a programme.
create table referral_codes (
  code text primary key check (code ~ '^[2-9A-HJ-NP-Z]{1,16}$'),
  user_id bigint not null references users on delete cascade,
  program_id uuid not null references referral_programs on delete cascade,
  created_at timestamptz not null,
  unique (program_id, user_id)
);

create index referral_codes_user on referral_codes (user_id);

-- A user who signed up with a code. Each user is referred at most once.
create table referrals (
  id uuid primary key,
  code text not null references referral_codes on delete cascade,
  user_id bigint not null unique references users on delete cascade,
  created_at timestamptz not null,
  -- when it was rewarded, or closed without a reward
  redeemed_at timestamptz,
  -- how often the reward was taken back: each new one is a separate ledger entry
  takebacks integer not null default 0 check (takebacks >= 0)
);

create index referrals_code on referrals (code);
