import { createHash } from 'node:crypto'

/** Computes a revision from the content that a form shows. */
export function revisionOf(shown: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22)
}
