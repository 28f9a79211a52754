/** Milliseconds between two requests to one stream: key frames are large, and one serves all who wait. */
export const keyFrameInterval = 500

/** Requests for key frames of one stream; those that come too early are answered by one that is sent later. */
export class KeyFrameRequest {
  readonly #send: () => boolean
  #last = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  /** Requests that were sent. */
  sent = 0

  /** `send` says whether it went out. */
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
