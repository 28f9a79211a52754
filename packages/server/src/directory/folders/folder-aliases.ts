import type { Db } from '../../platform/db/database.ts'
import type { Checked } from '../../platform/http/validation.ts'
import type { AddressAccount } from '../../users/addresses/new-address.ts'
import type { DirectoryObject } from '../objects/object.ts'
import { type CheckedAliases, checkAliases, type SentAliases } from '../users/user-input.ts'

/** Returns the address that delivers mail into a folder by its name; reference api-objects §7.2. */
export function lmtpAlias(folder: { readonly name: string; readonly domain: string }): string {
  return `shared+shared/${folder.name}@${folder.domain}`
}

/** Returns all additional addresses of a folder as sent to clients, sorted. */
export function folderAliases(
  folder: Pick<DirectoryObject, 'name' | 'domain' | 'aliases' | 'hasLmtpAlias'>,
): string[] {
  return [...folder.aliases, ...(folder.hasLmtpAlias ? [lmtpAlias(folder)] : [])].sort()
}

export interface CheckedFolderAliases extends CheckedAliases {
  /** Whether they include the address derived from the name, which needs no lookup. */
  readonly hasLmtpAlias: boolean
}

/**
 * Validates the aliases of a mail folder. `names`: names by which it may be addressed, both new and previous;
 * `own`: its current aliases.
 */
export async function checkFolderAliases(
  db: Db,
  account: AddressAccount,
  sent: SentAliases,
  folder: {
    readonly names: readonly string[]
    readonly domain: string | undefined
    readonly own: readonly string[]
  },
): Promise<Checked<CheckedFolderAliases>> {
  const items = sent ?? []
  const { domain } = folder
  const byName = new Set(domain === undefined ? [] : folder.names.map((name) => lmtpAlias({ name, domain })))
  const isByName = (item: string | null) => item !== null && byName.has(withDomainInLowerCase(item))
  // keeps the positions of the input
  const others = items.map((item) => (isByName(item) ? null : item))
  const checked = await checkAliases(db, account, others, folder.own)
  return 'value' in checked ? { value: { ...checked.value, hasLmtpAlias: items.some(isByName) } } : checked
}

function withDomainInLowerCase(text: string): string {
  const at = text.lastIndexOf('@')
  return `${text.slice(0, at).normalize('NFC')}${text.slice(at).toLowerCase()}`
}
