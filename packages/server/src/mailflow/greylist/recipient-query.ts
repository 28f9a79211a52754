import { accountDelivery } from '../../users/settings/effective-settings.ts'
import { readFlag } from '../../users/settings/stored-value.ts'
import { senderAddress } from '../list-access/sender-address.ts'
import type { Recipient } from '../recipients/recipient-store.ts'
import { withoutTag } from '../submission/submission.ts'
import type { ContactKey } from './greylist-facts.ts'
import type { HistoryQuery } from './greylist-store.ts'

/** A user's own setting, otherwise the policy of the account, which also applies to lists, resources and folders. */
export function hasGreylisting({ kind, settings, ownerSettings }: Recipient): boolean {
  const own = kind === 'user' ? readFlag(settings.greylist_enabled) : null
  return own ?? accountDelivery(ownerSettings).greylist.value
}

/** Returns what the history of a sender is found by. `sender` is canonical. */
export function historyQuery(key: ContactKey, sender: string, contacts: number): HistoryQuery {
  return { key, correspondent: withoutTag(sender), entries: entriesNaming(sender), contacts }
}

/** Every entry that `matchingEntry` would accept for a sender: its address, its domain, and the suffixes. */
function entriesNaming(sender: string): string[] {
  const { full, domain } = senderAddress(sender) ?? {}
  if (full === undefined || domain === undefined) return []
  const labels = domain.split('.')
  return [full, domain, ...labels.map((_, at) => `.${labels.slice(at).join('.')}`)]
}
