import type { DkimKeyStage } from '@gatehouse/contract/directory/domains'
import { z } from 'zod'
import type { Db } from '../../../platform/db/database.ts'
import { enqueueAll } from '../../../platform/jobs/enqueue.ts'
import { defineJob } from '../../../platform/jobs/job.ts'

/** A DKIM key of a domain whose record must be in the DNS. */
export interface PublishedKey {
  readonly selector: string
  readonly algorithm: 'rsa' | 'ed25519'
  readonly stage: DkimKeyStage
  /** Value of the TXT record. */
  readonly text: string
}

/** The DKIM keys of domains, which the mail flow creates and replaces. */
export interface DomainKeys {
  /** Returns the keys to publish by domain ID, in display order; none if all domains share a key. */
  published(domainIds: readonly number[]): Promise<ReadonlyMap<number, readonly PublishedKey[]>>
  /**
   * Notes which records were found, inside a transaction that holds the domain. `found`: by selector; null: no
   * answer.
   */
  noteFound(
    trx: Db,
    domainId: number,
    found: Readonly<Record<string, readonly string[] | null>>,
  ): Promise<void>
}

/** Creates and replaces the keys of a domain as far as needed. Handled by the mail flow. */
export const domainKeysJob = defineJob('domain:keys', z.object({ id: z.number().int() }))

/** Enqueues the job for domains. */
export function enqueueDomainKeys(db: Db, ids: readonly number[]): Promise<void> {
  return enqueueAll(
    db,
    domainKeysJob,
    ids.map((id) => ({ payload: { id }, key: `domain:keys:${id}`, queue: `domain-keys:${id % lanes}` })),
  )
}

/** Concurrent jobs. Limited because generating a key takes a core for a tenth of a second. */
const lanes = 2

/** Returns the keys that one domain has to publish. */
export async function keysOf(
  keys: DomainKeys,
  { id }: { readonly id: number },
): Promise<readonly PublishedKey[]> {
  return (await keys.published([id])).get(id) ?? []
}
