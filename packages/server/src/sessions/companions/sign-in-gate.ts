import { randomInt } from 'node:crypto'
import {
  blockingLife,
  deniedLife,
  maxPrompts,
  promptLife,
  type SignInWaiting,
} from '@gatehouse/contract/sessions/companions'
import type { FactorKind } from '@gatehouse/contract/sessions/proofs'
import { passwordHashOf } from '../../passwords/password-store.ts'
import { after, type Clock, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { TooManyRequests } from '../../platform/http/errors.ts'
import { randomToken } from '../../platform/ids.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { sha256 } from '../../platform/secrets.ts'
import { holdUser } from '../../users/member-store.ts'
import { hasOpenSession } from '../tokens/session-store.ts'
import {
  type Attempt,
  countUnanswered,
  findPrompt,
  insertPrompt,
  lookAtSignIn,
  meetAttempt,
  noteSeen,
  openPrompts,
  type Prompt,
  type SignInPlace,
  setAttempt,
  takeLoose,
  takePrompt,
} from './attempt-store.ts'
import type { CompanionWatch } from './companion-watch.ts'
import {
  CompanionRefused,
  type NotConfirmed,
  NotConfirmedYet,
  SignInNotConfirmed,
  Stopping,
} from './errors.ts'
import { presentMoment } from './present.ts'
import { pushJob } from './push/push-job.ts'
import { giveUp, recordExpired } from './undecided.ts'

export interface GateParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly watch: CompanionWatch
  /** The installation has companion devices. */
  readonly isOffered: boolean
}

export interface SignInToConfirm {
  readonly userId: number
  readonly ip: string
  /** `web`, or the mail service. */
  readonly service: string
  readonly userAgent?: string
  /** The second factor was proved with; a recovery code stands in for a lost device as well. */
  readonly provedBy?: FactorKind | undefined
  /**
   * `here`: the answer comes with the decision. `elsewhere`: a waiting sign-in is returned, which is taken up with
   * `awaitSignIn`. `not`: refused now, and let in when it comes again after the confirmation.
   */
  readonly wait: 'here' | 'elsewhere' | 'not'
  /** Calls back when the client hangs up, which ends the waiting `here`; returns what takes that back. */
  readonly onHangUp?: (listener: () => void) => () => void
}

/** Sign-ins to one service within an hour that may go unanswered before no device is asked any more. */
const unanswered = 10

/** Seconds that an accepted sign-in may still be taken up, however late it was accepted. */
export const takeUpLife = 30

/**
 * The last step of a sign-in: a user who has a paired device confirms there, unless the address was let in within
 * eight hours, or a recovery code was given; reference api-auth §7. Returns `confirmed` when a device
 * has just let the sign-in in, undefined when it passes without, or what waits. Waiting `here` ends after `blockingLife` seconds. Throws SignInNotConfirmed, CompanionRefused where nobody waits (`not`),
 * Stopping, or TooManyRequests when too much waits already.
 */
export async function requireCompanion(
  parts: GateParts,
  signIn: SignInToConfirm,
): Promise<SignInWaiting | 'confirmed' | undefined> {
  const { db, clock } = parts
  if (!parts.isOffered || signIn.provedBy === 'recovery') return undefined
  const known = await lookAtSignIn(db, signIn.userId, signIn.ip)
  if (known?.isGuarded !== true) return undefined
  const now = clock.now()
  if (known.id !== null && holds(known, now)) {
    await noteSeen(db, known.id, now)
    if (known.status === 'ACCEPTED') return undefined
    throw refusal(signIn, 'denied-recently')
  }
  if (!(await hasOpenSession(db, signIn.userId, now))) throw refusal(signIn, 'no-device')
  const opened = await db.transaction().execute((trx) => openPrompt(trx, parts, signIn))
  if (opened === undefined) return undefined
  if (signIn.wait === 'not') throw new NotConfirmedYet()
  if (signIn.wait === 'here') return waitHere(parts, signIn, opened.id)
  return {
    status: 'waiting',
    attempt: opened.id,
    secret: opened.secret,
    number: opened.number ?? '',
    expiresAt: presentMoment(opened.expiresAt),
  }
}

/** Programs that come back by themselves understand a refusal only; people are told why. */
function refusal({ wait }: SignInToConfirm, why: NotConfirmed): Error {
  return wait === 'not' ? new CompanionRefused() : new SignInNotConfirmed(why)
}

/** A decision about an address that is in force. */
function holds(attempt: { status: Attempt['status'] | null; expiresAt: Date | null }, now: Date): boolean {
  return attempt.status !== 'NEW' && attempt.expiresAt !== null && now < attempt.expiresAt
}

interface Opened {
  readonly id: string
  readonly secret: string
  readonly number: string | null
  readonly expiresAt: Date
}

