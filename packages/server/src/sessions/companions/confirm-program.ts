import { after } from '../../platform/clock.ts'
import { CompanionRefused, NotConfirmedYet, Stopping } from './errors.ts'
import { type GateParts, requireCompanion, type SignInToConfirm } from './sign-in-gate.ts'

/** Programs of one user that one process keeps waiting at once; a mail program opens a handful of connections. */
const mostWaiting = 10

export type ProgramToConfirm = Omit<SignInToConfirm, 'wait'>

/**
 * Has a companion device confirm programs that come back by themselves, as mail programs do: one is kept waiting for some
 * seconds, and let in at once when it comes back after a later confirmation. All its connections wait for one question.
 */
export class ProgramConfirmation {
  readonly #parts: GateParts
  readonly #seconds: number
  /** How many wait, by user. */
  readonly #waiting = new Map<number, number>()

  constructor(parts: GateParts, seconds: number) {
    this.#parts = parts
    this.#seconds = seconds
  }

  /** False: the installation has no companion devices, whatever a user has paired earlier. */
  get isOffered(): boolean {
    return this.#parts.isOffered
  }

  /** Throws CompanionRefused, Stopping, or TooManyRequests when too much waits already. */
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
    // followed before the first look, so that no news is lost between the two
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
