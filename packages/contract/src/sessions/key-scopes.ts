import type { BorrowedCaller, RouteDefinition } from '../route.ts'
import { type RouteKey, routes } from '../routes.ts'

/** What a scope of an API key allows: `read` is for GET, `write` for all methods. */
export const keyAccesses = ['read', 'write'] as const

export type KeyAccess = (typeof keyAccesses)[number]

/** Scopes of one group of calls. */
export interface KeyScopeGroup {
  /** The group's tag as a slug, such as `distribution-lists`. */
  readonly group: string
  /** The accesses that calls of the group need. */
  readonly accesses: readonly KeyAccess[]
  /** The calls are about the caller's own data, so that keys of an account can't have the scope. */
  readonly isPersonal: boolean
}

/** Tags of calls about the caller's own data. */
const personalTags: ReadonlySet<string> = new Set(['Address book', 'Files', 'Rooms'])

/** Whether API keys may make a call. */
export function isOpenToKeys({ openTo }: Pick<RouteDefinition, 'openTo'>): boolean {
  const callers: readonly BorrowedCaller[] = openTo ?? []
  return callers.includes('apiKey')
}

/** Returns the name of a tag's group. */
export function keyGroupOf(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

/** Returns the scope that a call with this tag and method needs. */
export function keyScopeOf({ tag }: Pick<RouteDefinition, 'tag'>, method: string): string {
  const access: KeyAccess = method === 'GET' || method === 'HEAD' ? 'read' : 'write'
  return `${keyGroupOf(tag)}:${access}`
}

/** Returns whether a key's scopes include one that a call needs. `write` includes `read`. */
export function includesKeyScope(scopes: readonly string[], needed: string): boolean {
  return scopes.includes(needed) || scopes.includes(needed.replace(/:read$/, ':write'))
}

/** The scope of each call that API keys may make; the others are closed to keys. */
export const scopeOfCall: ReadonlyMap<RouteKey, string> = new Map(
  // the keys of `routes` are exactly the route keys
  (Object.entries(routes) as [RouteKey, RouteDefinition][])
    .filter(([, definition]) => isOpenToKeys(definition))
    .map(([key, definition]) => [key, keyScopeOf(definition, key.split(' ', 1)[0] ?? '')]),
)

/** The tag of the SCIM protocol, whose calls aren't part of the contract. */
export const scimTag = 'SCIM'

const scimScopes = keyAccesses.map((access) => `${keyGroupOf(scimTag)}:${access}`)

/** The groups of calls that API keys may make, in alphabetical order. A new tag is a new group. */
export const keyScopeGroups: readonly KeyScopeGroup[] = groupsOf(
  new Set([...scopeOfCall.values(), ...scimScopes]),
)

/** Every scope that a key can have. */
export const keyScopes: readonly string[] = keyScopeGroups.flatMap(({ group, accesses }) =>
  accesses.map((access) => `${group}:${access}`),
)

function groupsOf(scopes: ReadonlySet<string>): KeyScopeGroup[] {
  const groups = [...new Set([...scopes].map((scope) => scope.split(':', 1)[0] ?? ''))].sort()
  const personal = new Set([...personalTags].map(keyGroupOf))
  return groups.map((group) => ({
    group,
    accesses: keyAccesses.filter((access) => scopes.has(`${group}:${access}`)),
    isPersonal: personal.has(group),
  }))
}
