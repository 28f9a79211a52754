import { displayAddress } from '@gatehouse/contract/canonical-address'
import { type FieldWith, fieldsWith, forFields } from '@gatehouse/contract/directory/user-fields'
import type { UserDetail, UserUpdate } from '@gatehouse/contract/directory/users'
import { heldUnits, type Units } from '../../../domain/subscriptions/rules.ts'

/** Fields of the tab "Personal", in order. */
export const profileFields = fieldsWith('section')

export type ProfileField = FieldWith<'section'>

/** Editable fields of a user. */
export type UserValues = Record<ProfileField, string> & {
  aliases: string[]
  skus: Units
  password: string
  password_confirmation: string
  /** Code of a one-time link that is assigned to the user on saving. */
  passwordLinkCode: string
}

/** Initial values of a form, with their revision. */
export interface Base {
  revision: string
  values: UserValues
}

/** Returns the form's base for a user. */
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

/** Returns the fields that differ from the base. */
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

/** Returns the request with only the changes; emptied fields are null. */
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

/** Merges the input with a newer state: untouched fields follow the server. */
export function mergeValues(mine: UserValues, base: UserValues, theirs: UserValues): UserValues {
  const merged = { ...theirs }
  for (const key of changedFields(mine, base)) {
    if (key === 'aliases') merged.aliases = mergeLists(mine.aliases, base.aliases, theirs.aliases)
    else if (key === 'skus') merged.skus = mergeUnits(mine.skus, base.skus, theirs.skus)
    else merged[key] = mine[key]
  }
  return merged
}

/** Returns the number of added or removed entries. */
export function countListChanges(now: readonly string[], before: readonly string[]): number {
  const added = now.filter((item) => !before.includes(item)).length
  const removed = before.filter((item) => !now.includes(item)).length
  // An edited entry counts as removed and added.
  return Math.max(added, removed)
}

/** Returns the ids of SKUs with a changed quantity. */
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
