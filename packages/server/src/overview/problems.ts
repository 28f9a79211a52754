import { type Problem, type ProblemKind, problemKinds } from '@gatehouse/contract/overview'
import type { Trouble } from '../directory/users/user-facts-store.ts'

/** What was found in an area; true: it concerns the account and no object. */
export type Found = Partial<Record<ProblemKind, Trouble | boolean>>

/** Something doesn't work. Everything else will stop, or somebody stopped it. */
const dangers: ReadonlySet<ProblemKind> = new Set([
  'degraded',
  'payment-failed',
  'debt',
  'storage-full',
  'domain-failed',
  'user-failed',
  'distlist-failed',
  'resource-failed',
  'folder-failed',
])

/** Facts that somebody wanted so, or that can wait: they are shown at their area and call for nothing. */
const quiet: ReadonlySet<ProblemKind> = new Set([
  'domain-suspended',
  'user-suspended',
  'distlist-suspended',
  'distlist-empty',
])

const account: Trouble = { count: 1, name: null, id: null }

/** What was found as problems, the most urgent first. */
export function problemsOf(found: Found): Problem[] {
  return problemKinds.flatMap((kind) => {
    const what = found[kind]
    const trouble = what === true ? account : what
    if (trouble === undefined || trouble === false || trouble.count === 0) return []
    return [{ kind, level: dangers.has(kind) ? 'danger' : 'warning', ...trouble }] satisfies Problem[]
  })
}

/** The one that an area shows. */
export function worstOf(found: Found): Problem | null {
  return problemsOf(found)[0] ?? null
}

/** What of everything that was found somebody should do something about. */
export function attentionFor(found: readonly Found[]): Problem[] {
  return problemsOf(Object.assign({}, ...found)).filter(({ kind }) => !quiet.has(kind))
}
