import type { Db } from '../../platform/db/database.ts'

/** Returns a tenant's packages by title. */
export function packageTitles(db: Db, tenantId: number): Promise<{ id: string; title: string }[]> {
  return db
    .selectFrom('packages')
    .select(['id', 'title'])
    .where('tenantId', '=', tenantId)
    .orderBy('title')
    .execute()
}
