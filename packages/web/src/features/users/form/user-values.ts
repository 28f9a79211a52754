import { displayAddress } from '@gatehouse/contract/canonical-address'
import { type FieldWith, fieldsWith, forFields } from '@gatehouse/contract/directory/user-fields'
import type { UserDetail, UserUpdate } from '@gatehouse/contract/directory/users'
import { heldUnits, type Units } from '../../../domain/subscriptions/rules.ts'

/** Fields of the tab "Personal", in their order. */
export const profileFields = fieldsWith('section')

export type ProfileField = FieldWith<'section'>

/** What can be changed of a user. */
export type UserValues = Record<ProfileField, string> & {
  aliases: string[]
  skus: Units
  password: string
  password_confirmation: string
  /** Code of a one-time link that becomes the user's on saving. */
  passwordLinkCode: string
}

/** The state that a form began with, and its name on the server. */
export interface Base {
  revision: string
  values: UserValues
}

/** A user as the form shows it. */
export function baseOf(user: UserDetail): Base {
  const { settings, aliases, skus, revision } = user
  return {
    revision,
    values: {
      ...forFields(profileFields, (field) => settings[field] ?? ''),
      aliases: aliases.map(displayAddress),
      skus: heldUnits(skus),
      password: '',
      password_confirmation: '',
      passwordLinkCode: '',
    },
  }
}

/** The fields that differ from where the form began. */
export function changedFields(values: UserValues, base: UserValues): (keyof UserValues)[] {
  const keys: (keyof UserValues)[] = [
    'aliases',
    'password',
    'password_confirmation',
    'passwordLinkCode',
    'skus',
    ...profileFields,
  ]
  return keys.filter((key) => !isSame(values[key], base[key]))
}

/** The request that makes the changes and no others; a field that was emptied is null. */
export function updateOf(values: UserValues, base: UserValues): UserUpdate {
  const changed = changedFields(values, base)
  const update: UserUpdate = {}
  for (const key of changed) {
    if (key === 'aliases') update.aliases = values.aliases
    else if (key === 'skus') update.skus = values.skus
    else update[key] = values[key] || null
  }
  if (changed.includes('password') || changed.includes('password_confirmation')) {
    update.password = values.password || null
    update.password_confirmation = values.password_confirmation || null
  }
  return update
}

/** Lays what was typed over a newer state: what nobody touched here follows the server. */
export function mergeValues(mine: UserValues, base: UserValues, theirs: UserValues): UserValues {
  const merged = { ...theirs }
  for (const key of changedFields(mine, base)) {
    if (key === 'aliases') merged.aliases = mergeLists(mine.aliases, base.aliases, theirs.aliases)
    else if (key === 'skus') merged.skus = mergeUnits(mine.skus, base.skus, theirs.skus)
    else merged[key] = mine[key]
  }
  return merged
}

/** How many entries of a list came or went. */
export function countListChanges(now: readonly string[], before: readonly string[]): number {
  const added = now.filter((item) => !before.includes(item)).length
  const removed = before.filter((item) => !now.includes(item)).length
  // An edited entry is one that went and one that came.
  return Math.max(added, removed)
}

/** Ids of the SKUs of which another quantity is wanted. */
export function changedSkus(now: Units, before: Units): string[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  return ids.filter((id) => (now[id] ?? 0) !== (before[id] ?? 0))
}

function mergeLists(mine: string[], base: readonly string[], theirs: readonly string[]): string[] {
  const kept = theirs.filter((item) => mine.includes(item) || !base.includes(item))
  const added = mine.filter((item) => !base.includes(item) && !kept.includes(item))
  return [...kept, ...added]
}

function mergeUnits(mine: Units, base: Units, theirs: Units): Units {
  const merged: Record<string, number> = { ...theirs }
  for (const id of changedSkus(mine, base)) merged[id] = mine[id] ?? 0
  const kept = Object.entries(merged).filter(([, count]) => count > 0)
  return Object.fromEntries(kept.sort(([left], [right]) => (left < right ? -1 : 1)))
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
