import { z } from 'zod'
import { kindNames } from './directory/kinds.ts'
import { objectId } from './directory/users.ts'
import { borrowedCallers, defineRoutes } from './route.ts'

/** Types of objects in search results, each with its own page. */
export const searchTypes = kindNames

export type SearchType = (typeof searchTypes)[number]

/** Maximum results per search. */
export const searchLimit = 20

export const searchHit = z.object({
  type: z.enum(searchTypes),
  id: objectId,
  /** Display name. */
  title: z.string(),
  /** Distinguishes it from others with the same name, e.g. its address. */
  detail: z.string().nullable(),
})

export type SearchHit = z.infer<typeof searchHit>

export const searchQuery = z.object({
  /** Without it the result is empty. */
  q: z.string().max(191).nullish(),
})

export const searchAnswer = z.object({ list: z.array(searchHit).max(searchLimit) })

export const searchRoutes = defineRoutes({
  'GET /api/v4/search': {
    summary:
      'Search users, domains, lists, resources, folders and rooms by name, organisation or address, best match first',
    tag: 'Search',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    query: searchQuery,
    ok: searchAnswer,
    errors: [401, 403, 404, 422],
  },
})
