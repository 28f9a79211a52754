import { type Kysely, sql } from 'kysely'

/** Public domains and sign-up tokens that tenants look after themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // a closed public domain keeps its users and takes no new ones
  `alter table domains add column signup_closed_at timestamptz`,
  // a name that a tenant wants to open for sign-up and has not proved yet; it blocks nobody else
  `create table public_domain_claims (
    tenant_id integer not null references tenants on delete cascade,
    namespace text not null check (namespace = lower(namespace)),
    claimed_at timestamptz not null,
    checked_at timestamptz,
    failure text check (failure in ('absent', 'different', 'alias', 'unreachable')),
    primary key (tenant_id, namespace)
  )`,

  // two tenants may have tokens of one name: otherwise each could find out those of the other
  `alter table signup_tokens add column tenant_id integer references tenants, add column revoked_at timestamptz`,
  `update signup_tokens t set tenant_id = p.tenant_id from plans p where p.id = t.plan_id`,
  `alter table signup_tokens alter column tenant_id set not null`,
  `alter table signup_tokens drop constraint signup_tokens_pkey, add primary key (tenant_id, token)`,
  `create index signup_tokens_created on signup_tokens (tenant_id, created_at desc, token)`,
]
