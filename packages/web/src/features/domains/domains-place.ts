import type { objectStates } from '@gatehouse/contract/directory/directory'
import type { domainSortKeys as sortKeys } from '@gatehouse/contract/directory/domains'
import type { MessageKey } from '../../i18n/areas.ts'

// Importing the contract's arrays would pull its validator into the bundle.
/** Sort keys of the domain list. */
export const domainSortKeys = ['namespace', 'created'] as const satisfies typeof sortKeys

/** States to filter the list by. */
export const domainStates = [
  'active',
  'pending',
  'suspended',
  'deleted',
] as const satisfies typeof objectStates

/** Query parameters of the list. */
export const listOptions = { sorts: domainSortKeys, filters: { status: domainStates } } as const

export const stateLabels: Record<(typeof domainStates)[number], MessageKey> = {
  active: 'words.active',
  pending: 'status.notReady',
  suspended: 'status.suspended',
  deleted: 'words.deleted',
}
