import type { userSortKeys as sortKeys, userStates as states } from '@gatehouse/contract/directory/users'
import type { MessageKey } from '../../i18n/areas.ts'

// Importing the contract's arrays would pull its validator into the bundle.
/** Sort keys of the user list. */
export const userSortKeys = ['email', 'name', 'created'] as const satisfies typeof sortKeys

/** States to filter the list by. */
export const userStates = [
  'active',
  'pending',
  'suspended',
  'degraded',
  'deleted',
] as const satisfies typeof states

/** Query parameters of the list. */
export const listOptions = { sorts: userSortKeys, filters: { status: userStates } } as const

export const stateLabels: Record<(typeof userStates)[number], MessageKey> = {
  active: 'words.active',
  pending: 'status.notReady',
  suspended: 'status.suspended',
  degraded: 'status.degraded',
  deleted: 'words.deleted',
}
