import type { Api } from '../../platform/http/api.ts'
import { Forbidden } from '../../platform/http/errors.ts'
import { requireOwn } from '../../users/access.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import { canSetPolicies } from '../../users/policy.ts'
import { type PreviewParts, previewPolicies } from './preview.ts'

/** Previews of changed policies. */
export function servePreview(api: Api, parts: PreviewParts & { readonly views: AccountViews }): void {
  api.serve('POST /api/v4/policies/preview', async ({ principal, body }) => {
    const view = await requireOwn(parts.views, principal)
    const { walletId } = view.user
    if (!canSetPolicies(principal, ownedUser(view)) || walletId === null) throw new Forbidden()
    return previewPolicies(parts, { walletId, owner: view.ownerConfig }, body)
  })
}
