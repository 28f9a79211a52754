/**
 * Minimum milliseconds between two requests for one stream: keyframes are large, and one serves all receivers.
 */
export const keyFrameInterval = 500

/** Keyframe requests for one stream; those that come too early are combined into a later one. */
export class KeyFrameRequest {
  readonly #send: () => boolean
  #last = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  /** Number of requests sent. */
  sent = 0

  /** `send` returns whether the request was sent. */
  constructor(send: () => boolean) {
    this.#send = send
  }

  ask(now: number): void {
    const wait = this.#last + keyFrameInterval - now
    if (wait <= 0) {
      this.#sendAt(now)
      return
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#sendAt(now + wait)
    }, wait)
  }

  #sendAt(now: number): void {
    if (!this.#send()) return
    this.#last = now
    this.sent++
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
