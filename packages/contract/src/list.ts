import { z } from 'zod'

/** Which part of a list: pages count from 1. */
export const pageQuery = z.object({
  page: z.coerce.number<string | number>().int().min(1).max(1_000_000).nullish(),
  /** Rows of a page, 20 unless told. */
  size: z.coerce.number<string | number>().int().min(1).max(100).nullish(),
})

/** One page of a list; `count` is the number of rows on it. */
export function pagedList<T extends z.ZodType>(item: T) {
  return z.object({ list: z.array(item), count: z.number().int(), hasMore: z.boolean() })
}

/** Query of a list as a CSV file. */
export const csvQuery = {
  /** `1`: with the mark that tells spreadsheets that it is UTF-8. */
  bom: z.enum(['0', '1']).nullish(),
}
