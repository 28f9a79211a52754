/** As much of a found customer as it takes. */
interface Found {
  list: readonly { id: number; isDeleted: boolean }[]
  hasMore: boolean
}

/** The number of the one customer that a search has found; a deleted one is looked at before it is opened. */
export function onlyHit(found: Found | undefined, page: number): number | undefined {
  const [first, ...more] = found?.list ?? []
  if (page > 1 || found?.hasMore || more.length > 0) return undefined
  return first && !first.isDeleted ? first.id : undefined
}
