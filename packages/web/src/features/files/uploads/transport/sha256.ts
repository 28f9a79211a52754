/**
 * SHA-256 (FIPS 180-4) of content that arrives in pieces, for the browser's own digest takes only a whole. A hash of a
 * file of any size needs no more memory than one piece.
 */
export class Sha256 {
  readonly #state = new Int32Array(start)
  readonly #block = new Uint8Array(64)
  readonly #words = new Int32Array(64)
  #filled = 0
  #length = 0

  update(bytes: Uint8Array): this {
    this.#length += bytes.length
    let at = 0
    if (this.#filled > 0) {
      at = Math.min(64 - this.#filled, bytes.length)
      this.#block.set(bytes.subarray(0, at), this.#filled)
      this.#filled += at
      if (this.#filled < 64) return this
      this.#compress(this.#block, 0)
      this.#filled = 0
    }
    for (; at + 64 <= bytes.length; at += 64) this.#compress(bytes, at)
    this.#block.set(bytes.subarray(at), 0)
    this.#filled = bytes.length - at
    return this
  }

  /** The hash in hexadecimal. Nothing can be added afterwards. */
  digest(): string {
    const length = this.#length
    const end = new Uint8Array(this.#filled < 56 ? 64 - this.#filled : 128 - this.#filled)
    end[0] = 0x80
    const view = new DataView(end.buffer)
    view.setUint32(end.length - 8, Math.floor(length / 0x2000_0000))
    view.setUint32(end.length - 4, (length * 8) >>> 0)
    this.update(end)
    return [...this.#state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  }

  #compress(bytes: Uint8Array, at: number): void {
    const words = this.#words
    for (let i = 0; i < 16; i++) {
      const j = at + i * 4
      words[i] =
        (byte(bytes, j) << 24) | (byte(bytes, j + 1) << 16) | (byte(bytes, j + 2) << 8) | byte(bytes, j + 3)
    }
    for (let i = 16; i < 64; i++) {
      const early = word(words, i - 15)
      const late = word(words, i - 2)
      const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
      const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
      words[i] = (word(words, i - 16) + s0 + word(words, i - 7) + s1) | 0
    }
    const state = this.#state
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let i = 0; i < 64; i++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + word(constants, i) + word(words, i)) | 0
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    const sums = [a, b, c, d, e, f, g, h]
    for (let i = 0; i < 8; i++) state[i] = (word(state, i) + word(sums, i)) | 0
  }
}

/** Bytes that are hashed at a time: as much as a page may be busy with, should there be no worker. */
const piece = 512 * 1024

/** The SHA-256 of a file in hexadecimal. */
export async function hashOf(file: Blob, signal?: AbortSignal): Promise<string> {
  const hash = new Sha256()
  for (let at = 0; at < file.size; at += piece) {
    signal?.throwIfAborted()
    hash.update(new Uint8Array(await file.slice(at, at + piece).arrayBuffer()))
  }
  return hash.digest()
}

function turn(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits))
}

// places that are always there, which the compiler cannot know
function word(words: ArrayLike<number>, at: number): number {
  return words[at] ?? 0
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0
}

function primes(count: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}

/** The first 32 bits of the part of a root behind the point. */
function fraction(root: number): number {
  return ((root - Math.floor(root)) * 0x1_0000_0000) | 0
}

const start = primes(8).map((prime) => fraction(Math.sqrt(prime)))
const constants = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)))
