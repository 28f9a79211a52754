import { hasBit, userStatus } from '@gatehouse/contract/status'
import { after, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { readMailGrant } from './mail-store.ts'

const purpose = 'oauth-mail-password'
/** Bytes of the AES-GCM nonce and tag. */
const [nonceBytes, tagBytes] = [12, 16]

/**
 * The claim `auth.token`: replaces a password for mail and groupware only (reference api-auth §9.6). It
 * contains the grant it was issued from and ends with it.
 */
export class MailPasswords {
  readonly #db: Db
  readonly #clock: Clock
  readonly #secrets: Secrets

  constructor(db: Db, clock: Clock, secrets: Secrets) {
    this.#db = db
    this.#clock = clock
    this.#secrets = secrets
  }

  /** Issues a password that is valid for `seconds`; `handle` is the grant's. */
  issue(userId: number, handle: string, seconds: number): string {
    const end = stamp(after(this.#clock.now(), seconds))
    const grant = Buffer.from(handle.replaceAll('-', ''), 'hex').toString('base64url')
    const sealed = this.#secrets.tokens.encrypt(purpose, `mail!${userId}!${end}!${grant}`)
    const nonce = sealed.subarray(0, nonceBytes)
    const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
    return [nonce, tag, sealed.subarray(nonceBytes + tagBytes)].map(plainBase64).join('!')
  }

  /**
   * Returns the user of a valid password, for the hooks of mail and groupware servers; undefined for anything
   * else. Never used for signing in to the portal.
   */
  async verify(password: string): Promise<number | undefined> {
    const match = /^([a-zA-Z0-9+/]{8,32})!([a-zA-Z0-9+/]{1,64})!([a-zA-Z0-9+/]{48,128})$/.exec(password)
    if (match === null) return undefined
    const facts = this.#open(Buffer.concat(match.slice(1).map((part) => Buffer.from(part, 'base64'))))
    const [kind, userText = '', end = '', grant = ''] = facts?.split('!') ?? []
    if (kind !== 'mail' || end <= stamp(this.#clock.now())) return undefined
    const userId = Number(userText)
    return (await this.#holds(userId, uuidOf(grant))) ? userId : undefined
  }

  #open(sealed: Buffer): string | undefined {
    try {
      return this.#secrets.tokens.decrypt(purpose, sealed)
    } catch {
      return undefined
    }
  }

  async #holds(userId: number, handle: string): Promise<boolean> {
    const row = await readMailGrant(this.#db, userId, handle, this.#clock.now())
    return row?.scopes.includes('auth.token') === true && !hasBit(row.status, userStatus.suspended)
  }
}

/** `YYYYMMDDHHMMSS`, UTC. */
function stamp(moment: Date): string {
  return moment.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)
}

function plainBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

function uuidOf(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
