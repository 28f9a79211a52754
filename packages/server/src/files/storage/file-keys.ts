import { randomBytes } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { type Secrets, seal, unseal } from '../../platform/secrets.ts'
import {
  currentKey,
  holdOldPieces,
  insertKey,
  removeOldThumbnails,
  removeUnusedKeys,
  retireKey,
  sealedKey,
  setPieceKey,
} from './key-store.ts'

export const fileKeyPurpose = 'file-key'

/** Pieces rewrapped per statement after a key rotation. */
const batch = 500

/** A wrapping key, identified by name. */
export interface WrappingKey {
  readonly id: string
  readonly key: Buffer
}

/**
 * The keys that wrap the keys of pieces and thumbnails. They are created on demand and sealed with the master
 * secret. After a rotation new pieces use the new key and the keys of old ones are rewrapped; content is not
 * re-encrypted.
 */
export class FileKeys {
  readonly #db: Db
  readonly #clock: Clock
  readonly #secrets: Secrets
  readonly #known = new Map<string, Buffer>()
  #current: { readonly key: WrappingKey; readonly until: number } | undefined

  constructor(db: Db, clock: Clock, secrets: Secrets) {
    this.#db = db
    this.#clock = clock
    this.#secrets = secrets
  }

  /** Creates a random key of 32 bytes, raw and wrapped. */
  async make(): Promise<{ readonly raw: Buffer; readonly keyId: string; readonly wrapped: Buffer }> {
    const { id, key } = await this.current()
    const raw = randomBytes(32)
    return { raw, keyId: id, wrapped: seal(key, raw) }
  }

  /** Unwraps a key. */
  async unwrap(keyId: string, wrapped: Buffer): Promise<Buffer> {
    return unseal(await this.#read(keyId), wrapped)
  }

  /**
   * Returns the current wrapping key. May lag a few seconds behind a rotation in another process, which is
   * harmless.
   */
  async current(): Promise<WrappingKey> {
    const now = this.#clock.now().getTime()
    if (this.#current !== undefined && this.#current.until > now) return this.#current.key
    const row = await currentKey(this.#db)
    if (row === undefined) {
      await this.#make(this.#db)
      return this.current()
    }
    const key = { id: row.id, key: this.#open(row.sealed) }
    this.#known.set(key.id, key.key)
    this.#current = { key, until: now + 10_000 }
    return key
  }

  /** Creates a new wrapping key and returns its name; `rewrap` moves the keys wrapped by older ones to it. */
  async rotate(): Promise<string> {
    const id = await this.#db.transaction().execute(async (trx) => {
      await retireKey(trx, this.#clock.now())
      return this.#make(trx)
    })
    this.#current = undefined
    return id
  }

  /**
   * Rewraps a batch of piece keys that an older key wraps, and drops thumbnails sealed with it. Returns false if
   * none are left.
   */
  async rewrap(): Promise<boolean> {
    const { id, key } = await this.current()
    const hasRemoved = await removeOldThumbnails(this.#db, id)
    const done = await this.#db.transaction().execute(async (trx) => {
      const rows = await holdOldPieces(trx, id, batch)
      for (const row of rows) {
        await setPieceKey(trx, row.id, id, seal(key, await this.unwrap(row.keyId, row.wrappedKey)))
      }
      return rows.length
    })
    return done > 0 || hasRemoved
  }

  /** Deletes keys that no longer wrap anything. */
  async forgetUnused(): Promise<void> {
    await removeUnusedKeys(this.#db)
  }

  async #read(id: string): Promise<Buffer> {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const key = this.#open(await sealedKey(this.#db, id))
    this.#known.set(id, key)
    return key
  }

  /** If another process created a key first, that key is used. */
  async #make(db: Db): Promise<string> {
    const id = newUuid()
    const sealed = this.#secrets.encrypt(fileKeyPurpose, randomBytes(32).toString('base64'))
    await insertKey(db, { id, sealed, createdAt: this.#clock.now() })
    return id
  }

  /**
   * Throws if the key belongs to another master secret: creating a new key would hide the loss of old files.
   */
  #open(sealed: Buffer): Buffer {
    return Buffer.from(this.#secrets.decrypt(fileKeyPurpose, sealed), 'base64')
  }
}
