import { isLanguage, type Language } from '@gatehouse/contract/language'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Db } from '../../platform/db/database.ts'
import { fullName } from '../../users/user.ts'
import { type HolderRow, readHolders, readOwner } from './notice-store.ts'

/** Somebody who is told about a wallet. */
export interface Recipient {
  readonly userId: number
  readonly address: string
  readonly name: string
  readonly language: Language
}

/**
 * Who gets a mail about a wallet: its owner and the others who control it; reference api-billing-admin §23. Each
 * gets it in the own mailbox, or at the external address where there is no mailbox; with `alsoExternal` there as
 * well. Who is not set up yet has an external address only. Nobody when the owner is suspended.
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

/** The owner of a wallet whose account is closed: the mailbox is gone, an external address is not. */
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
