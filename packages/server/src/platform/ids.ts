import { randomBytes, randomInt } from 'node:crypto'
import { v7 } from 'uuid'

/** A new UUIDv7: random, and sorted by the time of its making. */
export function newUuid(): string {
  return v7()
}

/** A new number for a user, domain, list, resource or folder: random, unsigned, 32 bits, never 0. */
export function newObjectId(): number {
  return randomInt(1, 4_294_967_296)
}

/** Reads the number of an object from a path; anything else is undefined ("not found"). */
export function parseObjectId(text: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(text)) return undefined
  const id = Number(text)
  return id <= 4_294_967_295 ? id : undefined
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/** Random text of `bytes` bytes in base64url. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}
