import { type ApiKeyKind, keyNoticeDays, maxApiKeys } from '@gatehouse/contract/sessions/api-keys'
import { keyScopeGroups } from '@gatehouse/contract/sessions/key-scopes'
import { z } from 'zod'
import { type Actor, audit } from '../../platform/audit.ts'
import { after, type Clock, day, hour, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newApiKey } from '../../platform/http/callers/api-key-format.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { isUuid, newUuid } from '../../platform/ids.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { SecurityNoticeKind } from '../../platform/mailer/templates/security-mail.ts'
import { holdUser } from '../../users/member-store.ts'
import { tellSecurity } from '../security-notice.ts'
import {
  changeApiKey,
  countApiKeys,
  endSecrets,
  holdApiKey,
  insertApiKey,
  insertSecret,
  purgeKeys,
  removeApiKey,
  removeApiKeys,
  takeExpiring,
  walletsOwnedBy,
} from './store.ts'

export interface ApiKeyParts {
  readonly db: Db
  readonly clock: Clock
}

export interface WantedApiKey {
  readonly kind: ApiKeyKind
  readonly name: string
  readonly scopes: readonly string[]
  readonly networks: readonly string[]
  /** Null: it doesn't expire. */
  readonly expiresAt: Date | null
}

/** Whose keys are managed, and who is told about it: the person, or the account with its owner. */
export interface KeyOwner {
  readonly userId: number
  readonly tenantId: number
  /** The caller's account; undefined if the caller may not manage its keys. */
  readonly account?: { readonly walletId: string; readonly ownerId: number } | undefined
}

/** The scopes a key of a kind can have. */
export function scopesFor(kind: ApiKeyKind): readonly string[] {
  return keyScopeGroups
    .filter(({ isPersonal }) => kind === 'personal' || !isPersonal)
    .flatMap(({ group, accesses }) => accesses.map((access) => `${group}:${access}`))
}

/** Creates an API key. The key itself is only available here. Throws ValidationError if there are too many. */
export async function createApiKey(
  { db, clock }: ApiKeyParts,
  owner: KeyOwner,
  wanted: WantedApiKey,
  actor: Actor,
): Promise<{ id: string; key: string }> {
  const { kind, name, scopes, networks, expiresAt } = wanted
  const made = newApiKey()
  const id = newUuid()
  const createdAt = clock.now()
  await db.transaction().execute(async (trx) => {
    // locks the user, so that concurrent requests can't exceed the limit
    if (!(await holdUser(trx, owner.userId))) throw new NotFound()
    const of = ownerColumns(kind, owner)
    if ((await countApiKeys(trx, of)) >= maxApiKeys) {
      throw ValidationError.at('name', 'api-keys.too-many', { limit: maxApiKeys })
    }
    const known = scopesFor(kind).filter((scope) => scopes.includes(scope))
    const row = { id, ...of, name, scopes: known, networks, createdAt, expiresAt }
    await insertApiKey(trx, { ...row, createdBy: owner.userId })
    await insertSecret(trx, id, { prefix: made.prefix, secretHash: made.secretHash, createdAt })
    const facts = { name, kind, scopes: known, networks, expires: expiresAt && wireDate(expiresAt) }
    await record(trx, clock, owner, of, { event: 'api-key.created', actor, data: { after: facts } })
    await tell(trx, clock, toldOf(owner, of), { kind: 'api-key-added', what: name, ip: actor.ip })
  })
  return { id, key: made.key }
}

/** Changes the name or networks of a key. Throws NotFound if the caller doesn't manage it. */
export async function updateApiKey(
  { db, clock }: ApiKeyParts,
  owner: KeyOwner,
  change: { readonly id: string; readonly name?: string; readonly networks?: string[] },
  actor: Actor,
): Promise<void> {
  const { id, ...values } = change
  await db.transaction().execute(async (trx) => {
    const found = await hold(trx, owner, id)
    const before = { name: found.name, networks: found.networks }
    const after = { ...before, ...values }
    if (JSON.stringify(before) === JSON.stringify(after)) return
    await changeApiKey(trx, id, after)
    await record(trx, clock, owner, found, { event: 'api-key.updated', actor, data: { before, after } })
  })
}

