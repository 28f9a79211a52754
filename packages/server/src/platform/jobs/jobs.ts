import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import {
  type JobHelpers,
  Logger,
  parseCronItems,
  type Runner,
  run,
  runOnce,
  type TaskList,
  type Worker,
  type WorkerEvents,
} from 'graphile-worker'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Schema } from '../db/schema.ts'
import type { Log } from '../log.ts'
import { type EnqueueOptions, enqueueAll } from './enqueue.ts'
import { defineJob, type Job } from './job.ts'
import { isQueueBusy, readFailedJobs } from './job-store.ts'
import { PoolPresence } from './pool-presence.ts'
import { traceOf } from './trace-jobs.ts'

/** A failed job, dead or being retried, as shown to staff. */
export interface FailedJob {
  readonly id: string
  readonly name: string
  readonly attempts: number
  readonly maxAttempts: number
  readonly error: string
  readonly dead: boolean
}

const presenceJob = defineJob('jobs:free', z.unknown())

/** Milliseconds between attempts to start workers while the database is down. */
const restartEvery = 2000

/** Ids are numbers or strings, depending on how the pool reads integers. */
const loggedJob = z.object({ id: z.coerce.string(), task_identifier: z.string(), payload: z.unknown() })

type Handler = (payload: unknown) => Promise<void>

/** An attempt to do a job. */
export interface JobRun {
  readonly name: string
  readonly payload: unknown
}

/** Runs around each attempt; must call `work` and rethrow its error. */
export type AroundJob = (run: JobRun, work: () => Promise<void>) => Promise<void>

/** Background jobs: enqueued in the transaction they belong to, retried with back-off, dead-lettered. */
export class Jobs {
  readonly #pool: Pool
  readonly #log: Log
  readonly #handlers = new Map<string, Handler>()
  readonly #schedules: { task: string; match: string }[] = []
  readonly #presence: PoolPresence
  readonly #around: AroundJob[] = []
  #runner: Runner | undefined
  #restart: Promise<void> | undefined
  #isStopping = false

