import type { Person } from '../platform/http/callers/principal.ts'
import type { Item } from './items/item.ts'

/** What somebody may do with an item: everything, or what a share gives. */
export type Rights = 'owner' | 'read-write' | 'read-only'

/** How somebody reaches an item that is not the own one. */
export interface ReachedBy {
  readonly shareId: string
  /** The item that was shared: this one, or a collection above it. */
  readonly rootId: string
  readonly rights: 'read-only' | 'read-write'
}

/** An item with the rights of who asks. */
export interface Reach {
  readonly item: Item
  readonly rights: Rights
  /** Absent: it is the own one. */
  readonly by?: ReachedBy
}

/** Items are seen in their tenant only; shares by address end there as well. */
export function seesItem(person: Person, item: Item): boolean {
  return person.tenantId === item.tenantId
}

/** Rename, move, replace; of a collection also add to it. */
export function mayChange({ rights }: Reach): boolean {
  return rights !== 'read-only'
}

/** The owner deletes anything; who may change a shared collection deletes what is in it, not itself: it goes to the owner's trash. */
export function mayDelete({ item, rights, by }: Reach): boolean {
  return rights === 'owner' || (rights === 'read-write' && by?.rootId !== item.id)
}

/** Giving on is the owner's. */
export function mayShare({ rights }: Reach): boolean {
  return rights === 'owner'
}

/** Versions are shown to who could have made them. */
export function maySeeVersions(reach: Reach): boolean {
  return mayChange(reach)
}

/** Throwing away for good, emptying the trash and bringing back are the owner's. */
export function mayEndForGood({ rights }: Reach): boolean {
  return rights === 'owner'
}

/** What happened to an item, and who looked, is the owner's to know. */
export function mayReadItemEvents({ rights }: Reach): boolean {
  return rights === 'owner'
}

/** An item moves within what was shared, and what was shared itself stays where its owner has put it. */
export function mayMove({ item, rights, by }: Reach): boolean {
  return rights === 'owner' || (rights === 'read-write' && by?.rootId !== item.id)
}
