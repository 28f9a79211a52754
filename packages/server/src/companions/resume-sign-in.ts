import { timingSafeEqual } from 'node:crypto'
import { after } from '../platform/clock.ts'
import { isUuid } from '../platform/ids.ts'
import { sha256 } from '../platform/secrets.ts'
import { dropPrompt, findPrompt, type Prompt } from './attempt-store.ts'
import { CompanionRefused, SignInNotConfirmed } from './errors.ts'
import { type GateParts, outcomeOf, takeUp } from './sign-in-gate.ts'

/** A sign-in as its program names it. */
export interface NamedSignIn {
  readonly attempt: string
  readonly secret: string
}

/** One that is taken up where it began: what was proved for a sign-in counts for no reset, and the other way round. */
export interface ResumedSignIn extends NamedSignIn {
  readonly service: 'web' | 'reset'
  readonly userId?: number
}

/**
 * What has become of a sign-in that waits: the user's number, once, when it was confirmed; the end of its waiting
 * while it still does, at the latest after so many seconds. Throws CompanionRefused for an unknown name, and
 * SignInNotConfirmed.
 */
export async function resumeSignIn(
  parts: GateParts,
  named: ResumedSignIn,
  seconds: number,
): Promise<{ userId: number } | { expiresAt: Date }> {
  const { db, clock, watch } = parts
  const { id, user_id: userId, service } = await findNamed(parts, named)
  if (service !== named.service || userId !== (named.userId ?? userId)) throw new CompanionRefused()
  const end = after(clock.now(), seconds)
  using following = await watch.follow(userId)
  for (;;) {
    const outcome = await outcomeOf(db, clock, id)
    if (!('prompt' in outcome)) {
      throw outcome.state === 'gone' ? new CompanionRefused() : new SignInNotConfirmed(outcome.state)
    }
    if (outcome.state === 'accepted') {
      if (await takeUp(db, clock, outcome.prompt)) return { userId }
      throw new CompanionRefused()
    }
    const expiresAt = outcome.prompt.expires_at
    if (clock.now() >= end) return { expiresAt }
    if ((await following.called(end < expiresAt ? end : expiresAt)) === 'stopped') return { expiresAt }
  }
}

/** Gives up a sign-in that waits; one that is over stays so. Throws CompanionRefused for an unknown name. */
export async function giveUpSignIn(parts: GateParts, named: NamedSignIn): Promise<void> {
  const { id } = await findNamed(parts, named)
  await dropPrompt(parts.db, id)
}

async function findNamed({ db }: GateParts, { attempt, secret }: NamedSignIn): Promise<Prompt> {
  const prompt = isUuid(attempt) ? await findPrompt(db, attempt) : undefined
  if (prompt?.secret_hash == null || !timingSafeEqual(prompt.secret_hash, sha256(secret))) {
    throw new CompanionRefused()
  }
  return prompt
}