  constructor(pool: Pool, log: Log) {
    this.#pool = pool
    this.#log = log
    this.#presence = new PoolPresence(pool)
    this.schedule(presenceJob, '* * * * *', () => this.#freeJobsOfTheDead())
  }

  /**
   * Registers the handler of a kind of job. Payloads are validated again, because a job may have waited during
   * an upgrade.
   */
  handle<P extends z.ZodType>(job: Job<P>, work: (payload: z.output<P>) => Promise<void>): void {
    this.#handlers.set(job.name, async (payload) => work(job.payload.parse(payload)))
  }

  /** Schedules a job with an empty payload; `match` is a crontab line (UTC). */
  schedule<P extends z.ZodType>(job: Job<P>, match: string, work: () => Promise<void>): void {
    this.#handlers.set(job.name, work)
    this.#schedules.push({ task: job.name, match })
  }

  /** Enqueues a job. Inside a transaction it exists only if the transaction commits. */
  async enqueue<P extends z.ZodType>(
    db: Kysely<Schema>,
    job: Job<P>,
    payload: z.input<P>,
    options: EnqueueOptions = {},
  ): Promise<void> {
    await enqueueAll(db, job, [{ ...options, payload }])
  }

  /** Adds something that runs around each attempt, such as a measurement. The first one added is the outermost. */
  surround(around: AroundJob): void {
    this.#around.push(around)
  }

  /** Returns the names of all kinds of jobs with a handler. */
  get names(): string[] {
    return [...this.#handlers.keys()]
  }

  /** Starts processing jobs, beginning with those left by dead processes. */
  async start(concurrency: number): Promise<void> {
    await this.#freeJobsOfTheDead()
    this.#runner = await this.#run(concurrency)
  }

  async #run(concurrency: number): Promise<Runner> {
    const events: WorkerEvents = new EventEmitter()
    // jobs are locked by the pool that all workers of a process belong to
    events.on('pool:create', ({ workerPool }) => {
      this.#presence.claim(workerPool.id).catch((error: unknown) => {
        this.#log.warn({ err: error }, 'registering the worker pool failed')
      })
    })
    const lastErrors = new WeakMap<Worker, unknown>()
    events.on('worker:getJob:error', ({ worker, error }) => {
      // the library caches the response to its first query, even if that is an error
      if (lastErrors.get(worker) === error) this.#startAgain(concurrency)
      lastErrors.set(worker, error)
    })
    const runner = await run({
      ...this.#common(),
      events,
      concurrency,
      noHandleSignals: true,
      pollInterval: 2000,
      // the library batches job completions and retries them; without batches, a lost connection ends the process
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      parsedCronItems: parseCronItems(this.#schedules.map((item) => ({ ...item, identifier: item.task }))),
    })
    // after minutes without a database the library gives up
    runner.promise.catch((error: unknown) => {
      this.#log.warn({ err: error }, 'workers stopped unexpectedly')
      if (this.#runner === runner) this.#startAgain(concurrency)
    })
    return runner
  }

  /** Replaces workers that can no longer get jobs or have given up. */
  #startAgain(concurrency: number): void {
    const stuck = this.#runner
    if (stuck === undefined || this.#restart !== undefined) return
    this.#restart = this.#replace(stuck, concurrency).finally(() => {
      this.#restart = undefined
    })
  }

  async #replace(stuck: Runner, concurrency: number): Promise<void> {
    while (!this.#isStopping) {
      try {
        this.#runner = await this.#run(concurrency)
        // rejects again if it has given up
        await stuck.stop().catch(() => undefined)
        return
      } catch (error) {
        this.#log.warn({ err: error }, 'restarting the workers failed')
        await setTimeout(restartEvery)
      }
    }
  }

  /** Finishes running jobs and takes no new ones. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#restart
    this.#isStopping = false
    if (this.#runner === undefined) return
    await this.#runner.stop()
    this.#runner = undefined
    await this.#presence.release()
  }

  /** Runs everything that is due, then returns. For tests and the command line. */
  async drain(): Promise<void> {
    const taken = new Set<string>()
    do {
      await runOnce(this.#common((id) => taken.add(id)))
    } while (await this.#isBusy(taken))
  }

  /**
   * Returns true while jobs are due or any of these are still locked: the library records results in the
   * background, and the next job of the same queue waits for that.
   */
  #isBusy(taken: ReadonlySet<string>): Promise<boolean> {
    return isQueueBusy(this.#pool, [...taken], [...this.#handlers.keys()])
  }

  /** Runs a job directly, like a worker that has taken it. For simulations. */
  async perform(name: string, payload: unknown): Promise<void> {
    const handler = this.#handlers.get(name)
    if (handler === undefined) throw new Error(`no handler for job ${name}`)
    await handler(payload)
  }

  get isRunning(): boolean {
    return this.#runner !== undefined
  }

  /** Returns jobs whose last attempt failed, newest first. */
  async failed(limit = 100): Promise<FailedJob[]> {
    const rows = await readFailedJobs(this.#pool, limit)
    return rows.map((row) => ({
      id: row.id,
      name: row.task_identifier,
      attempts: row.attempts,
      maxAttempts: row.max_attempts,
      error: row.last_error,
      dead: row.attempts >= row.max_attempts,
    }))
  }

  async #freeJobsOfTheDead(): Promise<void> {
    const dead = await this.#presence.freeJobsOfTheDead()
    if (dead > 0) this.#log.warn({ pools: dead }, 'released the jobs of a dead process')
  }

  /** Options shared by all runs; `onTake` is called for each job started. */
  #common(onTake: (id: string) => void = () => {}) {
    const taskList: TaskList = Object.fromEntries(
      [...this.#handlers].map(([name, handler]) => [
        name,
        (payload: unknown, { job }: JobHelpers) => {
          onTake(job.id)
          return this.#attempt({ name, payload }, handler)
        },
      ]),
    )
    return { pgPool: this.#pool, taskList, logger: graphileLogger(this.#log) }
  }

  #attempt(run: JobRun, handler: Handler): Promise<void> {
    const work = () => handler(run.payload)
    return this.#around.reduceRight<() => Promise<void>>((inner, around) => () => around(run, inner), work)()
  }
}

function graphileLogger(log: Log): Logger {
  return new Logger(() => (level, text, meta) => {
    const detail = { ...jobFacts(meta?.job), ...(meta?.error !== undefined && { err: meta.error }) }
    if (level === 'error') log.error(detail, text)
    else if (level === 'warning') log.warn(detail, text)
    else log.debug(detail, text)
  })
}

/** Returns the log properties of a job: the library logs its result outside of its span. */
function jobFacts(job: unknown): Readonly<Record<string, unknown>> {
  const parsed = loggedJob.safeParse(job)
  if (!parsed.success) return {}
  const { id, task_identifier: name, payload } = parsed.data
  const traceId = traceOf(payload)?.traceId
  return { job: name, jobId: id, ...(traceId !== undefined && { traceId }) }
}
