import type { Random } from '../../../billing/simulation/random.ts'

/** The bytes in pieces of random size, mostly small. */
export function cut(bytes: Buffer, random: Random): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = random.chance(0.2) ? 1 + random.below(bytes.length) : 1 + random.below(7)
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}

/** The bytes with some changed, removed, repeated or inserted. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  let changed = Buffer.from(bytes)
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(changed.length + 1)
    const length = random.below(12)
    const before = changed.subarray(0, at)
    const after = changed.subarray(at)
    const kind = random.below(5)
    if (kind === 0) changed = Buffer.concat([before, noise(length, random), after])
    else if (kind === 1) changed = Buffer.concat([before, after.subarray(length)])
    else if (kind === 2) changed = Buffer.concat([before, after.subarray(0, length), after])
    else if (kind === 3) changed = Buffer.from(before)
    else if (at < changed.length) changed = Buffer.concat([before, noise(1, random), after.subarray(1)])
  }
  return changed
}

export function noise(length: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)))
}
