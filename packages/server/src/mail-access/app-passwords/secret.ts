import { createHmac } from 'node:crypto'
import { randomShortCode, type Secrets } from '../../platform/secrets.ts'

/** Length of an app password: 24 characters out of 32 unambiguous ones, 120 bits. */
const length = 24
const group = 4
const pattern = new RegExp(`^[2-9a-hj-np-z]{${length}}$`)

/** Generates an app password in groups of four characters. */
export function newAppPassword(): string {
  const text = randomShortCode(length).toLowerCase()
  return text.replaceAll(new RegExp(`.{${group}}(?!$)`, 'g'), '$&-')
}

/** Extracts the significant characters of a typed app password; undefined if it isn't one. */
export function readAppPassword(text: string): string | undefined {
  if (text.length > 2 * length) return undefined
  const plain = text.replaceAll(/[\s-]/g, '').toLowerCase()
  return pattern.test(plain) ? plain : undefined
}

/**
 * Keyed hash under which an app password is stored and looked up. Since app passwords are fully random, a slow
 * hash would only slow down sign-ins, and the timing of lookups reveals nothing.
 */
export class AppPasswordHasher {
  readonly #key: Buffer

  constructor(secrets: Secrets) {
    this.#key = secrets.derive('app-password')
  }

  /** Hashes the output of `readAppPassword` for a user. */
  hash(userId: number, plain: string): Buffer {
    return createHmac('sha256', this.#key).update(`${userId}:${plain}`).digest()
  }
}