/** Writes down that a sign-in waits, and has the devices told; undefined when it was let in meanwhile. */
async function openPrompt(
  trx: Db,
  { clock, jobs }: GateParts,
  signIn: SignInToConfirm,
): Promise<Opened | undefined> {
  const { userId, service } = signIn
  // many at once count each other
  if (!(await holdUser(trx, userId))) throw new CompanionRefused()
  const now = clock.now()
  const place: SignInPlace = { ...signIn, userAgent: (signIn.userAgent ?? '').slice(0, 512) }
  const attempt = await meetAttempt(trx, place, now)
  if (holds(attempt, now)) {
    if (attempt.status === 'ACCEPTED') return undefined
    throw refusal(signIn, 'denied-recently')
  }
  if (signIn.wait === 'not' && (await takeLoose(trx, attempt.id, service, now))) return undefined
  const open = await openPrompts(trx, userId, now)
  const same = open.find((prompt) => isSame(prompt, attempt.id, signIn))
  if (same !== undefined) return { id: same.id, secret: '', number: null, expiresAt: same.expiresAt }
  await refuseTooMany(trx, open, { userId, service }, now)
  await setAttempt(trx, attempt.id, now, { status: 'NEW', expiresAt: null })
  const isElsewhere = signIn.wait === 'elsewhere'
  const secret = randomToken()
  const number = isElsewhere ? drawNumber(open) : null
  const expiresAt = after(now, signIn.wait === 'here' ? blockingLife : promptLife)
  const id = await insertPrompt(trx, {
    attemptId: attempt.id,
    userId,
    service,
    userAgent: place.userAgent,
    number,
    secretHash: isElsewhere ? sha256(secret) : null,
    passwordMark: await passwordMark(trx, userId),
    createdAt: now,
    expiresAt,
  })
  await jobs.enqueue(trx, pushJob, { userId, attemptId: attempt.id, promptId: id }, { key: `push:${id}` })
  return { id, secret, number, expiresAt }
}

/** A program that is away and comes back meets what it asked before. */
function isSame(prompt: Prompt, attemptId: string, { service, wait }: SignInToConfirm): boolean {
  const { attemptId: asked, service: of, secretHash } = prompt
  return wait === 'not' && asked === attemptId && of === service && secretHash === null
}

/** Nobody is worn down with prompts: neither many at once nor one after another (TooManyRequests). */
async function refuseTooMany(
  trx: Db,
  open: readonly Prompt[],
  { userId, service }: { userId: number; service: string },
  now: Date,
): Promise<void> {
  const [oldest] = open
  if (oldest !== undefined && open.length >= maxPrompts)
    throw new TooManyRequests(secondsTo(oldest.expiresAt, now))
  const recent = await countUnanswered(trx, userId, service, after(now, -hour))
  if (recent >= unanswered) throw new TooManyRequests(deniedLife)
}

function secondsTo(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000))
}

/** Two digits that no other waiting sign-in of the user shows. */
function drawNumber(open: readonly Prompt[]): string {
  const taken = new Set(open.map(({ number }) => number))
  for (;;) {
    const number = String(randomInt(10, 100))
    if (!taken.has(number)) return number
  }
}

/** Of the password that a sign-in was proved with. */
async function passwordMark(db: Db, userId: number): Promise<Buffer | null> {
  const hash = await passwordHashOf(db, userId)
  return hash === undefined ? null : sha256(hash)
}

async function waitHere(
  { db, clock, watch }: GateParts,
  { userId, onHangUp }: SignInToConfirm,
  promptId: string,
): Promise<'confirmed'> {
  using following = await watch.follow(userId)
  const stopListening = onHangUp?.(() => following.giveUp())
  try {
    for (;;) {
      const outcome = await outcomeOf(db, clock, promptId)
      if (!('prompt' in outcome)) {
        throw outcome.state === 'gone' ? new CompanionRefused() : new SignInNotConfirmed(outcome.state)
      }
      if (outcome.state === 'accepted') {
        if (await takeUp(db, clock, outcome.prompt)) return 'confirmed'
        throw new CompanionRefused()
      }
      const why = await following.called(outcome.prompt.expiresAt)
      if (why !== 'given-up' && why !== 'stopped') continue
      await giveUp(db, clock, promptId)
      throw why === 'stopped' ? new Stopping() : new SignInNotConfirmed('given-up')
    }
  } finally {
    stopListening?.()
  }
}

export type Outcome =
  | { readonly state: 'waiting'; readonly prompt: Prompt }
  | { readonly state: 'accepted'; readonly prompt: Prompt }
  | { readonly state: 'denied' | 'expired' | 'gone' }

/** What has become of a sign-in that waited. */
export async function outcomeOf(db: Db, clock: Clock, promptId: string): Promise<Outcome> {
  const prompt = await findPrompt(db, promptId)
  if (prompt === undefined || prompt.status === 'USED' || prompt.status === 'DROPPED')
    return { state: 'gone' }
  if (prompt.status === 'DENIED') return { state: 'denied' }
  if (prompt.status === 'EXPIRED' || clock.now() >= prompt.expiresAt) {
    await recordExpired(db, clock, prompt.userId)
    return { state: 'expired' }
  }
  return { state: prompt.status === 'WAITING' ? 'waiting' : 'accepted', prompt }
}

/** Takes up an accepted sign-in, once; false when somebody was first, or its password is no more. */
export async function takeUp(db: Db, clock: Clock, prompt: Prompt): Promise<boolean> {
  if (!(await takePrompt(db, prompt.id, clock.now()))) return false
  const mark = await passwordMark(db, prompt.userId)
  return mark === null || prompt.passwordMark === null
    ? mark === prompt.passwordMark
    : mark.equals(prompt.passwordMark)
}
