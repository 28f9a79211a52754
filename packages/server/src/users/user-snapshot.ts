import { isDeepStrictEqual } from 'node:util'
import type { AccountView } from './account-view/account-view.ts'

/** What the audit log compares of a user; contains no secrets. */
export type Snapshot = Readonly<Record<string, unknown>>

export function snapshot(view: Pick<AccountView, 'settings' | 'aliases' | 'subscriptions'>): Snapshot {
  return {
    ...view.settings,
    aliases: view.aliases,
    subscriptions: Object.fromEntries(view.subscriptions.map(({ title, costs }) => [title, costs.length])),
  }
}

/** Returns the fields that differ, before and after; undefined if none does. Missing values are null. */
export function differences(
  before: Snapshot,
  after: Snapshot,
): { before: Record<string, unknown>; after: Record<string, unknown> } | undefined {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = keys.filter((key) => !isDeepStrictEqual(before[key], after[key]))
  if (changed.length === 0) return undefined
  const pick = (state: Snapshot) => Object.fromEntries(changed.map((key) => [key, state[key] ?? null]))
  return { before: pick(before), after: pick(after) }
}
