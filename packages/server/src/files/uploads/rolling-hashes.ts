import { createHash, type Hash } from 'node:crypto'

/** Maximum number of uploads whose hash is kept, at a few hundred bytes each. */
const capacity = 1000

/**
 * SHA-256 states of uploads in progress. A hash state can't be persisted, so after a restart or in another
 * process the content is read again at the end of the upload.
 */
export class RollingHashes {
  readonly #known = new Map<string, { readonly position: number; readonly hash: Hash }>()

  /**
   * Takes the hash of the first `position` bytes to continue with; if it is unknown, a new one that won't be
   * usable.
   */
  take(id: string, position: number): { readonly hash: Hash; readonly isWhole: boolean } {
    if (position === 0) return { hash: createHash('sha256'), isWhole: true }
    const known = this.#known.get(id)
    this.#known.delete(id)
    if (known?.position === position) return { hash: known.hash, isWhole: true }
    return { hash: createHash('sha256'), isWhole: false }
  }

  keep(id: string, position: number, hash: Hash): void {
    this.#known.delete(id)
    this.#known.set(id, { position, hash })
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= capacity) break
      this.#known.delete(oldest)
    }
  }

  /** Returns the digest of exactly this many bytes; undefined if it is unknown. */
  digest(id: string, position: number): Buffer | undefined {
    const known = this.#known.get(id)
    return known?.position === position ? known.hash.copy().digest() : undefined
  }

  forget(id: string): void {
    this.#known.delete(id)
  }
}
