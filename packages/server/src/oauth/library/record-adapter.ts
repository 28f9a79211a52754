import type { Adapter, AdapterPayload, errors } from 'oidc-provider'
import { after, type Clock } from '../../platform/clock.ts'
import { type Db, isUniqueViolation } from '../../platform/db/database.ts'
import { isUuid, newUuid } from '../../platform/ids.ts'
import { sha256 } from '../../platform/secrets.ts'
import { revokeGrant, userOfGrant } from '../authorization/grant-store.ts'
import {
  consumeRecord,
  deleteRecord,
  deleteRecordsOfGrant,
  findRecord,
  holdGrant,
  writeRecord,
} from './record-store.ts'

export interface RecordParts {
  readonly db: Db
  readonly clock: Clock
  readonly errors: typeof errors
  /** Whose grants the library has just removed, by their ids; who hears of that takes them out. */
  readonly removedGrants: Map<string, number>
}

/**
 * Keeps one kind of the library's records: codes, tokens, grants. Their ids, which open something, are kept as hashes;
 * so is the code that a person types for a device.
 */
export class RecordAdapter implements Adapter {
  readonly #parts: RecordParts
  readonly #model: string

  constructor(parts: RecordParts, model: string) {
    this.#parts = parts
    this.#model = model
  }

  /** Throws InvalidGrant when the grant that it belongs to was revoked meanwhile. */
  async upsert(id: string, payload: AdapterPayload, expiresIn = 0): Promise<void> {
    const { db, clock } = this.#parts
    const { jti: _id, userCode, ...facts } = payload
    const now = clock.now()
    const grant = payload.grantId === undefined ? null : sha256(payload.grantId)
    const row = {
      model: this.#model,
      idHash: sha256(id),
      handle: newUuid(),
      grantHash: grant,
      userCodeHash: userCode === undefined ? null : sha256(userCode),
      userId: payload.accountId === undefined ? null : Number(payload.accountId),
      clientId: payload.clientId ?? null,
      payload: JSON.stringify(facts),
      consumedAt: null,
      expiresAt: after(now, expiresIn),
      createdAt: now,
    }
    await db.transaction().execute(async (trx) => {
      if (grant !== null) {
        // holds the grant, so that who revokes it either comes first or finds this record
        if (!(await holdGrant(trx, grant))) throw new this.#parts.errors.InvalidGrant('grant is revoked')
      }
      await writeRecord(trx, row).catch((error: unknown) => {
        // two devices never show the same code at once
        if (!isUniqueViolation(error, 'oauth_records_user_code')) throw error
        throw new this.#parts.errors.TemporarilyUnavailable()
      })
    })
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return this.#find('idHash', id, (payload) => ({ ...payload, jti: id }))
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#find('userCodeHash', userCode, (payload) => ({ ...payload, userCode }))
  }

  /** No record of ours is found so: the library's own sessions and interactions are not used. */
  async findByUid(): Promise<undefined> {
    return undefined
  }

  /**
   * Throws InvalidGrant for whoever comes second: the library looks before it consumes, so of many who present one code
   * at once only this statement knows the first.
   */
  async consume(id: string): Promise<void> {
    const { db, clock, errors } = this.#parts
    const isFirst = await consumeRecord(db, this.#model, sha256(id), clock.now())
    if (!isFirst) throw new errors.InvalidGrant('already used')
  }

  async destroy(id: string): Promise<void> {
    if (this.#model === 'Grant') return this.#destroyGrant(id)
    await deleteRecord(this.#parts.db, this.#model, sha256(id))
  }

  async #destroyGrant(id: string): Promise<void> {
    const { db, removedGrants } = this.#parts
    const userId = await userOfGrant(db, id)
    await revokeGrant(db, sha256(id))
    if (userId !== undefined) removedGrants.set(id, userId)
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await deleteRecordsOfGrant(this.#parts.db, this.#model, sha256(grantId))
  }

  async #find(
    column: 'idHash' | 'userCodeHash',
    value: string,
    complete: (payload: Record<string, unknown>) => Record<string, unknown>,
  ): Promise<AdapterPayload | undefined> {
    const row = await findRecord(this.#parts.db, this.#model, column, sha256(value))
    if (row === undefined || row.disabledAt !== null) return undefined
    const payload = row.clientId === null ? row.payload : narrowed(row.payload, row.scopes ?? [])
    // what upsert() was given, and what the library adds to it
    return {
      ...complete(payload),
      // the library tells expired from unknown, by a clock of its own
      ...(row.expiresAt <= this.#parts.clock.now() && { exp: 1 }),
      ...(row.consumedAt !== null && { consumed: Math.floor(row.consumedAt.getTime() / 1000) }),
    } as AdapterPayload
  }
}

/** A record without the scopes that its client may have no longer. */
function narrowed(payload: Record<string, unknown>, allowed: readonly string[]): Record<string, unknown> {
  const keep = (value: unknown) =>
    typeof value === 'string'
      ? value
          .split(' ')
          .filter((scope) => allowed.includes(scope))
          .join(' ')
      : value
  const openid = payload.openid
  return {
    ...payload,
    ...(payload.scope !== undefined && { scope: keep(payload.scope) }),
    ...(typeof openid === 'object' &&
      openid !== null &&
      'scope' in openid && { openid: { ...openid, scope: keep(openid.scope) } }),
  }
}

/** Reads applications for the library; they are written by staff, never by it. */
export class ClientAdapter implements Adapter {
  readonly #read: (id: string) => Promise<AdapterPayload | undefined>

  constructor(read: (id: string) => Promise<AdapterPayload | undefined>) {
    this.#read = read
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return isUuid(id) ? this.#read(id) : undefined
  }

  async findByUid(): Promise<undefined> {
    return undefined
  }

  async findByUserCode(): Promise<undefined> {
    return undefined
  }

  async upsert(): Promise<void> {}
  async consume(): Promise<void> {}
  async destroy(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
}
