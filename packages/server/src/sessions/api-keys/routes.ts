import { maxApiKeys } from '@gatehouse/contract/sessions/api-keys'
import { keyScopeGroups } from '@gatehouse/contract/sessions/key-scopes'
import { after, type Clock, day, wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import { NotANetwork, networkList } from '../../platform/http/callers/network-list.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, message } from '../../platform/http/errors.ts'
import { type Checked, together } from '../../platform/http/validation.ts'
import type { Locator } from '../../platform/location.ts'
import { requireOwn } from '../../users/access.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import { actorOf } from '../../users/actor.ts'
import type { ApiKeySettings } from './api-key-settings.ts'
import {
  type ApiKeyParts,
  createApiKey,
  type KeyOwner,
  revokeApiKey,
  rotateApiKey,
  scopesFor,
  updateApiKey,
} from './api-keys.ts'
import { canMakeAccountKeys, canRevokeAccountKeys } from './policy.ts'
import { presentApiKey } from './present.ts'
import { readApiKeys } from './store.ts'

export interface ServeApiKeyParts extends ApiKeyParts {
  readonly locator: Locator
  readonly views: AccountViews
  readonly config: ApiKeySettings
}

/** Routes for a person's own API keys and those of the account. Keys themselves can't use them. */
export function serveApiKeys(api: Api, parts: ServeApiKeyParts): void {
  const { db, clock, locator, views, config } = parts
  const maxDays = config.API_KEY_MAX_DAYS === 0 ? null : config.API_KEY_MAX_DAYS

  api.serve('GET /api/v4/api-keys', async ({ principal }) => {
    const now = clock.now()
    const view = await requireOwn(views, principal)
    const account = ownedUser(view)
    const isController = canRevokeAccountKeys(principal, account)
    const walletIds = isController ? [view.wallet.id] : []
    const rows = await readApiKeys(db, { userId: principal.userId, walletIds }, now)
    const list = rows.map((row) => presentApiKey(row, locator, now))
    const own = list.filter(({ kind }) => kind === 'personal')
    return {
      list: own,
      count: own.length,
      account: isController
        ? {
            list: list.filter(({ kind }) => kind === 'account'),
            canCreate: canMakeAccountKeys(principal, account),
          }
        : null,
      limit: maxApiKeys,
      groups: keyScopeGroups.map(({ group, accesses, isPersonal }) => ({
        group,
        accesses: [...accesses],
        isPersonal,
      })),
      requestsPerMinute: config.API_KEY_RATE,
      maxDays,
    }
  })

  api.serveLate('POST /api/v4/api-keys', async ({ principal, read, t, ip }) => {
    const owner = await ownerOf(views, principal, canMakeAccountKeys)
    const { body, found } = await read((fields) => checkKey(fields, clock, maxDays))
    if (body.kind === 'account' && owner.account === undefined) throw new Forbidden()
    const wanted = { kind: body.kind, name: body.name, scopes: body.scopes, ...found }
    const made = await createApiKey(parts, owner, wanted, actorOf(principal, { ip }))
    return { status: 'success', message: t('api-keys.created'), ...made }
  })

  api.serveLate('PUT /api/v4/api-keys/{id}', async ({ principal, params, read, t, ip }) => {
    const owner = await ownerOf(views, principal, canMakeAccountKeys)
    const { body } = await read((fields) => checkNetworks(fields.networks))
    const change = {
      id: params.id,
      ...(body.name !== undefined && { name: body.name }),
      ...(body.networks !== undefined && { networks: body.networks }),
    }
    await updateApiKey(parts, owner, change, actorOf(principal, { ip }))
    return { status: 'success', message: t('api-keys.updated') }
  })

  api.serveLate('POST /api/v4/api-keys/{id}/rotate', async ({ principal, params, read, t, ip }) => {
    const owner = await ownerOf(views, principal, canMakeAccountKeys)
    const { body, found } = await read(({ expires_at: expiry }): Checked<NewExpiry> => {
      if (expiry === undefined) return { value: {} }
      return together({}, { expiresAt: checkExpiry(expiry, clock, maxDays) })
    })
    const rotation = { id: params.id, overlapHours: body.overlapHours, ...found }
    const made = await rotateApiKey(parts, owner, rotation, actorOf(principal, { ip }))
    return { status: 'success', message: t('api-keys.rotated'), ...made }
  })

  api.serve('DELETE /api/v4/api-keys/{id}', async ({ principal, params, t, ip }) => {
    const owner = await ownerOf(views, principal, canRevokeAccountKeys)
    await revokeApiKey(parts, owner, params.id, { actor: actorOf(principal, { ip }) })
    return { status: 'success', message: t('api-keys.revoked') }
  })
}

/** Returns the caller, with the account if the rule allows the caller to manage its keys. */
async function ownerOf(
  views: AccountViews,
  principal: Principal,
  may: typeof canMakeAccountKeys,
): Promise<KeyOwner> {
  const { userId, tenantId } = principal
  const view = await requireOwn(views, principal)
  const { ownerId } = ownedUser(view)
  const isAllowed = ownerId !== null && may(principal, ownedUser(view))
  return { userId, tenantId, account: isAllowed ? { walletId: view.wallet.id, ownerId } : undefined }
}

/** Empty if the expiry stays as it is. */
interface NewExpiry {
  readonly expiresAt?: Date | null
}

interface KeyFields {
  readonly kind?: 'personal' | 'account' | undefined
  readonly scopes?: readonly string[] | undefined
  readonly networks?: readonly string[] | null | undefined
  readonly expires_at?: string | null | undefined
}

function checkKey(
  { kind = 'personal', scopes = [], networks, expires_at }: KeyFields,
  clock: Clock,
  maxDays: number | null,
): Checked<{ networks: readonly string[]; expiresAt: Date | null }> {
  const offered = scopesFor(kind)
  const areKnown = scopes.every((scope) => offered.includes(scope))
  return together(areKnown ? {} : { scopes: message('api-keys.unknown-scope') }, {
    networks: checkNetworks(networks),
    expiresAt: checkExpiry(expires_at ?? null, clock, maxDays),
  })
}

function checkNetworks(networks: readonly string[] | null | undefined): Checked<readonly string[]> {
  try {
    networkList(networks ?? [])
    return { value: networks ?? [] }
  } catch (error) {
    if (!(error instanceof NotANetwork)) throw error
    return { errors: { networks: message('api-keys.not-a-network', { entry: error.message }) } }
  }
}

/** Parses a date that must exist, lie in the future, and not exceed the installation's limit. */
function checkExpiry(text: string | null, clock: Clock, maxDays: number | null): Checked<Date | null> {
  const now = clock.now()
  if (text === null) {
    return maxDays === null
      ? { value: null }
      : { errors: { expires_at: message('api-keys.too-long', { days: maxDays }) } }
  }
  const moment = new Date(`${text.replace(' ', 'T')}Z`)
  const isReal = !Number.isNaN(moment.getTime()) && wireDate(moment) === text
  if (!isReal || moment <= now) return { errors: { expires_at: message('api-keys.past') } }
  if (maxDays !== null && moment > after(now, maxDays * day)) {
    return { errors: { expires_at: message('api-keys.too-long', { days: maxDays }) } }
  }
  return { value: moment }
}
