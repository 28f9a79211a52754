import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { GroupwareBackend, StorageUse } from './backend.ts'
import { recordUsage, usersWithMailbox } from './usage-store.ts'

/** Users per request to the database. */
const atOnce = 200

/** Measures how much each user stores in the groupware. */
export async function measureUsage(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  backend: GroupwareBackend,
): Promise<void> {
  let last = 0
  for (;;) {
    const users = await usersWithMailbox(db, last, atOnce)
    const used = new Map<number, StorageUse>()
    for (const user of users) {
      const use = await backend.readUsage(user)
      if (use !== undefined) used.set(user.id, use)
    }
    await recordUsage(db, used, clock.now())
    if (users.length < atOnce) return
    last = users.at(-1)?.id ?? last
  }
}
