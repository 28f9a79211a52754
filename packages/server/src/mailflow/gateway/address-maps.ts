import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import type { Db } from '../../platform/db/database.ts'
import type { SocketmapAnswer } from '../protocols/socketmap/socketmap-answer.ts'
import { findAlias, findMailbox, findSenders, isMailDomain } from './address-map-store.ts'

type Map = (db: Db, key: string) => Promise<string | undefined>

/** Tables of Postfix by their names; docs/MAIL.md shows where each belongs. */
const maps: Readonly<Record<string, Map>> = {
  domains: async (db, key) => ((await isMailDomain(db, key)) ? key : undefined),
  mailboxes: findMailbox,
  aliases: findAlias,
  senders: async (db, key) => (await findSenders(db, key)).join(',') || undefined,
}

/** Looks up a key in a table. */
export async function lookUp(db: Db, map: string, key: string): Promise<SocketmapAnswer> {
  const find = Object.hasOwn(maps, map) ? maps[map] : undefined
  if (find === undefined) return { status: 'perm', reason: 'Unknown map' }
  // such characters are in no address here, and the database can't store NUL
  const value = /[\p{Cc}\p{Cs}]/u.test(key) ? undefined : await find(db, canonicalAddress(key))
  return value === undefined || value === '' ? { status: 'not-found' } : { status: 'ok', value }
}
