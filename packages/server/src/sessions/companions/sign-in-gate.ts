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
  /** Whether the installation has companion devices. */
  readonly isOffered: boolean
}

export interface SignInToConfirm {
  readonly userId: number
  readonly ip: string
  /** `web` or the mail service. */
  readonly service: string
  readonly userAgent?: string
  /** The second factor used; a recovery code also replaces a lost device. */
  readonly provedBy?: FactorKind | undefined
  /**
   * `here`: the call returns after the decision. `elsewhere`: returns a pending sign-in, to be redeemed with
   * `awaitSignIn`. `not`: rejects now; the client reconnects after the confirmation.
   */
  readonly wait: 'here' | 'elsewhere' | 'not'
  /**
   * Registers a callback for client hang-ups, which end the wait `here`; returns a function that unregisters it.
   */
  readonly onHangUp?: (listener: () => void) => () => void
}

/** Unanswered sign-ins per service and hour before prompting stops. */
const unanswered = 10

/** Seconds that an accepted sign-in can still be redeemed, however late it was accepted. */
export const takeUpLife = 30

/**
 * The last step of a sign-in: a user with a paired device confirms there, unless the address was approved
 * within eight hours or a recovery code was given; reference api-auth §7. Returns `confirmed` if a device just
 * approved the sign-in, undefined if it passes without, or the pending sign-in. Waiting `here` ends after
 * `blockingLife` seconds. Throws SignInNotConfirmed, CompanionRefused if no one waits (`not`), Stopping, or
 * TooManyRequests if too many already wait.
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

/** Clients that reconnect only understand a refusal; people see the reason. */
function refusal({ wait }: SignInToConfirm, why: NotConfirmed): Error {
  return wait === 'not' ? new CompanionRefused() : new SignInNotConfirmed(why)
}

/** Whether a decision about an address is in force. */
function holds(attempt: { status: Attempt['status'] | null; expiresAt: Date | null }, now: Date): boolean {
  return attempt.status !== 'NEW' && attempt.expiresAt !== null && now < attempt.expiresAt
}

interface Opened {
  readonly id: string
  readonly secret: string
  readonly number: string | null
  readonly expiresAt: Date
}

/** Records a pending sign-in and enqueues the notifications; undefined if it was approved meanwhile. */
async function openPrompt(
  trx: Db,
  { clock, jobs }: GateParts,
  signIn: SignInToConfirm,
): Promise<Opened | undefined> {
  const { userId, service } = signIn
  // serializes concurrent sign-ins, so that they count each other
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

/** Matches a client that reconnects to its earlier prompt. */
function isSame(prompt: Prompt, attemptId: string, { service, wait }: SignInToConfirm): boolean {
  const { attemptId: asked, service: of, secretHash } = prompt
  return wait === 'not' && asked === attemptId && of === service && secretHash === null
}

/** Prevents prompt fatigue, both concurrent and repeated prompts (TooManyRequests). */
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

/** Draws two digits that no other pending sign-in of the user shows. */
function drawNumber(open: readonly Prompt[]): string {
  const taken = new Set(open.map(({ number }) => number))
  for (;;) {
    const number = String(randomInt(10, 100))
    if (!taken.has(number)) return number
  }
}

/** Mark of the password used for a sign-in. */
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

/** Returns the outcome of a pending sign-in. */
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

/**
 * Redeems an accepted sign-in, once; returns false if it was already redeemed or the password has changed.
 */
export async function takeUp(db: Db, clock: Clock, prompt: Prompt): Promise<boolean> {
  if (!(await takePrompt(db, prompt.id, clock.now()))) return false
  const mark = await passwordMark(db, prompt.userId)
  return mark === null || prompt.passwordMark === null
    ? mark === prompt.passwordMark
    : mark.equals(prompt.passwordMark)
}
