import type { Db } from '../../platform/db/database.ts'
import type { DirectoryKind } from '../objects/object.ts'

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
