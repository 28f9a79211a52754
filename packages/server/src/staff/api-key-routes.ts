import type { Api } from '../platform/http/api.ts'
import type { Locator } from '../platform/location.ts'
import { revokeApiKey } from '../sessions/api-keys/api-keys.ts'
import { presentApiKey } from '../sessions/api-keys/present.ts'
import { readApiKeys, walletsOwnedBy } from '../sessions/api-keys/store.ts'
import { actorOf } from '../users/actor.ts'
import type { StaffParts } from './staff-parts.ts'
import { requireCustomer, requireSeen } from './staff-user.ts'

type Parts = Pick<StaffParts, 'db' | 'clock'> & { readonly locator: Locator }

/** Staff see a customer's API keys and can revoke them; they can't create or rotate any. */
export function serveStaffApiKeys(api: Api, parts: Parts): void {
  const { db, clock, locator } = parts
  const keysOf = async (userId: number) => {
    const now = clock.now()
    const rows = await readApiKeys(db, { userId, walletIds: await walletsOwnedBy(db, userId) }, now)
    return rows.map((row) => presentApiKey(row, locator, now))
  }

  api.serve('GET /api/v4/users/{id}/api-keys', async ({ principal, params }) => {
    const view = await requireSeen(db, principal, params.id)
    const list = await keysOf(view.user.id)
    return { list, count: list.length }
  })

  api.serve('POST /api/v4/users/{id}/api-keys/{key}/revoke', async ({ principal, params, t, ip }) => {
    const view = await requireCustomer(db, principal, params.id)
    const { id: userId, tenantId } = view.user
    const owned = await walletsOwnedBy(db, userId)
    const account = owned.includes(view.wallet.id) ? { walletId: view.wallet.id, ownerId: userId } : undefined
    await revokeApiKey(parts, { userId, tenantId, account }, params.key, {
      actor: actorOf(principal, { ip }),
    })
    return { status: 'success', message: t('api-keys.revoked') }
  })
}
