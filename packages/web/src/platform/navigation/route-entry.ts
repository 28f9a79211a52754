import type { Permission } from '@gatehouse/contract/permissions'
import type { ComponentType } from 'react'
import type { Area, MessageKey } from '../../i18n/areas.ts'
import type { Variant } from '../config.ts'

/** One address of the application. */
export interface RouteEntry {
  path: string
  /** Name of the screen in the document's title, until the screen gives a better one. */
  title: MessageKey
  variants: readonly Variant[]
  /** For signed-in people only. */
  auth?: true
  /** Answers `prompt=none` also for people who are not signed in. */
  silent?: true
  /** Needs this permission; or only in some variants. */
  perm?: Permission | { readonly [V in Variant]?: Permission }
  /** A screen of the first load. */
  screen?: ComponentType
  /** A screen in a chunk of its own. */
  load?: () => Promise<ComponentType>
  /** Texts that the screen needs. */
  messages?: readonly Area[]
}

/** The permission that a route needs in a variant. */
export function neededPermission(entry: RouteEntry, variant: Variant): Permission | undefined {
  return typeof entry.perm === 'object' ? entry.perm[variant] : entry.perm
}
