import { type Problem, type ProblemKind, problemKinds } from '@gatehouse/contract/overview'
import type { Trouble } from '../directory/users/user-facts-store.ts'

/** Problems of an area; true: it affects the account rather than an object. */
export type Found = Partial<Record<ProblemKind, Trouble | boolean>>

/** Something is broken, suspended, or about to stop everything else. */
const dangers: ReadonlySet<ProblemKind> = new Set([
  'degraded',
  'payment-failed',
  'debt',
  'storage-full',
  'mailbox-full',
  'mailboxes-full',
  'domain-failed',
  'user-failed',
  'distlist-failed',
  'resource-failed',
  'folder-failed',
])

/** Intentional or minor problems: shown in their area but not listed for attention. */
const quiet: ReadonlySet<ProblemKind> = new Set([
  'domain-suspended',
  'user-suspended',
  'distlist-suspended',
  'distlist-empty',
])

const account: Trouble = { count: 1, name: null, id: null }

/** Returns problems, most urgent first. */
export function problemsOf(found: Found): Problem[] {
  return problemKinds.flatMap((kind) => {
    const what = found[kind]
    const trouble = what === true ? account : what
    if (trouble === undefined || trouble === false || trouble.count === 0) return []
    return [{ kind, level: dangers.has(kind) ? 'danger' : 'warning', ...trouble }] satisfies Problem[]
  })
}

/** Returns the problem shown in an area. */
export function worstOf(found: Found): Problem | null {
  return problemsOf(found)[0] ?? null
}

/** Returns the problems that need attention. */
export function attentionFor(found: readonly Found[]): Problem[] {
  return problemsOf(Object.assign({}, ...found)).filter(({ kind }) => !quiet.has(kind))
}
