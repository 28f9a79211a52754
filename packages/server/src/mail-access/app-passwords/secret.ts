import { createHmac } from 'node:crypto'
import { randomShortCode, type Secrets } from '../../platform/secrets.ts'

/** Characters of an app password: 24 of 32 that cannot be mistaken for each other, 120 bits. */
const length = 24
const group = 4
const pattern = new RegExp(`^[2-9a-hj-np-z]{${length}}$`)

/** A new app password in groups of four, as people read and type it. */
export function newAppPassword(): string {
  const text = randomShortCode(length).toLowerCase()
  return text.replaceAll(new RegExp(`.{${group}}(?!$)`, 'g'), '$&-')
}

/** The characters that count, whatever somebody typed between them; undefined: this is no app password. */
export function readAppPassword(text: string): string | undefined {
  if (text.length > 2 * length) return undefined
  const plain = text.replaceAll(/[\s-]/g, '').toLowerCase()
  return pattern.test(plain) ? plain : undefined
}

/**
 * What is stored of an app password and finds it: a keyed hash. It is random as a whole, so a slow hash would only make
 * each sign-in of a program slow, and nobody learns anything from how long a look-up by it takes.
 */
export class AppPasswordHasher {
  readonly #key: Buffer

  constructor(secrets: Secrets) {
    this.#key = secrets.derive('app-password')
  }

  /** Of the characters that `readAppPassword` gives, for one user. */
  hash(userId: number, plain: string): Buffer {
    return createHmac('sha256', this.#key).update(`${userId}:${plain}`).digest()
  }
}
