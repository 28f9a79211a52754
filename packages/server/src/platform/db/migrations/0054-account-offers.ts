import { type Kysely, sql } from 'kysely'

/** People are offered control of an account by mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // an accepted offer is deleted, so that its link works once; `user_id` is null where nobody has the address
  `create table account_offers (
    id uuid primary key,
    kind text not null check (kind in ('controller')),
    wallet_id uuid not null references wallets on delete cascade,
    email text not null check (email = lower(email)),
    user_id bigint references users on delete cascade,
    invited_by bigint references users on delete cascade,
    code_hash bytea not null unique,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create unique index account_offers_invitation on account_offers (wallet_id, email) where kind = 'controller'`,
  `create index account_offers_user on account_offers (user_id)`,
  `create index account_offers_invited_by on account_offers (invited_by)`,
  `create index account_offers_expires on account_offers (expires_at)`,
]
