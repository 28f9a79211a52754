import { type Kysely, sql } from 'kysely'

/** Payments that are on their way, who customers are at providers, exchange rates, and what an operator must look at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // a payment has an id of ours before a provider is asked; what was imported keeps the provider's for both
  `alter table payments
    add column provider_id text check (length(provider_id) between 1 and 255),
    add column method text not null default '',
    add column method_text text,
    add column checkout_url text,
    add column is_cancelable boolean not null default false,
    -- counts what was written after a look at the provider, so that an older look changes nothing
    add column changes integer not null default 0,
    -- when the provider is asked next by itself, and how often it was since the last change; null: never again
    add column next_look_at timestamptz,
    add column looks integer not null default 0`,
  `update payments set provider_id = id`,
  `create unique index payments_provider_id on payments (provider, provider_id)`,
  `create index payments_next_look on payments (next_look_at) where next_look_at is not null`,
  `create index payments_pending on payments (wallet_id, created_at desc)
    where status in ('open', 'pending', 'authorized')`,
  // a dispute that was won, or a refund that failed, comes back on a row that refers to the payment as well
  `alter table payments drop constraint payments_check2`,

  `create table payment_customers (
    wallet_id uuid not null references wallets,
    provider text not null,
    id text not null check (length(id) between 1 and 255),
    created_at timestamptz not null,
    primary key (wallet_id, provider),
    unique (provider, id)
  )`,

  // what cannot be booked by rule and must not be lost
  `create table payment_alarms (
    id uuid primary key,
    provider text not null,
    provider_id text not null,
    kind text not null,
    payment_id text references payments,
    facts jsonb not null,
    created_at timestamptz not null,
    unique (provider, provider_id, kind)
  )`,

  `create table exchange_rates (
    base text not null check (base ~ '^[A-Z]{3}$'),
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    day date not null,
    -- what one unit of the base is in the currency
    rate numeric(20, 10) not null check (rate > 0),
    primary key (base, currency, day),
    check (base <> currency)
  )`,

  // the sandbox is a provider with a memory of its own; nothing else reads these tables
  `create table sandbox_payments (
    id text primary key,
    payment_id text not null unique,
    token_hash bytea not null unique,
    kind text not null check (kind in ('payment', 'mandate', 'charge')),
    method text not null,
    status text not null check (status in
      ('open', 'pending', 'authorized', 'paid', 'canceled', 'expired', 'failed')),
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
  )`,
  `create table sandbox_mandates (
    id text primary key,
    method text not null,
    method_text text not null,
    -- what comes of a charge
    outcome text not null check (outcome in ('paid', 'failed', 'pending')),
    revoked_at timestamptz,
    created_at timestamptz not null
  )`,
  `create table sandbox_reversals (
    id text primary key,
    payment_id text not null references sandbox_payments,
    type text not null check (type in ('refund', 'chargeback')),
    amount bigint not null check (amount > 0),
    created_at timestamptz not null
  )`,
]
