import { type Kysely, sql } from 'kysely'

/** Programmes that award those by whose code others sign up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table referral_programs (
    id uuid primary key,
    tenant_id integer not null references tenants,
    active boolean not null,
    name jsonb not null,
    description jsonb not null,
    -- cents, for who referred
    award_amount integer not null default 0 check (award_amount >= 0),
    -- cents that the newcomer has to have paid, refunds taken off
    payments_threshold integer not null default 0 check (payments_threshold >= 0),
    -- for the newcomer
    discount_id uuid references discounts on delete set null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create index referral_programs_tenant on referral_programs (tenant_id, created_at)`,

  `create table referral_codes (
    code text primary key check (code ~ '^[2-9A-HJ-NP-Z]{1,16}$'),
    user_id bigint not null references users on delete cascade,
    program_id uuid not null references referral_programs on delete cascade,
    created_at timestamptz not null,
    unique (program_id, user_id)
  )`,
  `create index referral_codes_user on referral_codes (user_id)`,

  // who signed up is referred once
  `create table referrals (
    id uuid primary key,
    code text not null references referral_codes on delete cascade,
    user_id bigint not null unique references users on delete cascade,
    created_at timestamptz not null,
    -- when it was awarded, or closed without an award
    redeemed_at timestamptz
  )`,
  `create index referrals_code on referrals (code)`,
]