/** Replaces a key's secret. The previous one stays valid for `overlapHours`. */
export async function rotateApiKey(
  { db, clock }: ApiKeyParts,
  owner: KeyOwner,
  rotation: { readonly id: string; readonly overlapHours: number; readonly expiresAt?: Date | null },
  actor: Actor,
): Promise<{ id: string; key: string }> {
  const { id, overlapHours, expiresAt } = rotation
  const made = newApiKey()
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    const found = await hold(trx, owner, id)
    await endSecrets(trx, found.id, now, after(now, overlapHours * hour))
    await insertSecret(trx, found.id, { prefix: made.prefix, secretHash: made.secretHash, createdAt: now })
    if (expiresAt !== undefined) await changeApiKey(trx, found.id, { expiresAt, noticedAt: null })
    const data = { name: found.name, overlapHours }
    await record(trx, clock, owner, found, { event: 'api-key.rotated', actor, data })
    const notice = { kind: 'api-key-rotated', what: found.name, ip: actor.ip } as const
    await tell(trx, clock, toldOf(owner, found), notice)
  })
  return { id, key: made.key }
}

/** Deletes a key, which is refused from then on. Throws NotFound if the caller doesn't manage it. */
export async function revokeApiKey(
  { db, clock }: ApiKeyParts,
  owner: KeyOwner,
  id: string,
  by: { readonly actor: Actor; readonly comment?: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await hold(trx, owner, id)
    await removeApiKey(trx, found.id)
    const data = { before: { name: found.name, scopes: found.scopes } }
    await record(trx, clock, owner, found, { event: 'api-key.revoked', ...by, data })
    const notice = { kind: 'api-key-removed', what: found.name, ip: by.actor.ip } as const
    await tell(trx, clock, toldOf(owner, found), notice)
  })
}

/**
 * Deletes all keys of a person and returns their names. The caller logs the reason. With `andAccounts`, also
 * the keys of accounts that the person owns.
 */
export async function endApiKeys(
  trx: Db,
  userId: number,
  { andAccounts }: { readonly andAccounts: boolean },
): Promise<string[]> {
  const walletIds = andAccounts ? await walletsOwnedBy(trx, userId) : []
  return removeApiKeys(trx, { userId, walletIds })
}

const expiryJob = defineJob('api-keys:expiring', z.object({}), 3)

/** Mails the owners of keys that expire soon every morning. */
export function handleExpiringKeys(jobs: Jobs, parts: ApiKeyParts): void {
  jobs.schedule(expiryJob, '10 7 * * *', () => tellExpiring(parts))
}

/** Enqueues the mails about keys that expire soon, once for each key. */
export async function tellExpiring({ db, clock }: ApiKeyParts): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const now = clock.now()
    const expiring = await takeExpiring(trx, now, after(now, keyNoticeDays * day))
    for (const { name: what, userId, expiresAt } of expiring) {
      await tellSecurity(trx, { clock }, { userId, kind: 'api-key-expiring', what, expiresAt })
    }
  })
}

/** Days for which expired keys are still shown. */
const shownExpired = 30

/** Removes secrets that were rotated, and keys that expired more than `shownExpired` days ago. */
export class PurgeApiKeys {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async purge(): Promise<void> {
    const now = this.#clock.now()
    await purgeKeys(this.#db, now, after(now, -shownExpired * day))
  }
}

type OwnerColumns = { readonly userId: number | null; readonly walletId: string | null }

function ownerColumns(kind: ApiKeyKind, { userId, account }: KeyOwner): OwnerColumns {
  if (kind === 'personal') return { userId, walletId: null }
  if (account === undefined) throw new NotFound()
  return { userId: null, walletId: account.walletId }
}

async function hold(trx: Db, { userId, account }: KeyOwner, id: string) {
  const found = isUuid(id) ? await holdApiKey(trx, id.toLowerCase()) : undefined
  const isOwn = found?.userId === userId
  const isOfAccount = found?.walletId != null && found.walletId === account?.walletId
  if (found === undefined || !(isOwn || isOfAccount)) throw new NotFound()
  return found
}

/** The user who is told about a key, and in whose activity it is listed. */
function toldOf({ userId, account }: KeyOwner, key: OwnerColumns): number {
  return key.walletId === null ? userId : (account?.ownerId ?? userId)
}

async function tell(
  trx: Db,
  clock: Clock,
  userId: number,
  {
    kind,
    what,
    ip,
  }: { readonly kind: SecurityNoticeKind; readonly what: string; readonly ip: string | undefined },
): Promise<void> {
  await tellSecurity(trx, { clock }, { userId, kind, what, ...(ip !== undefined && { ip }) })
}

async function record(
  trx: Db,
  clock: Clock,
  owner: KeyOwner,
  key: OwnerColumns,
  entry: {
    readonly event: string
    readonly actor: Actor
    readonly comment?: string
    readonly data: Record<string, unknown>
  },
): Promise<void> {
  const objectId = toldOf(owner, key)
  await audit(trx, clock, { tenantId: owner.tenantId, objectType: 'user', objectId, ...entry })
}
