import type { objectStates } from '@gatehouse/contract/directory/directory'
import type { domainSortKeys as sortKeys } from '@gatehouse/contract/directory/domains'
import type { MessageKey } from '../../i18n/areas.ts'

// The contract's own arrays would bring its validator into the browser.
/** Keys by which domains can be sorted. */
export const domainSortKeys = ['namespace', 'created'] as const satisfies typeof sortKeys

/** States by which the list can be narrowed. */
export const domainStates = [
  'active',
  'pending',
  'suspended',
  'deleted',
] as const satisfies typeof objectStates

/** What the address of the list may say. */
export const listOptions = { sorts: domainSortKeys, filters: { status: domainStates } } as const

export const stateLabels: Record<(typeof domainStates)[number], MessageKey> = {
  active: 'words.active',
  pending: 'status.notReady',
  suspended: 'status.suspended',
  deleted: 'words.deleted',
}
