import { type Kysely, sql } from 'kysely'

/** What charts are made from, by day; limits of tenants; why an invitation could not be sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // counted at night, so that a chart adds up days and looks only at what came since
  `create table daily_stats (
    kind text not null check (kind in ('created', 'deleted', 'payers', 'country')),
    tenant_id integer not null references tenants,
    day date not null,
    label text not null default '',
    value bigint not null,
    primary key (kind, day, tenant_id, label)
  )`,
  `create index users_created_at on users (created_at) include (tenant_id)`,
  `create index payments_paid_at on payments (paid_at)
    where status = 'paid' and type in ('oneoff', 'recurring')`,

  // absent: as much as is ordered
  `create table tenant_limits (
    tenant_id integer not null references tenants on delete cascade,
    kind text not null check (kind in ('users', 'storage', 'spend')),
    value bigint not null check (value >= 0),
    primary key (tenant_id, kind)
  )`,
  `create index entitlements_storage on entitlements (sku_id, wallet_id) where deleted_at is null`,

  `alter table signup_invitations add column error text`,
  // one address is invited once at a time
  `create unique index signup_invitations_open on signup_invitations (tenant_id, email) where status <> 8`,
]
