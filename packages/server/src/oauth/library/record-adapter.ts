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
  /** Users of grants that the library has just removed, by grant id; the reader removes the entries. */
  readonly removedGrants: Map<string, number>
}

/**
 * Stores one kind of the library's records: codes, tokens, grants. Their ids are secrets and stored as hashes,
 * and so are the user codes of devices.
 */
export class RecordAdapter implements Adapter {
  readonly #parts: RecordParts
  readonly #model: string

  constructor(parts: RecordParts, model: string) {
    this.#parts = parts
    this.#model = model
  }

  /** Throws InvalidGrant if the grant has been revoked in the meantime. */
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
        // locks the grant, so that a concurrent revocation either comes first or finds this record
        if (!(await holdGrant(trx, grant))) throw new this.#parts.errors.InvalidGrant('grant is revoked')
      }
      await writeRecord(trx, row).catch((error: unknown) => {
        // two devices never show the same code at the same time
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

  /** Always undefined: the library's own sessions and interactions are not used. */
  async findByUid(): Promise<undefined> {
    return undefined
  }

  /**
   * Throws InvalidGrant if the code was already consumed. The library checks before it consumes, so only this
   * statement detects concurrent use.
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
    // the payload given to upsert(), with the fields added by the library
    return {
      ...complete(payload),
      // lets the library distinguish expired from unknown, since it uses its own clock
      ...(row.expiresAt <= this.#parts.clock.now() && { exp: 1 }),
      ...(row.consumedAt !== null && { consumed: Math.floor(row.consumedAt.getTime() / 1000) }),
    } as AdapterPayload
  }
}

/** Removes scopes that the client is no longer allowed. */
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

/** Reads applications for the library, which never writes them. */
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
