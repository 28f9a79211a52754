import { type Kysely, sql } from 'kysely'

/**
 * Who was let in by a proxy that knows where people are, a short while ago: the mail server behind it asks again for the
 * same sign-in and does not know.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table mail_passes (
    user_id bigint not null references users on delete cascade,
    ip text not null,
    is_confirmed boolean not null,
    passed_at timestamptz not null,
    primary key (user_id, ip, is_confirmed)
  )`,
  `create index mail_passes_passed on mail_passes (passed_at)`,
]
