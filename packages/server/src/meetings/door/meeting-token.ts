import { z } from 'zod'
import { after, type Clock, day, minute } from '../../platform/clock.ts'
import type { Secrets, TokenSecrets } from '../../platform/secrets.ts'

const purpose = 'meeting-token'

const claims = z.object({
  /** `join`: issued on admission, for the first socket. `resume`: for subsequent ones. */
  use: z.enum(['join', 'resume']),
  meeting: z.uuid(),
  peer: z.uuid(),
  room: z.string(),
  /** Null: a guest. */
  user: z.number().int().nullable(),
  name: z.string(),
  /** The initial role; the current one is stored with the meeting. */
  role: z.number().int(),
  /** Unix seconds. */
  until: z.number().int(),
})

/** The claims of a meeting token. */
export type MeetingClaims = z.infer<typeof claims>

/** Seconds within which an admitted participant has to join. */
export const joinSeconds = 2 * minute

/** Seconds after which a socket can no longer resume an older one. */
const resumeSeconds = day

/** Tokens that admit a browser to a meeting: signed, short-lived, and sent in a message, never in a URL. */
export class MeetingTokens {
  readonly #secrets: TokenSecrets
  readonly #clock: Clock

  constructor(secrets: Secrets, clock: Clock) {
    this.#secrets = secrets.tokens
    this.#clock = clock
  }

  issue(token: Omit<MeetingClaims, 'until'>): string {
    const seconds = token.use === 'join' ? joinSeconds : resumeSeconds
    const until = Math.floor(after(this.#clock.now(), seconds).getTime() / 1000)
    const body = Buffer.from(JSON.stringify({ ...token, until })).toString('base64url')
    return `${body}.${this.#secrets.sign(purpose, body).toString('base64url')}`
  }

  /** Returns the claims of a token; undefined if it is invalid, for another use, or expired. */
  read(text: string, use: MeetingClaims['use']): MeetingClaims | undefined {
    const [body = '', signature = '', ...more] = text.split('.')
    const given = Buffer.from(signature, 'base64url')
    if (more.length > 0 || !this.#secrets.isSigned(purpose, body, given)) return undefined
    // signed by us, so it is valid JSON
    const parsed = claims.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')))
    if (!parsed.success || parsed.data.use !== use) return undefined
    return parsed.data.until * 1000 > this.#clock.now().getTime() ? parsed.data : undefined
  }
}
