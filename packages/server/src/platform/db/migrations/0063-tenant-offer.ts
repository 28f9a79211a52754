import { type Kysely, sql } from 'kysely'

/** Tenants edit their own catalogue and referral programmes, within limits that the service sets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

// a form that began with an older state is told so
const revised = ['skus', 'packages', 'plans', 'referral_programs'].flatMap((table) => [
  `alter table ${table} add column revision bigint not null default 0`,
  `create trigger ${table}_revision before update on ${table} for each row execute function raise_revision()`,
])

const statements = [
  ...revised,
  // plans are shown by this first; those of one position by months and title, as before
  `alter table plans add column position integer not null default 0 check (position >= 0)`,
  `alter table tenant_limits drop constraint tenant_limits_kind_check`,
  `alter table tenant_limits add constraint tenant_limits_kind_check check (kind in ('users', 'storage', 'spend',
    'plan-modes', 'free-months', 'package-discount', 'below-fee', 'public-domains', 'signup-tokens', 'referral-award'))`,
]
