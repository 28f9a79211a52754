import { sealPassword } from '../../meetings/rooms/room-password.ts'
import { insertRoom, usersOfTenant, writeModerators, writeRoom } from '../../meetings/rooms/room-store.ts'
import { audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { insertUnits } from '../../subscriptions/entitlement-store.ts'
import { readSkus } from '../../subscriptions/sku-store.ts'
import { demoRooms } from './demo-data.ts'
import { demoUser } from './demo-store.ts'

const ownerEmail = 'owner@acme.test'

/**
 * Adds a shared room with a moderator and a locked one with a password to the account with a custom domain.
 */
export async function makeDemoRooms(trx: Db, clock: Clock, secrets: Secrets): Promise<void> {
  const owner = await demoUser(trx, ownerEmail)
  const { tenantId, walletId } = owner
  if (walletId === null) return
  const skus = await readSkus(trx, tenantId)
  for (const { name, description, sku: title, moderators, locked, password } of demoRooms) {
    // an operator's own catalogue may not have them
    const sku = skus.find((one) => one.title === title && one.active)
    const room = sku && (await insertRoom(trx, clock, { tenantId, walletId, name, description }))
    if (sku === undefined || room === undefined) continue
    const unit = { skuId: sku.id, cost: sku.cost, fee: sku.fee }
    await insertUnits(trx, clock.now(), { type: 'room', id: room.id }, walletId, [unit])
    await writeRoom(trx, clock, room.id, { locked, password: sealPassword(secrets, password) })
    const users = await usersOfTenant(trx, tenantId, moderators)
    await writeModerators(trx, clock, room.id, users)
    await audit(trx, clock, {
      tenantId,
      objectType: 'room',
      objectId: room.id,
      event: 'room.created',
      actor: { email: ownerEmail },
      data: { after: { name, description } },
    })
  }
}
