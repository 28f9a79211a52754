import { createHash, createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { after, type Clock, day, minute } from '../clock.ts'
import type { Schema } from '../db/schema.ts'
import { type Secrets, seal, unseal } from '../secrets.ts'
import { BadRequest, HttpError, message } from './errors.ts'

/** How long the answer to a key is kept, in seconds. */
const kept = day
/** A call without an answer after so many seconds died with its process; the key is free again. */
const abandoned = minute

/**
 * Makes a mutation happen once for its `Idempotency-Key`: a repeated request gets the first one's answer.
 * Answers may hold tokens, so they are sealed under a key made from the Idempotency-Key, which is not stored. Bodies may
 * hold passwords, so their fingerprint needs such a key too: without it nobody can try passwords against it.
 */
export class Idempotency {
  readonly #db: Kysely<Schema>
  readonly #clock: Clock
  readonly #secrets: Secrets

  constructor(db: Kysely<Schema>, clock: Clock, secrets: Secrets) {
    this.#db = db
    this.#clock = clock
    this.#secrets = secrets
  }

  async once(
    request: FastifyRequest,
    reply: FastifyReply,
    userId: number | undefined,
    act: () => Promise<unknown>,
  ): Promise<unknown> {
    const header = request.headers['idempotency-key']
    if (header === undefined) return act()
    if (typeof header !== 'string' || !/^[\x21-\x7e]{8,255}$/.test(header)) throw new BadRequest()
    const path = request.url.split('?', 1)[0]
    const name = digest(`${userId ?? 'public'} ${request.method} ${path} ${header}`)
    // a file has not been read yet; its key alone says that it is the same
    const body = request.body instanceof Readable ? null : (request.body ?? null)
    const context = `${name.toString('hex')} ${header}`
    const fingerprint = createHmac('sha256', this.#secrets.derive('idempotency-fingerprint', context))
      .update(JSON.stringify([request.query, body]))
      .digest()
    const key = this.#secrets.derive('idempotency', context)
    const earlier = await this.#claim(name, fingerprint)
    if (earlier !== undefined) {
      void reply.header('idempotency-replayed', 'true')
      return JSON.parse(unseal(key, earlier).toString('utf8'))
    }
    try {
      const answer = await act()
      const sealed = seal(key, Buffer.from(JSON.stringify(answer)))
      await this.#db
        .updateTable('idempotency_keys')
        .set({ answer: sealed })
        .where('name', '=', name)
        .execute()
      return answer
    } catch (error) {
      // nothing happened, so the same key may be tried again with better input
      await this.#db.deleteFrom('idempotency_keys').where('name', '=', name).execute()
      throw error
    }
  }

  /** Removes keys past their time. */
  async purge(): Promise<void> {
    const before = after(this.#clock.now(), -kept)
    await this.#db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
  }

  /** Takes the key, or returns the sealed answer of the request that has it. */
  async #claim(name: Buffer, fingerprint: Buffer): Promise<Buffer | undefined> {
    const now = this.#clock.now()
    const taken = await this.#db
      .insertInto('idempotency_keys')
      .values({ name, fingerprint, created_at: now })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ fingerprint, created_at: now })
          .where('idempotency_keys.answer', 'is', null)
          .where('idempotency_keys.created_at', '<', after(now, -abandoned)),
      )
      .returning('name')
      .executeTakeFirst()
    if (taken !== undefined) return undefined
    const holder = await this.#db
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'answer'])
      .where('name', '=', name)
      .executeTakeFirst()
    if (holder !== undefined && !holder.fingerprint.equals(fingerprint)) {
      throw new HttpError(422, message('http.422'))
    }
    if (holder?.answer == null) throw new HttpError(409, message('http.409'), { 'retry-after': '1' })
    return holder.answer
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
