/** The fields of a result that are needed. */
interface Found {
  list: readonly { id: number; isDeleted: boolean }[]
  hasMore: boolean
}

/** Returns the number of a search's only customer. Deleted ones aren't opened automatically. */
export function onlyHit(found: Found | undefined, page: number): number | undefined {
  const [first, ...more] = found?.list ?? []
  if (page > 1 || found?.hasMore || more.length > 0) return undefined
  return first && !first.isDeleted ? first.id : undefined
}
