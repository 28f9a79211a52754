import type { Permission } from '@gatehouse/contract/permissions'
import type { ComponentType } from 'react'
import type { Area, MessageKey } from '../../i18n/areas.ts'
import type { Variant } from '../config.ts'

/** A route of the application. */
export interface RouteEntry {
  path: string
  /** Default title of the document, until the screen sets a better one. */
  title: MessageKey
  variants: readonly Variant[]
  /** Requires sign-in. */
  auth?: true
  /** Handles `prompt=none` also for users who aren't signed in. */
  silent?: true
  /** Required permission, or one per variant. */
  perm?: Permission | { readonly [V in Variant]?: Permission }
  /** A screen in the main bundle. */
  screen?: ComponentType
  /** A screen in its own chunk. */
  load?: () => Promise<ComponentType>
  /** Texts the screen needs. */
  messages?: readonly Area[]
}

/** Returns the permission a route requires in a variant. */
export function neededPermission(entry: RouteEntry, variant: Variant): Permission | undefined {
  return typeof entry.perm === 'object' ? entry.perm[variant] : entry.perm
}
