import type { resourceSortKeys } from '@gatehouse/contract/directory/resources'
import { ObjectList } from '../../domain/directory/object-list.tsx'

// The contract's own array would bring its validator into the browser.
const sorts = ['name', 'email', 'created'] as const satisfies typeof resourceSortKeys

/** All resources of the account. */
export function ResourcesPage() {
  return <ObjectList kind="resource" sorts={sorts} />
}
