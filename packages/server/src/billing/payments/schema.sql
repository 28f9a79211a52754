-- Payments with their VAT, receipts, mandates of auto-payment, and the sandbox provider.

-- A VAT rate of a country, valid from a date.
create table vat_rates (
  id uuid primary key,
  -- ISO 3166-1, two letters
  country text not null check (country ~ '^[A-Z]{2}$'),
  starts_on date not null,
  -- basis points, so that 8.1 % is an integer
  rate integer not null check (rate between 0 and 10000),
  unique (country, starts_on)
);

-- An exchange rate for a date.
create table exchange_rates (
  base text not null check (base ~ '^[A-Z]{3}$'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  day date not null,
  -- value of one unit of the base currency
  rate numeric(20, 10) not null check (rate > 0),
  primary key (base, currency, day),
  check (base <> currency)
);

-- The last receipt number of a tenant per series.
create table receipt_numbers (
  tenant_id integer not null references tenants,
  series text not null,
  last integer not null,
  primary key (tenant_id, series)
);

-- A receipt or credit note: a wallet's payments in one month, with everything printed on it.
create table receipts (
  id uuid primary key,
  tenant_id integer not null references tenants,
  wallet_id uuid not null references wallets,
  kind text not null check (kind in ('receipt', 'credit-note')),
  number text not null,
  period text not null check (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  currency text not null,
  -- cents, including VAT; negative on a credit note
  amount bigint not null,
  facts jsonb not null,
  issued_at timestamptz not null,
  unique (tenant_id, number),
  unique (wallet_id, period, kind)
);

create trigger receipts_stay before update or delete or truncate on receipts
  for each statement execute function refuse_change();

-- A payment, refund or chargeback. The received amount (amount) and the booked one (credit_amount) differ if
-- VAT is added. A payment has our own ID before a provider is called; imported ones use the provider's for
-- both.
create table payments (
  id text primary key check (length(id) between 1 and 64),
  wallet_id uuid not null references wallets,
  type text not null check (type in ('oneoff', 'recurring', 'mandate', 'refund', 'chargeback')),
  status text not null check (status in
    ('open', 'pending', 'authorized', 'paid', 'canceled', 'expired', 'failed')),
  provider text not null,
  -- cents paid by the customer, including VAT; negative for refunds and chargebacks
  amount bigint not null,
  -- cents credited to the wallet
  credit_amount bigint not null,
  -- amount charged at the provider, in minor units of its currency
  currency text not null,
  currency_amount bigint not null,
  vat_rate_id uuid references vat_rates,
  description text not null default '',
  -- also set for undone reversals: a won dispute, or a failed refund
  refund_of text references payments,
  -- the receipt or credit note that lists it
  receipt_id uuid references receipts,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  paid_at timestamptz,
  -- null until the provider has responded; for a refund or chargeback, its own ID
  provider_id text check (length(provider_id) between 1 and 255),
  -- method ID of the contract; empty for imported payments
  method text not null default '',
  -- for example a brand and the last digits
  method_text text,
  -- URL where the customer completes the payment; null once that isn't possible
  checkout_url text,
  is_cancelable boolean not null default false,
  -- version number, so that an older provider check can't overwrite a newer one
  changes integer not null default 0,
  -- when the provider is checked next (null if never), and the number of checks since the last change
  next_look_at timestamptz,
  looks integer not null default 0,
  check ((status = 'paid') = (paid_at is not null)),
  check ((type in ('refund', 'chargeback')) = (refund_of is not null))
);

create unique index payments_provider_id on payments (provider, provider_id);
create index payments_wallet on payments (wallet_id, created_at desc, id);
create index payments_pending on payments (wallet_id, created_at desc)
  where status in ('open', 'pending', 'authorized');
-- Only one payment at a time can charge a wallet, even with concurrent processes.
create unique index payments_one_recurring on payments (wallet_id)
  where type = 'recurring' and status in ('open', 'pending', 'authorized');
create index payments_refunds on payments (refund_of) where refund_of is not null;
create index payments_unreceipted on payments (paid_at, wallet_id)
  where status = 'paid' and receipt_id is null and amount <> 0;
create index payments_next_look on payments (next_look_at) where next_look_at is not null;
create index payments_paid_at on payments (paid_at)
  where status = 'paid' and type in ('oneoff', 'recurring');

-- Payments on a receipt are immutable.
create function keep_receipted_payment() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' or (new.id, new.wallet_id, new.type, new.status, new.amount, new.credit_amount,
        new.receipt_id, new.paid_at) is distinct from (old.id, old.wallet_id, old.type, old.status, old.amount,
        old.credit_amount, old.receipt_id, old.paid_at) then
      raise exception 'payment % stands on a receipt', old.id using errcode = 'restrict_violation';
    end if;
    return new;
  end $$;

create trigger payments_stay before update or delete on payments
  for each row when (old.receipt_id is not null) execute function keep_receipted_payment();

-- A wallet's customer ID at a provider.
create table payment_customers (
  wallet_id uuid not null references wallets,
  provider text not null,
  id text not null check (length(id) between 1 and 255),
  created_at timestamptz not null,
  primary key (wallet_id, provider),
  unique (provider, id)
);

-- Provider data that can't be booked automatically and must not be lost: an operator reviews it.
create table payment_alarms (
  id uuid primary key,
  provider text not null,
  provider_id text not null,
  kind text not null,
  payment_id text references payments,
  facts jsonb not null,
  created_at timestamptz not null,
  unique (provider, provider_id, kind)
);

-- Auto-payment of a wallet, with its mandate. The amounts are kept without a mandate, as defaults for the
-- next one.
create table wallet_mandates (
  wallet_id uuid primary key references wallets on delete cascade,
  -- cents per top-up, and the balance below which it is made
  amount bigint not null check (amount > 0),
  threshold bigint not null check (threshold >= 0),
  provider text,
  provider_id text check (length(provider_id) between 1 and 255),
  customer_id text,
  -- for example a brand and the last digits
  method text,
  method_id text,
  status text check (status in ('valid', 'pending', 'invalid')),
  -- when the provider was last checked
  read_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('failed', 'invalid', 'too-small', 'revoked', 'staff')),
  updated_at timestamptz not null,
  check (num_nulls(provider, provider_id, status, read_at) in (0, 4)),
  check (num_nulls(disabled_at, disabled_reason) in (0, 2)),
  check (disabled_at is null or provider_id is not null)
);

