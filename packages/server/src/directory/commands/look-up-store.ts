import type { Db } from '../../platform/db/database.ts'
import type { DirectoryKind } from '../objects/object.ts'

/** Returns the id of an object by id or address. Among deleted ones it returns the latest. */
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
