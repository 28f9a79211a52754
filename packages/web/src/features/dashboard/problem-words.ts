import type { Overview, Problem, ProblemKind } from '@gatehouse/contract/overview'
import type { MessageKey } from '../../i18n/areas.ts'
import { day, number } from '../../i18n/format.ts'
import type { Translate } from '../../i18n/i18n.ts'

interface Words {
  /** The problem, with the name of the object or the number of objects. */
  text: MessageKey
  /** Label of the button. */
  action: MessageKey
  /** Path for a single object; without `one` or with several objects, the area is used. */
  one?: string
  area: string
  /** Filters the area's list to those objects. */
  search?: Record<string, string>
}

const topUp = { action: 'dashboard.doTopUp', area: '/wallet' } as const
const domain = { one: '/domain', area: '/domains' } as const
const distlist = { one: '/distlist', area: '/distlists' } as const
const pending = { status: 'pending' }
const look = 'dashboard.doLook'

const words: Record<ProblemKind, Words> = {
  degraded: { text: 'dashboard.topUp', ...topUp },
  'payment-failed': { text: 'dashboard.paymentFailed', action: 'dashboard.doPayment', area: '/wallet' },
  debt: { text: 'dashboard.debt', ...topUp },
  'storage-full': { text: 'dashboard.storageFull', action: 'dashboard.doStorage', area: '/files' },
  'mailbox-full': { text: 'dashboard.mailboxFull', action: look, area: '/settings' },
  'mailboxes-full': { text: 'dashboard.mailboxesFull', action: look, one: '/user', area: '/users' },
  'domain-unconfirmed': {
    text: 'dashboard.unconfirmed',
    action: 'dashboard.doConfirm',
    ...domain,
    search: pending,
  },
  'domain-proof-missing': { text: 'dashboard.proofMissing', action: 'dashboard.doRecords', ...domain },
  'domain-failed': { text: 'dashboard.domainFailed', action: look, ...domain },
  'user-failed': {
    text: 'dashboard.userFailed',
    action: look,
    one: '/user',
    area: '/users',
    search: pending,
  },
  'distlist-failed': { text: 'dashboard.distlistFailed', action: look, ...distlist },
  'resource-failed': { text: 'dashboard.resourceFailed', action: look, one: '/resource', area: '/resources' },
  'folder-failed': {
    text: 'dashboard.folderFailed',
    action: look,
    one: '/shared-folder',
    area: '/shared-folders',
  },
  'low-balance': { text: 'dashboard.lowBalance', ...topUp },
  'trial-ends': { text: 'dashboard.trialEnds', ...topUp },
  'recovery-missing': { text: 'dashboard.recoveryMissing', action: look, area: '/security' },
  'booking-waits': {
    text: 'dashboard.bookingsWait',
    action: 'dashboard.doDecide',
    area: '/booking-requests',
  },
  'second-factor-off': { text: 'dashboard.factorOff', action: 'dashboard.doFactor', area: '/security' },
  'domain-records': { text: 'dashboard.recordsWrong', action: 'dashboard.doRecords', ...domain },
  'storage-low': { text: 'dashboard.storageLow', action: 'dashboard.doStorage', area: '/files' },
  'mailbox-low': { text: 'dashboard.mailboxLow', action: look, area: '/settings' },
  'mailboxes-low': { text: 'dashboard.mailboxesLow', action: look, one: '/user', area: '/users' },
  'domain-suspended': { text: 'dashboard.domainSuspended', action: look, ...domain },
  'user-suspended': { text: 'dashboard.userSuspended', action: look, one: '/user', area: '/users' },
  'distlist-suspended': { text: 'dashboard.distlistSuspended', action: look, ...distlist },
  'distlist-empty': { text: 'dashboard.distlistEmpty', action: look, ...distlist },
}

/** Returns a short description of a problem. */
export function problemText(
  { kind, count, name }: Problem,
  { wallet }: Pick<Overview, 'wallet'>,
  t: Translate,
): string {
  const until = wallet?.lastsUntil
  return t(words[kind].text, {
    count,
    number: number(count),
    name: name ?? '',
    date: until ? day(until, { dateStyle: 'long' }) : '',
  })
}

/** Returns the action for a problem and its path. */
export function problemAction({ kind, count, id }: Problem) {
  const { action, one, area, search } = words[kind]
  const isOne = one !== undefined && count === 1 && id !== null
  return isOne ? { label: action, to: `${one}/${id}` } : { label: action, to: area, search }
}
