import { type Kysely, sql } from 'kysely'

/** An account is handed to another of its users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // `give`: the owner confirms; `take`: the heir accepts, once the owner has confirmed
  `alter table account_offers
    drop constraint account_offers_kind_check,
    add constraint account_offers_kind_check check (kind in ('controller', 'give', 'take')),
    add column heir_id bigint references users on delete cascade,
    add check ((kind = 'controller') = (heir_id is null))`,
  `create unique index account_offers_hand_over on account_offers (wallet_id) where kind <> 'controller'`,
  `create index account_offers_heir on account_offers (heir_id) where heir_id is not null`,
]
