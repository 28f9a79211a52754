import { displayAddress, displayDomain } from '@gatehouse/contract/canonical-address'
import { t } from '../../i18n/i18n.ts'

/** Returns an address for display. Bounces have none, and the installation may hide those of strangers. */
export function shownAddress(address: string): string {
  if (address === '') return t('mailtrace.noSender')
  const hidden = /^~[0-9a-f]{16}@(.+)$/.exec(address)
  if (hidden?.[1] !== undefined) return t('mailtrace.hiddenSender', { domain: displayDomain(hidden[1]) })
  return displayAddress(address)
}

/** Returns the recipients of a message in a few words. */
export function shownRecipients(recipients: readonly string[]): string {
  const [first, ...others] = recipients
  if (first === undefined) return t('mailtrace.noRecipient')
  return others.length === 0
    ? shownAddress(first)
    : t('mailtrace.andMore', { first: shownAddress(first), count: others.length })
}
