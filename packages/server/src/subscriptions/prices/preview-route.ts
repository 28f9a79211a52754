import type { PricePreview, SkuType, subscriptionRoutes } from '@gatehouse/contract/billing/subscriptions'
import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { Forbidden, message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { parseObjectId } from '../../platform/ids.ts'
import { requireOwn, requirePaid } from '../../users/access.ts'
import { accountStatus, ownedUser } from '../../users/account-view/account-view.ts'
import { canCreateUsers, canDelete, canRestore, mayBuy, type OwnedObject, sees } from '../../users/policy.ts'
import { type Entitled, readBilledAccount } from '../entitlement-store.ts'
import { objectTypeOf } from '../handlers.ts'
import { packageError } from '../packages.ts'
import { subscriptionRights } from '../policy.ts'
import type { SubscriptionParts } from '../routes.ts'
import { previewChange, previewNew, previewRemoval, previewReturn } from './preview.ts'

type Context = LateContext<(typeof subscriptionRoutes)['POST /api/v4/subscriptions/preview']>
type Body = ReturnType<Context['read']>

/** Previews the price of what forms do to objects of any kind. */
export function serveObjectPreview(api: Api, parts: SubscriptionParts): void {
  api.serveLate('POST /api/v4/subscriptions/preview', (context) => {
    const body = context.read()
    return body.action === 'create' ? ofNew(parts, context, body) : ofObject(parts, context, body)
  })
}

async function ofNew(
  { db, clock, views, config }: SubscriptionParts,
  { principal, language }: Context,
  { type, package: packageId, skus: wanted }: Body,
): Promise<PricePreview> {
  const view = await requireOwn(views, principal)
  const owned = ownedUser(view)
  if (!canCreateUsers(principal, owned)) throw new Forbidden()
  requirePaid(view)
  const { tenantId } = view.user
  const isBought = type === 'user' || type === 'domain'
  const wrong = isBought ? await packageError(db, tenantId, packageId, type) : undefined
  if (wrong !== undefined) throw new ValidationError({ package: wrong })
  return previewNew(db, clock, {
    tenantId,
    walletId: view.wallet.id,
    language,
    type: objectTypeOf(type),
    packageId: (isBought ? packageId : undefined) ?? undefined,
    wanted: areChosen(type) ? wanted : undefined,
    actor: subscriptionRights(principal, owned, accountStatus(view)),
    isOffered: config.APP_WITH_SUBSCRIPTIONS,
  })
}

async function ofObject(
  parts: SubscriptionParts,
  { principal, language }: Context,
  { type, action, id: given, skus: wanted }: Body,
): Promise<PricePreview> {
  const { db, clock, config } = parts
  const id = parseObjectId(String(given ?? ''))
  const object = id === undefined ? undefined : { type: objectTypeOf(type), id }
  const isReturn = action === 'restore'
  const target = object && (isReturn ? await deletedTarget(db, object) : await livingTarget(parts, object))
  if (object === undefined || target === undefined || !sees(principal, target.owned)) throw new NotFound()
  const { owned, status, deletedAt, ...account } = target
  if (!(isReturn ? canRestore : canDelete)(principal, owned)) throw new Forbidden()
  const scope = { ...account, language }
  if (action === 'delete') {
    if (owned.ownerId !== owned.userId) return previewRemoval(db, clock, { ...scope, object })
    const preview = await previewRemoval(db, clock, { ...scope, object: 'all' })
    return { ...preview, forfeit: await parts.creditAtEnd(scope.walletId) }
  }
  if (deletedAt !== null) {
    if (!mayBuy(status)) throw new Forbidden(message('directory.degraded'))
    return previewReturn(db, clock, { ...scope, object, deletedAt })
  }
  if (!areChosen(type)) throw ValidationError.at('type', 'validation.invalid')
  if (wanted == null) throw ValidationError.at('skus', 'validation.required')
  const actor = subscriptionRights(principal, owned, status)
  const isOffered = config.APP_WITH_SUBSCRIPTIONS
  return previewChange(db, clock, { ...scope, object, wanted, actor, isOffered })
}

/** An object to be priced, and who pays for it. */
interface Target {
  readonly tenantId: number
  readonly walletId: string
  readonly owned: OwnedObject
  /** Status bits of the account. */
  readonly status: number
  readonly deletedAt: Date | null
}

async function livingTarget({ db, views }: SubscriptionParts, object: Entitled): Promise<Target | undefined> {
  if (object.type === 'user') {
    const view = await views.read(object.id)
    if (view === undefined) return undefined
    const { user, wallet } = view
    const account = { tenantId: user.tenantId, walletId: wallet.id, status: accountStatus(view) }
    return { ...account, owned: ownedUser(view), deletedAt: null }
  }
  const target = await billedTarget(db, object)
  return target?.deletedAt === null ? target : undefined
}

async function deletedTarget(db: Db, object: Entitled): Promise<Target | undefined> {
  const target = await billedTarget(db, object)
  return target?.deletedAt == null ? undefined : target
}

async function billedTarget(db: Db, object: Entitled): Promise<Target | undefined> {
  const account = await readBilledAccount(db, object)
  if (account === undefined) return undefined
  const { ownerTenantId, ownerId, controllerIds, ownerStatus, tenantId, walletId, deletedAt } = account
  const owned = { tenantId: ownerTenantId, ownerId, controllerIds }
  return {
    ...{ tenantId, walletId, deletedAt, status: ownerStatus },
    owned: object.type === 'user' ? { ...owned, userId: object.id } : owned,
  }
}

/** Only users and rooms have selectable subscriptions; reference api-objects §13.5. */
function areChosen(type: SkuType): boolean {
  return type === 'user' || type === 'room'
}
