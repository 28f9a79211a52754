import { kindNames } from '@gatehouse/contract/directory/kinds'
import type { SearchHit } from '@gatehouse/contract/search'

/** A recent choice: an object as it was then, or a screen or action by key. */
export type Recent = { hit: SearchHit } | { key: string }

const most = 8

function storageKey(userId: number): string {
  return `palette-${userId}`
}

/** Returns what the user last opened or chose in this browser, newest first. */
export function readRecent(userId: number): Recent[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(storageKey(userId)) ?? '[]')
    return Array.isArray(known) ? known.filter(isRecent).slice(0, most) : []
  } catch {
    // The stored value is invalid.
    return []
  }
}

/** Adds a choice to the front. */
export function remember(userId: number, recent: Recent): void {
  const others = readRecent(userId).filter((one) => keyOf(one) !== keyOf(recent))
  try {
    localStorage.setItem(storageKey(userId), JSON.stringify([recent, ...others].slice(0, most)))
  } catch {
    // Nothing is kept if the browser stores nothing.
  }
}

/**
 * Clears the user's recent choices, so that the next person at the machine doesn't see them after sign-out.
 */
export function forgetRecent(userId: number): void {
  localStorage.removeItem(storageKey(userId))
}

/** Returns the unique key of a choice, equal to its option's key. */
export function keyOf(recent: Recent): string {
  return 'key' in recent ? recent.key : `${recent.hit.type} ${recent.hit.id}`
}

function isRecent(value: unknown): value is Recent {
  if (typeof value !== 'object' || value === null) return false
  if ('key' in value) return typeof value.key === 'string'
  return 'hit' in value && isHit(value.hit)
}

function isHit(value: unknown): value is SearchHit {
  if (typeof value !== 'object' || value === null) return false
  if (!('type' in value && 'id' in value && 'title' in value && 'detail' in value)) return false
  const { type, id, title, detail } = value
  return (
    kindNames.some((one) => one === type) &&
    typeof id === 'number' &&
    typeof title === 'string' &&
    (detail === null || typeof detail === 'string')
  )
}