create unique index wallet_mandates_provider_id on wallet_mandates (provider, provider_id);
create index wallet_mandates_read_at on wallet_mandates (read_at) where status in ('valid', 'pending');

-- An attempt to set up a mandate. Its amounts take effect when it succeeds.
create table mandate_setups (
  payment_id text primary key references payments,
  wallet_id uuid not null references wallets on delete cascade,
  -- cents
  amount bigint not null check (amount > 0),
  threshold bigint not null check (threshold >= 0),
  -- the owner ended auto-payment meanwhile: a resulting mandate is revoked
  is_withdrawn boolean not null default false
);

create index mandate_setups_wallet on mandate_setups (wallet_id);

-- The sandbox is a provider with its own storage. Nothing else reads these tables.

-- A payment in the sandbox.
create table sandbox_payments (
  id text primary key,
  -- an order can only have one payment
  payment_id text not null unique,
  -- hash of the secret in its page's URL
  token_hash bytea not null unique,
  kind text not null check (kind in ('payment', 'mandate', 'charge')),
  method text not null,
  status text not null check (status in
    ('open', 'pending', 'authorized', 'paid', 'canceled', 'expired', 'failed')),
  -- minor units
  amount bigint not null check (amount >= 0),
  currency text not null,
  description text not null,
  payer text not null,
  return_url text not null,
  language text not null,
  mandate_id text,
  method_text text,
  created_at timestamptz not null,
  paid_at timestamptz,
  check ((status = 'paid') = (paid_at is not null))
);

-- A mandate in the sandbox. outcome is the result of its charges.
create table sandbox_mandates (
  id text primary key,
  method text not null,
  method_text text not null,
  outcome text not null check (outcome in ('paid', 'failed', 'pending')),
  revoked_at timestamptz,
  created_at timestamptz not null
);

-- A refund or chargeback of a sandbox payment.
create table sandbox_reversals (
  id text primary key,
  payment_id text not null references sandbox_payments,
  type text not null check (type in ('refund', 'chargeback')),
  amount bigint not null check (amount > 0),
  created_at timestamptz not null
);
