import { z } from 'zod'
import { kindNames } from './directory/kinds.ts'
import { objectId } from './directory/users.ts'
import { borrowedCallers, defineRoutes } from './route.ts'

/** Kinds of objects that a search finds, each by the page that it has. */
export const searchTypes = kindNames

export type SearchType = (typeof searchTypes)[number]

/** The most that one search answers. */
export const searchLimit = 20

export const searchHit = z.object({
  type: z.enum(searchTypes),
  id: objectId,
  /** What people call it. */
  title: z.string(),
  /** What tells it from others of that name, such as its address. */
  detail: z.string().nullable(),
})

export type SearchHit = z.infer<typeof searchHit>

export const searchQuery = z.object({
  /** Without it nothing is found. */
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
