import type { SkuType } from '@gatehouse/contract/billing/subscriptions'
import type { ObjectStatusInfo } from '@gatehouse/contract/directory/directory'
import type { QueryClient } from '@tanstack/react-query'
import type { MessageKey } from '../../i18n/areas.ts'
import type { RouteKey } from '../../platform/api/http.ts'
import type { Permission } from '../../platform/session/auth.ts'
import type { StatusFlags } from '../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../ui/icon.tsx'

/** Kinds of objects that live in the domains of an account and look alike on the screen. */
export type KindName = 'distlist' | 'resource' | 'folder'

/** What the shared screens have to know of a kind. Its words are in the texts of `directory`, by its name. */
export interface Kind {
  name: KindName
  /** Name of its section. */
  title: MessageKey
  icon: Glyph
  /** Address of its list. */
  list: string
  /** Address of one object without its number; with `new` that of the form for another one. */
  page: string
  permission: Permission
  skuType: SkuType
  /** As the record of changes names it. */
  objectType: string
  /** Calls whose answers are out of date after a change. */
  reads: readonly RouteKey[]
  remove: (id: number) => Promise<{ message: string }>
  restore: (id: number) => Promise<{ message: string }>
}

/** What every object of these kinds tells about itself. */
export interface DirectoryObject extends StatusFlags {
  id: number
  name: string
  email: string
  created_at: string
  updated_at: string
  statusInfo: ObjectStatusInfo
  canUpdate: boolean
  canDelete: boolean
  canConfigure: boolean
  canReadEvents: boolean
}

/**
 * Lets everything that shows objects of a kind follow a change. With `later` what is on the screen stays as it is
 * until it is opened again: the page of an object that is no more would only learn that it is gone.
 */
export function forgetKind(client: QueryClient, kind: Pick<Kind, 'reads'>, { later = false } = {}): void {
  const refetchType = later ? 'none' : 'active'
  for (const route of [...kind.reads, 'GET /api/v4/events', 'GET /api/v4/skus'] as const) {
    void client.invalidateQueries({ queryKey: [route], refetchType })
  }
}
