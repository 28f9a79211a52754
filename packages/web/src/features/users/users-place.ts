import type { userSortKeys as sortKeys, userStates as states } from '@gatehouse/contract/directory/users'
import type { MessageKey } from '../../i18n/areas.ts'

// The contract's own arrays would bring its validator into the browser.
/** Keys by which users can be sorted. */
export const userSortKeys = ['email', 'name', 'created'] as const satisfies typeof sortKeys

/** States by which the list can be narrowed. */
export const userStates = [
  'active',
  'pending',
  'suspended',
  'degraded',
  'deleted',
] as const satisfies typeof states

/** What the address of the list may say. */
export const listOptions = { sorts: userSortKeys, filters: { status: userStates } } as const

export const stateLabels: Record<(typeof userStates)[number], MessageKey> = {
  active: 'words.active',
  pending: 'status.notReady',
  suspended: 'status.suspended',
  degraded: 'status.degraded',
  deleted: 'words.deleted',
}
