import { z } from 'zod'
import { defineJob } from './jobs/job.ts'
import type { Jobs } from './jobs/jobs.ts'

/** A store of things that expire: tokens, codes, counters. */
export interface Purgeable {
  purge(): Promise<void>
}

export const purgeJob = defineJob('purge', z.unknown())

/** Collects the stores of the rooms and purges them every night at 04:20 UTC. */
export class PurgeList {
  readonly #stores: Purgeable[] = []

  /** Stores are purged in the order they are added. */
  add(...stores: readonly Purgeable[]): void {
    this.#stores.push(...stores)
  }

  schedule(jobs: Jobs): void {
    jobs.schedule(purgeJob, '20 4 * * *', async () => {
      for (const store of this.#stores) await store.purge()
    })
  }
}
