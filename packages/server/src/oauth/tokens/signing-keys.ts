import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { z } from 'zod'
import { after, type Clock, day, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import {
  hasKeyFrom,
  insertKey,
  publishedKeys,
  purgeKeys,
  retireSigningKeys,
  withdrawKeys,
} from './key-store.ts'

const algorithms = ['RS256', 'ES256'] as const

type Algorithm = (typeof algorithms)[number]

/** Key pairs: current, future and past ones. `version` changes with the set or its order. */
export interface KeySet {
  readonly version: string
  readonly keys: readonly JWK[]
}

/** Seconds for which a process caches the keys. A retired key is published far longer. */
const remembered = 10
/** Seconds for which clients may cache the public keys. */
export const copiesOfKeys = 10 * minute
/** Seconds for which a new key is published before it signs, for clients that cache longer. */
const announced = day
/**
 * Seconds for which a retired key is published: longer than any token it signed is valid, because of sign-out
 * hints.
 */
const published = 30 * day

export const signingKeyPurpose = 'oauth-signing-key'
const jwk = z.looseObject({ kty: z.string() })
const makePair = promisify(generateKeyPair)

/**
 * The keys that sign ID tokens: created on first use, stored sealed in the database, and rotated by schedule
 * or manually. A successor is published a day before it takes over, and its predecessor stays published
 * afterwards.
 */
export class SigningKeys {
  readonly #db: Db
  readonly #clock: Clock
  readonly #secrets: Secrets
  #known: { readonly set: KeySet; readonly until: Date } | undefined

  constructor(db: Db, clock: Clock, secrets: Secrets) {
    this.#db = db
    this.#clock = clock
    this.#secrets = secrets
  }

  /** Returns the current keys and creates them if there are none. */
  async current(): Promise<KeySet> {
    const now = this.#clock.now()
    if (this.#known !== undefined && this.#known.until > now) return this.#known.set
    const rows = await this.#read(now)
    for (const alg of algorithms) {
      if (!rows.some((row) => row.alg === alg && row.retiredAt === null)) {
        await this.#make(this.#db, alg, now)
      }
    }
    const complete = rows.filter((row) => row.retiredAt === null).length >= algorithms.length
    const present = complete ? rows : await this.#read(now)
    const set = {
      version: present.map(({ kid }) => kid).join(' '),
      keys: present.map((row) => {
        const key = jwk.parse(JSON.parse(this.#secrets.decrypt(signingKeyPurpose, row.sealed)))
        return { ...key, kid: row.kid, alg: row.alg, use: 'sig' }
      }),
    }
    this.#known = { set, until: after(now, remembered) }
    return set
  }

  /**
   * Publishes new keys, which sign a day from now; previous keys stay published until nothing they signed
   * matters any more. Keys that have yet to take over are not replaced. Returns the ids of the new keys,
   * possibly none.
   */
  async rotate(): Promise<string[]> {
    const now = this.#clock.now()
    const begin = after(now, announced)
    return this.#replace(async (trx) => {
      const isNeeded = await retireSigningKeys(trx, now, { at: begin, until: after(begin, published) })
      return isNeeded ? begin : undefined
    })
  }

  /**
   * Creates new keys that sign immediately and withdraws all others: everything they signed becomes invalid.
   * Returns the ids of the new keys.
   */
  async withdraw(): Promise<string[]> {
    const now = this.#clock.now()
    return this.#replace(async (trx) => {
      await withdrawKeys(trx, now)
      return now
    })
  }

  /**
   * Creates new keys after `retire` has retired the old ones; it returns when the new ones sign, or undefined if
   * none are needed.
   */
  async #replace(retire: (trx: Db) => Promise<Date | undefined>): Promise<string[]> {
    const made = await this.#db.transaction().execute(async (trx) => {
      const begin = await retire(trx)
      const kids: string[] = []
      if (begin === undefined) return kids
      for (const alg of algorithms) kids.push(...(await this.#make(trx, alg, begin)))
      return kids
    })
    this.#known = undefined
    return made
  }

  /** Rotates early enough to replace keys that have signed for `days` days. */
  async rotateOlderThan(days: number): Promise<void> {
    if (await hasKeyFrom(this.#db, after(this.#clock.now(), announced - days * day))) await this.rotate()
  }

  /** Deletes keys that are no longer published. */
  async purge(): Promise<void> {
    await purgeKeys(this.#db, this.#clock.now())
  }

  async #read(now: Date) {
    const rows = await publishedKeys(this.#db, now)
    const place = ({ signsFrom: begin, retiredAt: end }: (typeof rows)[number]) => {
      if (end !== null && end <= now) return 2
      return begin > now ? 1 : 0
    }
    return rows.toSorted((one, other) => place(one) - place(other))
  }

  /** Creates a key unless another process already has. */
  async #make(db: Db, alg: Algorithm, begin: Date): Promise<string[]> {
    const { privateKey } =
      alg === 'RS256'
        ? await makePair('rsa', { modulusLength: 2048 })
        : await makePair('ec', { namedCurve: 'P-256' })
    const key = jwk.parse(privateKey.export({ format: 'jwk' }))
    const kid = await calculateJwkThumbprint(key)
    const sealed = this.#secrets.encrypt(signingKeyPurpose, JSON.stringify(key))
    const isMade = await insertKey(db, { kid, alg, sealed, createdAt: this.#clock.now(), signsFrom: begin })
    return isMade ? [kid] : []
  }
}
