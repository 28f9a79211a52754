import type { AuditEvent } from '@gatehouse/contract/events'
import type { Overview } from '@gatehouse/contract/overview'
import type { Db } from '../platform/db/database.ts'
import type { Translate } from '../platform/i18n/translator.ts'
import { accountEvents, signInEvents } from '../users/events/event-list.ts'

/** Entries that are shown. */
const shown = 5
/** Entries of an account that are looked through for something else than sign-ins. */
const read = 50

const anything = { objectType: null, object: null, actor: null, event: null, from: null, to: null }

/**
 * The last entries of the accounts that somebody controls. Sign-ins of many people would hide everything else, so they
 * are left out unless there is nothing else. Who controls no account sees their own sign-ins.
 */
export async function recentActivity(
  db: Db,
  readerId: number,
  controls: boolean,
  t: Translate,
): Promise<Overview['activity']> {
  if (!controls) {
    const { list } = await signInEvents(db, readerId, { outcome: null, from: null, to: null, size: shown }, t)
    return list.map(present)
  }
  const { list } = await accountEvents(db, readerId, { ...anything, size: read }, t)
  const acts = list.filter(({ event }) => !/^(sign-in|session|access)\./.test(event))
  return (acts.length > 0 ? acts : list).slice(0, shown).map(present)
}

/**
 * An entry without what only the whole list tells: facts, addresses and comments. What happened to a file is recorded at
 * its owner; here the file is the object.
 */
function present({ data, ip: _ip, comment: _comment, ...entry }: AuditEvent): Overview['activity'][number] {
  const isFile = data !== null && 'file' in data && typeof data.name === 'string'
  return isFile ? { ...entry, objectType: 'file', object: String(data.name) } : entry
}
