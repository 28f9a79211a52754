import { type Kysely, sql } from 'kysely'

/** What one member of staff booked alone, over all wallets; room shares with addresses that may be nobody's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create index ledger_entries_booked_alone on ledger_entries (actor_id, created_at) where key like 'staff:%'`,
  // a share keeps the address that the owner named, so that it looks alike whether or not somebody has it
  `alter table room_permissions add column address text`,
  `update room_permissions p set address = u.email from users u where u.id = p.user_id`,
  `alter table room_permissions alter column address set not null`,
  `alter table room_permissions alter column user_id drop not null`,
  `alter table room_permissions drop constraint room_permissions_room_id_user_id_key`,
  `alter table room_permissions add unique (room_id, address)`,
]
