import { isLanguage, type Language } from '@gatehouse/contract/language'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Db } from '../../platform/db/database.ts'
import { fullName } from '../../users/user.ts'
import { type HolderRow, readHolders, readOwner } from './notice-store.ts'

/** Someone who is notified about a wallet. */
export interface Recipient {
  readonly userId: number
  readonly address: string
  readonly name: string
  readonly language: Language
}

/**
 * Recipients of mails about a wallet: its owner and its other controllers; reference api-billing-admin §23.
 * Each gets it in their mailbox, or at their external address without one; with `alsoExternal` at both. Users
 * who aren't set up yet only have an external address. Empty if the owner is suspended.
 */
export async function recipientsOf(
  db: Db,
  walletId: string,
  { alsoExternal, withLdap }: { readonly alsoExternal: boolean; readonly withLdap: boolean },
): Promise<Recipient[]> {
  const rows = await readHolders(db, walletId)
  if (!rows.some((row) => row.isOwner && !hasBit(row.status, userStatus.suspended))) return []
  const found = new Map<string, Recipient>()
  for (const row of rows) {
    if (hasBit(row.status, userStatus.suspended)) continue
    for (const address of addressesOf(row, alsoExternal, withLdap)) {
      if (found.has(address)) continue
      const language = isLanguage(row.language) ? row.language : 'en'
      found.set(address, { userId: row.id, address, name: fullName(row), language })
    }
  }
  return [...found.values()]
}

/** The owner of a closed account's wallet: the mailbox is deleted, but an external address remains. */
export async function formerOwnerOf(db: Db, walletId: string): Promise<Recipient> {
  const { id, email, language, external, ...name } = await readOwner(db, walletId)
  return {
    userId: id,
    address: external ?? email,
    name: fullName(name),
    language: isLanguage(language) ? language : 'en',
  }
}

function addressesOf(row: HolderRow, alsoExternal: boolean, withLdap: boolean): string[] {
  const ready = userStatus.imapReady | (withLdap ? userStatus.ldapReady : 0)
  const external = row.external === null ? [] : [row.external]
  if (!hasBit(row.status, ready)) return alsoExternal ? external : []
  if (!row.hasMailbox) return external
  return alsoExternal ? [row.email, ...external] : [row.email]
}
