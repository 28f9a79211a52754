import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Api } from '../platform/http/api.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { Forbidden, message, NotFound, ValidationError } from '../platform/http/errors.ts'
import { newObjectId, parseObjectId } from '../platform/ids.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { requirePaid } from '../users/access.ts'
import { type AccountView, accountStatus, ownedUser } from '../users/account-view/account-view.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import { canCreateUsers, canDelete, canRead, isController, sees } from '../users/policy.ts'
import { subscriptionErrors } from './change-subscriptions.ts'
import type { Entitled } from './entitlement-store.ts'
import { packageError } from './packages.ts'
import { subscriptionRights } from './policy.ts'
import { presentPackage, presentSku } from './present.ts'
import { announcedPrices } from './price-changes/store.ts'
import { skusWithNextPrices } from './prices/next-prices.ts'
import { previewChange, previewNew, previewRemoval } from './prices/preview.ts'
import { serveObjectPreview } from './prices/preview-route.ts'
import { readPackages, readSkus } from './sku-store.ts'
import { skusOfObject } from './skus-of-object.ts'

export interface SubscriptionParts {
  readonly config: FeatureSettings & SiteConfig
  readonly db: Db
  readonly clock: Clock
  readonly views: AccountViews
  /** Returns the cents forfeited when a wallet's account is closed. */
  readonly creditAtEnd: (walletId: string) => Promise<number>
}

/** SKUs, packages and the cost of a change; reference api-objects §13. */
export function serveSubscriptions(api: Api, parts: SubscriptionParts): void {
  const { db, clock } = parts
  const isOffered = parts.config.APP_WITH_SUBSCRIPTIONS

  const ownView = async (principal: Principal): Promise<AccountView> => {
    const view = await parts.views.own(principal)
    if (view === undefined) throw new NotFound()
    return view
  }
  const visible = async (principal: Principal, idText: string): Promise<AccountView> => {
    const id = parseObjectId(idText)
    const view = id === undefined ? undefined : await parts.views.read(id)
    if (view === undefined || !sees(principal, ownedUser(view))) throw new NotFound()
    return view
  }

  api.serve('GET /api/v4/skus', async ({ principal, query, language }) => {
    const { tenantId } = principal
    const { type } = query
    if (type == null) {
      const announced = await announcedPrices(db, tenantId)
      const skus = await readSkus(db, tenantId)
      return skus
        .filter((sku) => sku.active)
        .map((sku) => {
          const coming = announced.get(sku.id)
          return { ...presentSku(sku, language), ...(coming && { coming }) }
        })
    }
    const { wallet } = await ownView(principal)
    const skus = await skusWithNextPrices(db, { tenantId, walletId: wallet.id, language })
    return skus.filter((sku) => sku.type === type)
  })

  api.serve('GET /api/v4/users/{id}/skus', async ({ principal, params, language }) => {
    const view = await visible(principal, params.id)
    const owned = ownedUser(view)
    if (!canRead(principal, owned)) throw new Forbidden()
    return skusOfObject(db, {
      object: { type: 'user', id: view.user.id },
      tenantId: view.user.tenantId,
      isController: isController(principal.userId, owned),
      language,
    })
  })

  api.serve('GET /api/v4/packages', async ({ principal, language }) =>
    (await readPackages(db, principal.tenantId)).map((item) => presentPackage(item, language)),
  )

  api.serveLate('POST /api/v4/users/preview', async ({ principal, read, language }) => {
    const view = await ownView(principal)
    const owned = ownedUser(view)
    if (!canCreateUsers(principal, owned)) throw new Forbidden()
    requirePaid(view)
    const { package: packageId, skus: wanted } = read()
    const { tenantId } = view.user
    const actor = subscriptionRights(principal, owned, accountStatus(view))
    const request = { tenantId, walletId: view.wallet.id, language, actor, isOffered }
    const wrong = await packageError(db, tenantId, packageId, 'user')
    if (wrong === undefined && packageId != null) {
      return previewNew(db, clock, { ...request, type: 'user', packageId, wanted })
    }
    const nobody: Entitled = { type: 'user', id: newObjectId() }
    const skus = wanted && (await subscriptionErrors(db, { ...request, object: nobody, wanted }))
    throw new ValidationError({
      package: wrong ?? message('subscriptions.package-required'),
      ...(skus && { skus }),
    })
  })

  api.serveLate('POST /api/v4/users/{id}/preview', async ({ principal, params, read, language }) => {
    const view = await visible(principal, params.id)
    const owned = ownedUser(view)
    // permission to delete a user includes changing subscriptions
    if (!canDelete(principal, owned)) throw new Forbidden()
    const { skus: wanted, delete: isRemoval } = read()
    const object: Entitled = { type: 'user', id: view.user.id }
    const scope = { tenantId: view.user.tenantId, walletId: view.wallet.id, language }
    if (isRemoval === true) {
      if (owned.ownerId !== object.id) return previewRemoval(db, clock, { ...scope, object })
      const preview = await previewRemoval(db, clock, { ...scope, object: 'all' })
      return { ...preview, forfeit: await parts.creditAtEnd(scope.walletId) }
    }
    if (wanted == null) throw ValidationError.at('skus', 'validation.required')
    const actor = subscriptionRights(principal, owned, accountStatus(view))
    return previewChange(db, clock, { ...scope, object, wanted, actor, isOffered })
  })

  serveObjectPreview(api, parts)
}
