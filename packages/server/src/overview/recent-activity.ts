import type { Overview } from '@gatehouse/contract/overview'
import type { Db } from '../platform/db/database.ts'
import type { Translate } from '../platform/i18n/translator.ts'
import { accountEvents, signInEvents } from '../users/events/event-list.ts'

/** Entries the dashboard shows. */
const shown = 5
/** Entries read to find some that aren't sign-ins. */
const read = 50

const anything = { objectType: null, object: null, actor: null, event: null, from: null, to: null }

/**
 * Returns the latest events of the accounts that the reader controls. Sign-ins would bury everything else in a large
 * account, so they are left out unless there is nothing else. Readers who control no account get their own sign-ins.
 */
export async function recentActivity(
  db: Db,
  readerId: number,
  controls: boolean,
  t: Translate,
): Promise<Overview['activity']> {
  if (!controls) {
    const { list } = await signInEvents(db, readerId, { outcome: null, from: null, to: null, size: shown }, t)
    return list
  }
  const { list } = await accountEvents(db, readerId, { ...anything, size: read }, t)
  const acts = list.filter(({ event }) => !/^(sign-in|session|access)\./.test(event))
  return (acts.length > 0 ? acts : list).slice(0, shown)
}
