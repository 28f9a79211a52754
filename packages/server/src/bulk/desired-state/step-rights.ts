import type { StateKind } from '@gatehouse/contract/directory/plans'
import type { RouteKey } from '@gatehouse/contract/routes'
import { includesKeyScope, scopeOfCall } from '@gatehouse/contract/sessions/key-scopes'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { message } from '../../platform/http/errors.ts'
import { borrowedCaller } from '../../platform/http/policy.ts'
import { givesAccess, namesAccess } from '../../users/policy.ts'
import { groupIn } from './desk.ts'
import type { Problems } from './problems.ts'
import type { Step } from './steps.ts'

/** The calls that an object's steps stand for. */
interface KindCalls {
  readonly create: RouteKey
  readonly change: RouteKey
  readonly delete: RouteKey
  readonly restore: RouteKey
  /** Changes these fields, by another call. */
  readonly config?: { readonly call: RouteKey; readonly fields: readonly string[] }
}

const calls: Readonly<Record<Exclude<StateKind, 'policies'>, KindCalls>> = {
  domains: {
    create: 'POST /api/v4/domains',
    change: 'POST /api/v4/domains/{id}/config',
    delete: 'DELETE /api/v4/domains/{id}',
    restore: 'POST /api/v4/domains/{id}/restore',
    config: { call: 'POST /api/v4/domains/{id}/config', fields: ['spf_whitelist'] },
  },
  users: {
    create: 'POST /api/v4/users',
    change: 'PUT /api/v4/users/{id}',
    delete: 'DELETE /api/v4/users/{id}',
    restore: 'POST /api/v4/users/{id}/restore',
    config: { call: 'POST /api/v4/users/{id}/config', fields: ['settings'] },
  },
  lists: {
    create: 'POST /api/v4/groups',
    change: 'PUT /api/v4/groups/{id}',
    delete: 'DELETE /api/v4/groups/{id}',
    restore: 'POST /api/v4/groups/{id}/restore',
    config: { call: 'POST /api/v4/groups/{id}/config', fields: ['sender_policy', 'members_may_send'] },
  },
  resources: {
    create: 'POST /api/v4/resources',
    change: 'PUT /api/v4/resources/{id}',
    delete: 'DELETE /api/v4/resources/{id}',
    restore: 'POST /api/v4/resources/{id}/restore',
    config: { call: 'POST /api/v4/resources/{id}/config', fields: ['invitation_policy'] },
  },
  folders: {
    create: 'POST /api/v4/shared-folders',
    change: 'PUT /api/v4/shared-folders/{id}',
    delete: 'DELETE /api/v4/shared-folders/{id}',
    restore: 'POST /api/v4/shared-folders/{id}/restore',
    config: { call: 'POST /api/v4/shared-folders/{id}/config', fields: ['acl'] },
  },
  rooms: {
    create: 'POST /api/v4/rooms',
    change: 'PUT /api/v4/rooms/{id}',
    delete: 'DELETE /api/v4/rooms/{id}',
    restore: 'POST /api/v4/rooms/{id}/restore',
    config: { call: 'POST /api/v4/rooms/{id}/config', fields: ['locked', 'nomedia', 'moderators'] },
  },
}

/** Returns the calls that have the same effect as a step. */
export function callsOf({ kind, action, after }: Step): readonly RouteKey[] {
  if (kind === 'policies') return ['POST /api/v4/users/{id}/config']
  const { config, ...own } = calls[kind]
  if (action === 'delete' || action === 'restore') return [own[action]]
  const names = Object.keys(after ?? {})
  const isConfigured = config !== undefined && names.some((name) => config.fields.includes(name))
  const isOnlyConfigured = action === 'change' && names.every((name) => config?.fields.includes(name))
  return [...(isOnlyConfigured ? [] : [own[action]]), ...(isConfigured ? [config.call] : [])]
}

/** Whether a step affects who can sign in, so that it needs recent authentication. */
export function affectsAccess({ kind, action, after }: Step): boolean {
  const isMember = kind === 'users' || kind === 'policies'
  if (!isMember || after === null || action === 'restore') return false
  const names = action === 'create' ? givesAccess(after) : namesAccess(after)
  return names || namesAccess(groupIn(after, 'settings') ?? {})
}

/** People are asked to authenticate if a plan gives access: new users get links to choose a password. */
export function needsFreshProof(steps: readonly Step[]): boolean {
  return steps.some((step) => affectsAccess(step) || (step.kind === 'users' && step.action === 'create'))
}

/**
 * A plan of an API key can do exactly what the key could do by single calls. Adds an error for each step beyond
 * that.
 */
export function requireStepRights(principal: Principal, steps: readonly Step[], problems: Problems): void {
  const { apiKey } = principal
  if (borrowedCaller(principal) === undefined) return
  for (const step of steps) {
    for (const call of callsOf(step)) {
      const needed = scopeOfCall.get(call)
      if (apiKey === undefined || needed === undefined) {
        problems.add(step.path, message('api-keys.key-closed'))
      } else if (!includesKeyScope(apiKey.scopes, needed)) {
        problems.add(step.path, message('api-keys.key-scope', { scope: needed }))
      }
    }
    if (affectsAccess(step)) problems.add(step.path, message('api-keys.key-closed'))
  }
}
