import { z } from 'zod'

/** Pagination; pages count from 1. */
export const pageQuery = z.object({
  page: z.coerce.number<string | number>().int().min(1).max(1_000_000).nullish(),
  /** Page size; defaults to 20. */
  size: z.coerce.number<string | number>().int().min(1).max(100).nullish(),
})

/** One page of a list; `count` is the number of its rows. */
export function pagedList<T extends z.ZodType>(item: T) {
  return z.object({ list: z.array(item), count: z.number().int(), hasMore: z.boolean() })
}

/** Query of a list exported as CSV. */
export const csvQuery = {
  /** `1` adds a byte order mark, by which spreadsheets recognise UTF-8. */
  bom: z.enum(['0', '1']).nullish(),
}
