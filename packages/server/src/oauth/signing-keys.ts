import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { z } from 'zod'
import { after, type Clock, day } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Secrets } from '../platform/secrets.ts'

const algorithms = ['RS256', 'ES256'] as const

type Algorithm = (typeof algorithms)[number]

/** Keys with their private parts, those that sign first. `version` changes when the set does. */
export interface KeySet {
  readonly version: string
  readonly keys: readonly JWK[]
}

/** Seconds for which a process goes by what it read last. A key that is retired is published far longer. */
const remembered = 10
/** Seconds for which a retired key is published: longer than anything that it signed, for hints of sign-outs. */
const published = 30 * day

const purpose = 'oauth-signing-key'
const jwk = z.looseObject({ kty: z.string() })
const makePair = promisify(generateKeyPair)

/** The keys that sign ID tokens: made at first need, sealed in the database, replaced by the clock or by hand. */
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

  /** The present keys; makes them if there are none. */
  async current(): Promise<KeySet> {
    const now = this.#clock.now()
    if (this.#known !== undefined && this.#known.until > now) return this.#known.set
    const rows = await this.#read(now)
    for (const alg of algorithms) {
      if (!rows.some((row) => row.alg === alg && row.retired_at === null)) await this.#make(this.#db, alg)
    }
    const complete = rows.filter((row) => row.retired_at === null).length >= algorithms.length
    const present = complete ? rows : await this.#read(now)
    const set = {
      version: present.map(({ kid, retired_at }) => `${kid}${retired_at === null ? '' : '-'}`).join(' '),
      keys: present.map((row) => {
        const key = jwk.parse(JSON.parse(this.#secrets.decrypt(purpose, row.sealed)))
        return { ...key, kid: row.kid, alg: row.alg, use: 'sig' }
      }),
    }
    this.#known = { set, until: after(now, remembered) }
    return set
  }

  /** New keys sign from now on; those before are published until nothing that they signed matters any more. */
  async rotate(): Promise<string[]> {
    const now = this.#clock.now()
    const made = await this.#db.transaction().execute(async (trx) => {
      await trx
        .updateTable('oauth_keys')
        .set({ retired_at: now, expires_at: after(now, published) })
        .where('retired_at', 'is', null)
        .execute()
      const kids: string[] = []
      for (const alg of algorithms) kids.push(await this.#make(trx, alg))
      return kids
    })
    this.#known = undefined
    return made
  }

  /** Rotates when the keys are older than so many days. */
  async rotateOlderThan(days: number): Promise<void> {
    const old = await this.#db
      .selectFrom('oauth_keys')
      .select('kid')
      .where('retired_at', 'is', null)
      .where('created_at', '<', after(this.#clock.now(), -days * day))
      .executeTakeFirst()
    if (old !== undefined) await this.rotate()
  }

  /** Forgets keys that are published no more. */
  async purge(): Promise<void> {
    await this.#db.deleteFrom('oauth_keys').where('expires_at', '<', this.#clock.now()).execute()
  }

  #read(now: Date) {
    return this.#db
      .selectFrom('oauth_keys')
      .select(['kid', 'alg', 'sealed', 'retired_at'])
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
      .orderBy('retired_at', (order) => order.desc().nullsFirst())
      .orderBy('alg', 'desc')
      .execute()
  }

  /** Makes a key; where another process was first, its key stays and this one is forgotten. */
  async #make(db: Db, alg: Algorithm): Promise<string> {
    const { privateKey } =
      alg === 'RS256'
        ? await makePair('rsa', { modulusLength: 2048 })
        : await makePair('ec', { namedCurve: 'P-256' })
    const key = jwk.parse(privateKey.export({ format: 'jwk' }))
    const kid = await calculateJwkThumbprint(key)
    await db
      .insertInto('oauth_keys')
      .values({
        ...{ kid, alg, sealed: this.#secrets.encrypt(purpose, JSON.stringify(key)) },
        ...{ created_at: this.#clock.now(), retired_at: null, expires_at: null },
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return kid
  }
}
