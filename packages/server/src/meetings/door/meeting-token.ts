import { z } from 'zod'
import { after, type Clock, day, minute } from '../../platform/clock.ts'
import type { Secrets, TokenSecrets } from '../../platform/secrets.ts'

const purpose = 'meeting-token'

const claims = z.object({
  /** `join`: from the door, for the first socket. `resume`: for those that follow. */
  use: z.enum(['join', 'resume']),
  meeting: z.uuid(),
  peer: z.uuid(),
  room: z.string(),
  /** Null: a guest. */
  user: z.number().int().nullable(),
  name: z.string(),
  /** As the door gave it; what counts afterwards is kept with the meeting. */
  role: z.number().int(),
  /** Unix seconds. */
  until: z.number().int(),
})

/** What a token says of who holds it. */
export type MeetingClaims = z.infer<typeof claims>

/** Seconds that somebody who was let in has to come. */
export const joinSeconds = 2 * minute

/** Seconds after which no socket follows an older one any more. */
const resumeSeconds = day

/** Tokens that let a browser into a meeting: signed, short-lived, and sent in a message, never in an address. */
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

  /** What a token says; undefined when it is none of ours, for something else, or over. */
  read(text: string, use: MeetingClaims['use']): MeetingClaims | undefined {
    const [body = '', signature = '', ...more] = text.split('.')
    const given = Buffer.from(signature, 'base64url')
    if (more.length > 0 || !this.#secrets.isSigned(purpose, body, given)) return undefined
    // signed by us, so it is JSON
    const parsed = claims.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')))
    if (!parsed.success || parsed.data.use !== use) return undefined
    return parsed.data.until * 1000 > this.#clock.now().getTime() ? parsed.data : undefined
  }
}
