import { type Kysely, sql } from 'kysely'

/** Auto-payment of wallets: the mandate of each, and attempts to set one up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // amounts outlive the mandate, so that the next one begins with what its owner is used to
  `create table wallet_mandates (
    wallet_id uuid primary key references wallets on delete cascade,
    amount bigint not null check (amount > 0),
    threshold bigint not null check (threshold >= 0),
    provider text,
    provider_id text check (length(provider_id) between 1 and 255),
    customer_id text,
    method text,
    method_id text,
    status text check (status in ('valid', 'pending', 'invalid')),
    -- when the provider was last asked
    read_at timestamptz,
    disabled_at timestamptz,
    disabled_reason text check (disabled_reason in ('failed', 'invalid', 'too-small', 'revoked', 'staff')),
    updated_at timestamptz not null,
    check (num_nulls(provider, provider_id, status, read_at) in (0, 4)),
    check (num_nulls(disabled_at, disabled_reason) in (0, 2)),
    check (disabled_at is null or provider_id is not null)
  )`,
  `create unique index wallet_mandates_provider_id on wallet_mandates (provider, provider_id)`,
  `create index wallet_mandates_read_at on wallet_mandates (read_at) where status in ('valid', 'pending')`,

  // what the owner asked for with the set-up counts when it succeeds
  `create table mandate_setups (
    payment_id text primary key references payments,
    wallet_id uuid not null references wallets on delete cascade,
    amount bigint not null check (amount > 0),
    threshold bigint not null check (threshold >= 0),
    -- the owner gave up auto-payment meanwhile: a mandate that comes of it all the same is revoked
    is_withdrawn boolean not null default false
  )`,
  `create index mandate_setups_wallet on mandate_setups (wallet_id)`,

  // however many ask at once, a wallet is charged by one payment at a time
  `create unique index payments_one_recurring on payments (wallet_id)
    where type = 'recurring' and status in ('open', 'pending', 'authorized')`,
]
