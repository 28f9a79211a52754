import type { searchTypes as types } from '@gatehouse/contract/search'

export type { SearchHit } from '@gatehouse/contract/search'

// The contract's own array would bring its validator into the browser.
/** Kinds of objects that the search finds. */
export const searchTypes = [
  'user',
  'domain',
  'distlist',
  'resource',
  'folder',
  'room',
] as const satisfies typeof types
