import {
  type AppPasswordScope,
  appPasswordScopes,
  maxAppPasswords,
} from '@gatehouse/contract/sessions/app-passwords'
import { type Actor, audit } from '../../platform/audit.ts'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { isUuid, newUuid } from '../../platform/ids.ts'
import { tellSecurity } from '../../sessions/security-notice.ts'
import { holdUser } from '../../users/member-store.ts'
import { type AppPasswordHasher, newAppPassword, readAppPassword } from './secret.ts'
import {
  countAppPasswords,
  holdAppPassword,
  insertAppPassword,
  nameAppPassword,
  removeAppPassword,
  removeAppPasswords,
  removeExpiredAppPasswords,
} from './store.ts'

export interface AppPasswordParts {
  readonly db: Db
  readonly clock: Clock
  readonly hasher: AppPasswordHasher
}

export interface WantedAppPassword {
  readonly name: string
  readonly scopes: readonly AppPasswordScope[]
  /** Null: it does not expire. */
  readonly expiresAt: Date | null
}

type Owner = Pick<Principal, 'userId' | 'tenantId'>

/**
 * Creates an app password. The secret is only available here. Throws ValidationError if there are too many.
 */
export async function createAppPassword(
  parts: AppPasswordParts,
  owner: Owner,
  wanted: WantedAppPassword,
  actor: Actor,
): Promise<{ id: string; secret: string }> {
  return parts.db.transaction().execute((trx) => create(trx, parts, owner, wanted, actor))
}

async function create(
  trx: Db,
  { clock, hasher }: AppPasswordParts,
  owner: Owner,
  wanted: WantedAppPassword,
  actor: Actor,
): Promise<{ id: string; secret: string }> {
  const { userId } = owner
  // locks the user, so that concurrent requests can't exceed the limit
  if (!(await holdUser(trx, userId))) throw new NotFound()
  if ((await countAppPasswords(trx, userId)) >= maxAppPasswords) {
    throw ValidationError.at('name', 'app-passwords.too-many', { limit: maxAppPasswords })
  }
  const id = newUuid()
  const secret = newAppPassword()
  const scopes = appPasswordScopes.filter((scope) => wanted.scopes.includes(scope))
  await insertAppPassword(trx, {
    id,
    userId,
    name: wanted.name,
    scopes,
    secretHash: hasher.hash(userId, readAppPassword(secret) ?? ''),
    createdAt: clock.now(),
    expiresAt: wanted.expiresAt,
  })
  await record(trx, clock, owner, 'app-password.created', actor, { name: wanted.name, scopes })
  await tell(trx, clock, userId, { kind: 'app-password-added', what: wanted.name, ip: actor.ip })
  return { id, secret }
}

/** Renames an app password. Throws NotFound if it belongs to another user. */
export async function renameAppPassword(
  { db, clock }: Pick<AppPasswordParts, 'db' | 'clock'>,
  owner: Owner,
  { id, name }: { readonly id: string; readonly name: string },
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await hold(trx, owner, id)
    if (found.name === name) return
    await nameAppPassword(trx, found.id, name)
    const data = { before: { name: found.name }, after: { name } }
    await record(trx, clock, owner, 'app-password.renamed', actor, data)
  })
}

/** Deletes an app password and returns its name. Throws NotFound if it belongs to another user. */
export async function deleteAppPassword(
  { db, clock }: Pick<AppPasswordParts, 'db' | 'clock'>,
  owner: Owner,
  id: string,
  actor: Actor,
): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const { id: found, name, scopes } = await hold(trx, owner, id)
    await removeAppPassword(trx, found)
    await record(trx, clock, owner, 'app-password.deleted', actor, { before: { name, scopes } })
    await tell(trx, clock, owner.userId, { kind: 'app-password-removed', what: name, ip: actor.ip })
    return name
  })
}

/** Deletes all app passwords of a user and returns their names. The caller logs the reason. */
export function endAppPasswords(trx: Db, userId: number): Promise<string[]> {
  return removeAppPasswords(trx, userId)
}

/** Days for which expired app passwords are still shown. */
const shownExpired = 30

/** Removes app passwords that expired more than `shownExpired` days ago. */
export class PurgeAppPasswords {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async purge(): Promise<void> {
    await removeExpiredAppPasswords(this.#db, after(this.#clock.now(), -shownExpired * day))
  }
}

async function hold(trx: Db, { userId }: Owner, id: string) {
  const found = isUuid(id) ? await holdAppPassword(trx, userId, id) : undefined
  if (found === undefined) throw new NotFound()
  return found
}

async function tell(
  trx: Db,
  clock: Clock,
  userId: number,
  {
    kind,
    what,
    ip,
  }: {
    readonly kind: 'app-password-added' | 'app-password-removed'
    readonly what: string
    readonly ip: string | undefined
  },
): Promise<void> {
  await tellSecurity(trx, { clock }, { userId, kind, what, ...(ip !== undefined && { ip }) })
}

async function record(
  trx: Db,
  clock: Clock,
  { userId: objectId, tenantId }: Owner,
  event: string,
  actor: Actor,
  data: Record<string, unknown>,
): Promise<void> {
  const after = 'before' in data ? data : { after: data }
  await audit(trx, clock, { tenantId, objectType: 'user', objectId, event, actor, data: after })
}
