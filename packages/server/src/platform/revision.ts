import { createHash } from 'node:crypto'

/** Names the state of what a form shows, by its content alone. */
export function revisionOf(shown: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22)
}
