import type { Api } from '../platform/http/api.ts'
import type { FreshProof } from '../platform/http/fresh-proof.ts'
import { requireUser } from '../users/access.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import { actorOf } from '../users/actor.ts'
import { canDelete } from '../users/policy.ts'
import { closeAccount, type DeleteParts, deleteUser } from './delete-user.ts'
import { deletedHolder, releaseAddress } from './release-address.ts'
import { type RestoreParts, restoreUser } from './restore-user.ts'

export interface LifecycleParts extends DeleteParts, RestoreParts {
  readonly views: AccountViews
  readonly stepUp: FreshProof
}

/** Deleting and restoring users and accounts, and releasing their addresses; reference api-objects §6. */
export function serveAccountLifecycle(api: Api, parts: LifecycleParts): void {
  const { db, views } = parts

  api.serve('DELETE /api/v4/users/{id}', async ({ principal, params, body, t, ip, language }) => {
    const view = await requireUser(views, principal, params.id, canDelete)
    const isAccount = view.owner?.id === view.user.id
    const actor = actorOf(principal, { ip })
    if (!isAccount) {
      await deleteUser(parts, view, actor)
      return { status: 'success', message: t('users.delete-success') }
    }
    await parts.stepUp.requireFresh(principal)
    await closeAccount(parts, view, actor, { forfeit: body.forfeit, language })
    return { status: 'success', message: t('users.account-delete-success') }
  })

  api.serve('GET /api/v4/addresses/deleted', async ({ principal, query }) => ({
    status: 'success',
    holder: await deletedHolder(db, principal, query.address),
  }))

  api.serve('POST /api/v4/addresses/release', async ({ principal, body, t, ip }) => {
    await releaseAddress(parts, principal, body.address, actorOf(principal, { ip }))
    return { status: 'success', message: t('users.release-success') }
  })

  api.serve('POST /api/v4/users/{id}/restore', async ({ principal, params, t, ip }) => {
    await restoreUser(parts, principal, params.id, actorOf(principal, { ip }))
    return { status: 'success', message: t('users.restore-success') }
  })
}
