import type { Db } from '../../platform/db/database.ts'
import { parseObjectId } from '../../platform/ids.ts'
import { invalid } from '../errors.ts'
import { readUser } from './user-store.ts'

/** Returns the id of a manager, who must be a user of the account. Throws ScimError. */
export async function managerOf(db: Db, walletId: string, text: string | null): Promise<number | null> {
  if (text === null) return null
  const id = parseObjectId(text)
  const manager = id === undefined ? undefined : await readUser(db, walletId, id)
  if (manager === undefined) throw invalid('invalidValue', 'scim.no-such-user', { id: text.slice(0, 64) })
  return manager.id
}
