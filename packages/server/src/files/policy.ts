import type { Person } from '../platform/http/callers/principal.ts'
import type { Item } from './items/item.ts'

/** A user's rights on an item: all of them, or those granted by a share. */
export type Rights = 'owner' | 'read-write' | 'read-only'

/** How a user has access to another owner's item. */
export interface ReachedBy {
  readonly shareId: string
  /** The item that was shared: this one, or a collection above it. */
  readonly rootId: string
  readonly rights: 'read-only' | 'read-write'
}

/** An item with the rights of the requesting user. */
export interface Reach {
  readonly item: Item
  readonly rights: Rights
  /** Absent for the user's own items. */
  readonly by?: ReachedBy
}

/** Items are visible only within their tenant, even when shared. */
export function seesItem(person: Person, item: Item): boolean {
  return person.tenantId === item.tenantId
}

/** Rename, move and replace; for a collection also add items. */
export function mayChange({ rights }: Reach): boolean {
  return rights !== 'read-only'
}

/**
 * Owners can delete anything. Users with write access to a shared collection can delete its contents but not
 * the collection itself; deleted items go to the owner's trash.
 */
export function mayDelete({ item, rights, by }: Reach): boolean {
  return rights === 'owner' || (rights === 'read-write' && by?.rootId !== item.id)
}

/** Only the owner can share. */
export function mayShare({ rights }: Reach): boolean {
  return rights === 'owner'
}

/** Versions are visible to users who could have created them. */
export function maySeeVersions(reach: Reach): boolean {
  return mayChange(reach)
}

/** Only the owner can delete permanently, empty the trash and restore. */
export function mayEndForGood({ rights }: Reach): boolean {
  return rights === 'owner'
}

/** Only the owner can read an item's activity. */
export function mayReadItemEvents({ rights }: Reach): boolean {
  return rights === 'owner'
}

/** An item can be moved within the shared collection; the shared collection itself stays in place. */
export function mayMove({ item, rights, by }: Reach): boolean {
  return rights === 'owner' || (rights === 'read-write' && by?.rootId !== item.id)
}
