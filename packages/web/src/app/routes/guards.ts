import type { ComponentType } from 'react'
import type { Variant } from '../../platform/config.ts'
import { neededPermission, type RouteEntry } from '../../platform/navigation/route-entry.ts'
import type { Auth, Permission } from '../../platform/session/auth.ts'
import { hasPermission } from '../../platform/session/auth.ts'

export type Verdict =
  | { kind: 'pass' }
  | { kind: 'login' }
  | { kind: 'locked' }
  | { kind: 'enrol' }
  | { kind: 'enrolled' }
  | { kind: 'forbidden'; perm: Permission }

/** Where a user must first set up a second factor. */
export const enrolPath = '/enrol'

const openWhileLocked = new Set(['/login', '/payment/status'])

/** Whether a route may be shown to the current visitor; specification "Route access rules". */
export function guard(entry: RouteEntry, { loggedIn, user }: Auth, variant: Variant): Verdict {
  if (!entry.auth) return { kind: 'pass' }
  if (!loggedIn) return { kind: 'login' }
  if (user?.mustEnrol) return { kind: entry.path === enrolPath ? 'pass' : 'enrol' }
  if (entry.path === enrolPath) return { kind: 'enrolled' }
  if (variant === 'user' && user?.isLocked && !openWhileLocked.has(entry.path)) return { kind: 'locked' }
  const perm = neededPermission(entry, variant)
  return perm && !hasPermission(perm, user) ? { kind: 'forbidden', perm } : { kind: 'pass' }
}

/** The signed-in person may not use this front end; `Page` says so and offers to sign out. */
export class WrongRoleError extends Error {
  override readonly name = 'WrongRoleError'
  readonly Page: ComponentType

  constructor(Page: ComponentType) {
    super('Requires another role')
    this.Page = Page
  }
}

/** The signed-in person may not open the screen. */
export class ForbiddenError extends Error {
  override readonly name = 'ForbiddenError'
  readonly perm: Permission

  constructor(perm: Permission) {
    super(`Requires permission ${perm}`)
    this.perm = perm
  }
}
