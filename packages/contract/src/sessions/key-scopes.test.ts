import { describe, expect, test } from 'vitest'
import type { BorrowedCaller, RouteDefinition } from '../route.ts'
import { routes } from '../routes.ts'
import {
  includesKeyScope,
  keyGroupOf,
  keyScopeGroups,
  keyScopeOf,
  keyScopes,
  scimTag,
  scopeOfCall,
} from './key-scopes.ts'

const table = Object.entries(routes) as [keyof typeof routes, RouteDefinition][] // the keys of an object literal

/** Tags of calls that are never open to API keys. */
const closedTags = [
  'API keys',
  'App passwords',
  'Companions',
  'Meetings',
  'OAuth',
  'Operations',
  'Passwords',
  'Second factors',
  'Sessions',
  'Staff',
  'Tenants',
]

describe('scopes of API keys', () => {
  test.each(table)('%s has exactly one scope or is closed to keys', (key, definition) => {
    const scope = scopeOfCall.get(key)
    const open: readonly BorrowedCaller[] = definition.openTo ?? []
    expect(scope !== undefined).toBe(open.includes('apiKey'))
    if (scope === undefined) return
    expect(keyScopes.filter((known) => known === scope)).toEqual([scope])
    expect(closedTags).not.toContain(definition.tag)
    expect(definition.stepUp).toBeUndefined()
    expect(definition.hosts ?? ['user']).toContain('user')
  })

  test.each(closedTags)('%s is a tag of the contract', (tag) => {
    expect(table.map(([, definition]) => definition.tag)).toContain(tag)
  })

  test('are derived from tag and method', () => {
    const tag = 'Distribution lists'
    expect(keyScopeOf({ tag }, 'GET')).toBe('distribution-lists:read')
    expect(keyScopeOf({ tag }, 'HEAD')).toBe('distribution-lists:read')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(keyScopeOf({ tag }, method)).toBe('distribution-lists:write')
    }
  })

  test('belong to different groups for different tags', () => {
    const tags = new Set(
      table.filter(([key]) => scopeOfCall.has(key)).map(([, definition]) => definition.tag),
    )
    expect(keyScopeGroups.map(({ group }) => group)).toContain(keyGroupOf(scimTag))
    expect(keyScopeGroups).toHaveLength(tags.size + 1)
  })

  test.each([
    [['users:read'], 'users:read', true],
    [['users:write'], 'users:read', true],
    [['users:read'], 'users:write', false],
    [['groups:write'], 'users:write', false],
    [[], 'users:read', false],
  ] as const)('%j include %s: %s', (scopes, needed, expected) => {
    expect(includesKeyScope(scopes, needed)).toBe(expected)
  })
})
