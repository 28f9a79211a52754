import { domainStatus, domainType } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { newObjectId } from '../platform/ids.ts'

/** Namespaces that everyone of the tenant may sign up in, by name. */
export async function publicDomains(db: Db, tenantId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .select('namespace')
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`type & 1 = 1`)
    .where('deleted_at', 'is', null)
    .orderBy('namespace')
    .execute()
  return rows.map((row) => row.namespace)
}

export interface DomainSummary {
  readonly id: number
  readonly tenantId: number
  readonly isPublic: boolean
  readonly isDeleted: boolean
}

/** A domain by name, deleted ones too, because their names stay taken. */
export async function findDomain(db: Db, namespace: string): Promise<DomainSummary | undefined> {
  const row = await db
    .selectFrom('domains')
    .select(['id', 'tenant_id', 'type', 'deleted_at'])
    .where('namespace', '=', namespace)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      tenantId: row.tenant_id,
      isPublic: (row.type & domainType.public) === domainType.public,
      isDeleted: row.deleted_at !== null,
    }
  )
}

export interface NewDomain {
  readonly tenantId: number
  readonly namespace: string
  readonly type: number
  readonly status?: number
  readonly walletId: string | null
}

/** Creates a domain; undefined when the name is taken, also by somebody who was a moment faster. */
export async function createDomain(db: Db, clock: Clock, domain: NewDomain): Promise<number | undefined> {
  const now = clock.now()
  for (;;) {
    const row = await db
      .insertInto('domains')
      .values({
        id: newObjectId(),
        tenant_id: domain.tenantId,
        namespace: domain.namespace,
        status: domain.status ?? domainStatus.new,
        type: domain.type,
        wallet_id: domain.walletId,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row !== undefined) return row.id
    // either the name is taken, or the random number was, which is drawn again
    if ((await findDomain(db, domain.namespace)) !== undefined) return undefined
  }
}
