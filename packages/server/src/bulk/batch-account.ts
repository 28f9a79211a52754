import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { OwnedObject } from '../users/policy.ts'

/** The account of a wallet, as the rules about rights see it. */
export async function readBatchAccount(db: Db, walletId: string): Promise<OwnedObject | undefined> {
  const { rows } = await sql<{
    tenant_id: number
    user_id: number
    controller_ids: number[]
  }>`select o.tenant_id, w.user_id,
      array(select c.user_id from wallet_controllers c where c.wallet_id = w.id) as controller_ids
    from wallets w join users o on o.id = w.user_id where w.id = ${walletId}`.execute(db)
  const row = rows[0]
  return row && { tenantId: row.tenant_id, ownerId: row.user_id, controllerIds: row.controller_ids }
}
