import { createHash, createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CompiledQuery, DatabaseConnection } from 'kysely'
import { after, type Clock, day } from '../../clock.ts'
import type { Db } from '../../db/database.ts'
import { HeldTransaction } from '../../db/held-transaction.ts'
import { newUuid, withSeed } from '../../ids.ts'
import { type Secrets, seal, unseal } from '../../secrets.ts'
import { BadRequest, Conflict, HttpError, message } from '../errors.ts'
import {
  checkHolder,
  forgetKey,
  freeKey,
  keepAnswer,
  noteActed,
  purgeKeys,
  type Run,
  readKey,
  renewLeases,
  takeKey,
} from './idempotency-store.ts'

/** Seconds for which the response to a key is kept. */
const kept = day
/** Seconds after which a run with an unrenewed lease is considered dead. */
const lease = 15
/** Milliseconds between lease renewals of this process's runs. */
const renewEvery = 3000

/** A request that must happen only once, and its implementation. */
export interface OnceRequest {
  /** Id of the user or API key; undefined for public calls. */
  readonly caller: number | string | undefined
  /**
   * Whether it can be rerun after part of it was committed: it finds that part by ids of `onceUuid`, or doesn't
   * need it.
   */
  readonly isResumable: boolean
  readonly act: () => Promise<unknown>
}

/**
 * Executes a mutation once per `Idempotency-Key`: a repeated request gets the first response. The response is
 * committed with the last transaction of the action, and each of its transactions only while the run holds the
 * key (docs/decisions/0001-idempotency.md). Responses may contain tokens, so they are encrypted with a key
 * derived from the Idempotency-Key, which isn't stored. Bodies may contain passwords, so their fingerprint is
 * keyed the same way: otherwise passwords could be guessed from it.
 */
export class Idempotency {
  readonly #db: Db
  readonly #clock: Clock
  readonly #secrets: Secrets
  readonly #running = new Set<Run>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db, clock: Clock, secrets: Secrets) {
    this.#db = db
    this.#clock = clock
    this.#secrets = secrets
  }

  async once(request: FastifyRequest, reply: FastifyReply, wanted: OnceRequest): Promise<unknown> {
    const header = request.headers['idempotency-key']
    if (header === undefined) return wanted.act()
    if (typeof header !== 'string' || !/^[\x21-\x7e]{8,255}$/.test(header)) throw new BadRequest()
    const path = request.url.split('?', 1)[0]
    const name = digest(`${wanted.caller ?? 'public'} ${request.method} ${path} ${header}`)
    // a file has not been read yet, so only the key identifies the request
    const body = request.body instanceof Readable ? null : (request.body ?? null)
    const context = `${name.toString('hex')} ${header}`
    const fingerprint = createHmac('sha256', this.#secrets.derive('idempotency-fingerprint', context))
      .update(JSON.stringify([request.query, body]))
      .digest()
    const key = this.#secrets.derive('idempotency', context)
    const run = { name, holder: newUuid() }
    const claimed = await this.#claim(run, fingerprint, wanted.isResumable)
    if ('answer' in claimed) {
      void reply.header('idempotency-replayed', 'true')
      return JSON.parse(unseal(key, claimed.answer).toString('utf8'))
    }
    return this.#perform(run, wanted.act, claimed.seed, (answer) =>
      seal(key, Buffer.from(JSON.stringify(answer ?? null))),
    )
  }

  /** Renews the leases of this process's runs; called by a timer while there are any. */
  async renew(): Promise<void> {
    if (this.#running.size === 0) return
    await renewLeases(this.#db, [...this.#running], after(this.#clock.now(), lease))
  }

  /** Removes expired keys. */
  async purge(): Promise<void> {
    const now = this.#clock.now()
    await purgeKeys(this.#db, after(now, -kept), now)
  }

  /** Acquires the key, or returns the encrypted response of the request that holds it. */
  async #claim(
    run: Run,
    fingerprint: Buffer,
    isResumable: boolean,
  ): Promise<{ readonly seed: string } | { readonly answer: Buffer }> {
    const now = this.#clock.now()
    const leasedUntil = after(now, lease)
    const claim = { ...run, fingerprint, seed: newUuid(), now, leasedUntil, isResumable }
    const seed = await takeKey(this.#db, claim)
    if (seed !== undefined) return { seed }
    const known = await readKey(this.#db, run.name)
    if (known !== undefined && !known.fingerprint.equals(fingerprint)) {
      throw new HttpError(422, message('http.422'))
    }
    if (known?.answer != null) return { answer: known.answer }
    if (known?.acted === true && known.leasedUntil < now && !isResumable) throw new AnswerLost()
    throw new StillWorkedOn()
  }

  async #perform(
    run: Run,
    act: () => Promise<unknown>,
    seed: string,
    sealed: (answer: unknown) => Buffer,
  ): Promise<unknown> {
    const held = new HeldTransaction(
      (connection) => this.#asHolder(connection, noteActed(this.#db, run)),
      (connection) => this.#asHolder(connection, checkHolder(this.#db, run)),
    )
    this.#begin(run)
    try {
      const answer = await held.run(() => withSeed(seed, act))
      const kept = keepAnswer(this.#db, run, sealed(answer))
      const isKept = await held.commit((connection) => this.#asHolder(connection, kept))
      // an action without a transaction: a run that took over the key stores its own response
      if (!isKept) await this.#db.executeQuery(kept)
      return answer
    } catch (error) {
      await this.#giveUp(run, held, error)
      throw error
    } finally {
      held.finish()
      this.#end(run)
    }
  }

  /**
   * A rejection releases the key for a corrected request and keeps what it has written. Any other error rolls
   * back uncommitted changes; committed ones stay recorded, so that the same request doesn't repeat them.
   */
  async #giveUp(run: Run, held: HeldTransaction, error: unknown): Promise<void> {
    const isRefusal = error instanceof HttpError && error.status < 500
    const forget = forgetKey(this.#db, run)
    if (isRefusal) await held.commit((connection) => this.#asHolder(connection, forget))
    else if (error instanceof HttpError) await held.commit()
    else await held.rollback().catch(() => undefined)
    // without a database, the lease expires
    const freed = isRefusal ? this.#db.executeQuery(forget) : freeKey(this.#db, run, this.#clock.now())
    await freed.catch(() => undefined)
  }

  async #asHolder(connection: DatabaseConnection, query: CompiledQuery): Promise<void> {
    const { rows } = await connection.executeQuery(query)
    if (rows.length === 0) throw new StillWorkedOn()
  }

  #begin(run: Run): void {
    this.#running.add(run)
    this.#timer ??= setInterval(() => void this.renew().catch(() => undefined), renewEvery).unref()
  }

  #end(run: Run): void {
    this.#running.delete(run)
    if (this.#running.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** The same request is in progress elsewhere (409). */
class StillWorkedOn extends HttpError {
  constructor() {
    super(409, message('http.409'), { 'retry-after': '1' })
  }
}

/** The request was carried out by a process that died before responding (409). */
class AnswerLost extends Conflict {
  constructor() {
    super(message('http.answer-lost'))
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
