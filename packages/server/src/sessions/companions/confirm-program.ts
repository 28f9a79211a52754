import { after } from '../../platform/clock.ts'
import { CompanionRefused, NotConfirmedYet, Stopping } from './errors.ts'
import { type GateParts, requireCompanion, type SignInToConfirm } from './sign-in-gate.ts'

/**
 * Clients of one user that may wait concurrently in one process; a mail client opens a handful of connections.
 */
const mostWaiting = 10

export type ProgramToConfirm = Omit<SignInToConfirm, 'wait'>

/**
 * Asks a companion device to confirm clients that reconnect automatically, such as mail clients: one waits for
 * some seconds, and is admitted when it reconnects after a later confirmation. All its connections share one
 * prompt.
 */
export class ProgramConfirmation {
  readonly #parts: GateParts
  readonly #seconds: number
  /** Number of waiting connections by user. */
  readonly #waiting = new Map<number, number>()

  constructor(parts: GateParts, seconds: number) {
    this.#parts = parts
    this.#seconds = seconds
  }

  /** False if the installation has no companion devices, even if a user paired one earlier. */
  get isOffered(): boolean {
    return this.#parts.isOffered
  }

  /** Throws CompanionRefused, Stopping, or TooManyRequests if too many already wait. */
  async confirm(signIn: ProgramToConfirm): Promise<void> {
    const { userId } = signIn
    const already = this.#waiting.get(userId) ?? 0
    if (already >= mostWaiting) throw new CompanionRefused()
    this.#waiting.set(userId, already + 1)
    try {
      await this.#wait(signIn)
    } finally {
      const left = (this.#waiting.get(userId) ?? 1) - 1
      if (left > 0) this.#waiting.set(userId, left)
      else this.#waiting.delete(userId)
    }
  }

  async #wait(signIn: ProgramToConfirm): Promise<void> {
    const { watch, clock } = this.#parts
    const until = after(clock.now(), this.#seconds)
    // subscribe before the first read, so that no change in between is lost
    using following = await watch.follow(signIn.userId)
    for (;;) {
      try {
        await requireCompanion(this.#parts, { ...signIn, wait: 'not' })
        return
      } catch (error) {
        if (!(error instanceof NotConfirmedYet)) throw error
        const why = await following.called(until)
        if (why === 'stopped') throw new Stopping()
        if (why === 'late') throw error
      }
    }
  }
}
