import type { DirectoryKind } from '../../../directory/objects/object.ts'
import type { Db } from '../../../platform/db/database.ts'

type StaffRole = 'admin' | 'reseller' | null

/** The user of an address, deleted or not. */
export function userOfAddress(
  db: Db,
  email: string,
): Promise<{ id: number; email: string; tenantId: number; deletedAt: Date | null } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'tenantId', 'deletedAt'])
    .where('email', '=', email)
    .executeTakeFirst()
}

export async function writeRole(db: Db, userId: number, role: StaffRole, now: Date): Promise<void> {
  await db.updateTable('users').set({ role, updatedAt: now }).where('id', '=', userId).execute()
}

/** The number of an object by number or address; of deleted ones the last. */
export async function objectNumber(
  db: Db,
  kind: DirectoryKind,
  { email, id, isDeleted }: { readonly email: string; readonly id: number; readonly isDeleted: boolean },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('directoryObjects')
    .select('id')
    .where('kind', '=', kind)
    .where('deletedAt', isDeleted ? 'is not' : 'is', null)
    .where((where) => where.or([where('email', '=', email), where('id', '=', id)]))
    .orderBy('deletedAt', 'desc')
    .executeTakeFirst()
  return row?.id
}

/** Packages of a tenant by title. */
export function packageTitles(db: Db, tenantId: number): Promise<{ id: string; title: string }[]> {
  return db
    .selectFrom('packages')
    .select(['id', 'title'])
    .where('tenantId', '=', tenantId)
    .orderBy('title')
    .execute()
}
