import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'

/** A user or a domain. */
export interface ExemptionSubject {
  readonly kind: 'user' | 'domain'
  readonly id: number
}

const columns = { user: 'userId', domain: 'domainId' } as const

/** Exempts a user or a domain; false if it already is. */
export async function insertExemption(db: Db, { kind, id }: ExemptionSubject, now: Date): Promise<boolean> {
  const row = await db
    .insertInto('rateExemptions')
    .values({
      ...{ id: newUuid(), createdAt: now },
      ...{ userId: kind === 'user' ? id : null, domainId: kind === 'domain' ? id : null },
    })
    .onConflict((conflict) => conflict.column(columns[kind]).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the exemption of a user or a domain; false if there's none. */
export async function deleteExemption(db: Db, { kind, id }: ExemptionSubject): Promise<boolean> {
  const row = await db
    .deleteFrom('rateExemptions')
    .where(columns[kind], '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the addresses of exempt users and the names of exempt domains, oldest first. */
export function readExemptions(
  db: Db,
): Promise<{ email: string | null; domain: string | null; createdAt: Date }[]> {
  return db
    .selectFrom('rateExemptions as e')
    .leftJoin('users as u', 'u.id', 'e.userId')
    .leftJoin('domains as d', 'd.id', 'e.domainId')
    .select(['u.email', 'd.namespace as domain', 'e.createdAt'])
    .orderBy('e.createdAt')
    .orderBy('e.id')
    .execute()
}
