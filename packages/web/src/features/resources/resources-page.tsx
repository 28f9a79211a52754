import type { resourceSortKeys } from '@gatehouse/contract/directory/resources'
import { ObjectList } from '../../domain/directory/object-list.tsx'

// Importing the contract's array would pull its validator into the bundle.
const sorts = ['name', 'email', 'created'] as const satisfies typeof resourceSortKeys

/** All resources of the account. */
export function ResourcesPage() {
  return <ObjectList kind="resource" sorts={sorts} />
}
