import { z } from 'zod'
import { borrowedCallers, defineRoutes } from '../route.ts'

/** Default and maximum number of addresses in an answer. */
export const addressLimits = { usual: 15, most: 100 } as const

/** An address and the name to show with it, which may be empty. */
const namedAddress = z.object({ email: z.string(), name: z.string() })

export type NamedAddress = z.infer<typeof namedAddress>

const found = z.object({ list: z.array(namedAddress).max(addressLimits.most), count: z.number().int() })

/** Numbers out of range are replaced, not refused. */
const limit = z.coerce
  .number<string | number>()
  .int()
  .catch(addressLimits.usual)
  .transform((wanted) => (wanted <= 0 ? addressLimits.usual : Math.min(wanted, addressLimits.most)))

const searchQuery = {
  /** Part of an address or a name; without it, everything matches. */
  search: z.string().max(191).nullish(),
  limit: limit.nullish(),
}

const aliasQuery = {
  /** Whether to find aliases as well: anything but `0`, `false` and the empty string. */
  alias: z
    .string()
    .transform((text) => !['', '0', 'false'].includes(text))
    .nullish(),
}

const route = { tag: 'Address book', auth: 'token', openTo: borrowedCallers, hosts: ['user'] } as const

/** Addresses for webmail and mail programs; reference api-auth §19. */
export const addressBookRoutes = defineRoutes({
  'GET /api/v4/search/self': {
    ...route,
    summary: 'Search your own addresses',
    query: z.object({ ...searchQuery, ...aliasQuery }),
    ok: found,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/search/user': {
    ...route,
    summary: 'Search the users of your account by name or address, if the installation offers it',
    query: z.object({ ...searchQuery, ...aliasQuery }),
    ok: found,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/search/contacts': {
    ...route,
    summary: 'Search the address book of your account: users, distribution lists and resources',
    query: z.object(searchQuery),
    ok: found,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/config/webmail': {
    ...route,
    summary: 'Read which features the webmail should offer you',
    ok: z.object({
      'kolab-configuration-overlays': z.array(z.enum(['kolab4', 'activesync', '2fa', 'groupware'])),
    }),
    errors: [401, 403, 404],
  },
})
