import { createHash, type Hash } from 'node:crypto'

/** Uploads whose hash is remembered at most; one takes some hundred bytes. */
const capacity = 1000

/**
 * SHA-256 of running uploads as far as they are. A hash cannot be written down half-way, so after a restart, or with another
 * process, the end of an upload reads its content once more instead.
 */
export class RollingHashes {
  readonly #known = new Map<string, { readonly position: number; readonly hash: Hash }>()

  /** The hash of the first `position` bytes to go on with; a new one that will be of no use where it is not known. */
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

  /** The digest of exactly so many bytes; undefined: not known. */
  digest(id: string, position: number): Buffer | undefined {
    const known = this.#known.get(id)
    return known?.position === position ? known.hash.copy().digest() : undefined
  }

  forget(id: string): void {
    this.#known.delete(id)
  }
}
