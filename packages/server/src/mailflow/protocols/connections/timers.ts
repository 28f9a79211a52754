/** The only source of timeouts and durations of the mail protocols. Tests move it. */
export interface Timers {
  /** Milliseconds of a clock that never jumps. */
  now(): number
  /** Calls `act` once after so many milliseconds. The returned function cancels it. */
  after(milliseconds: number, act: () => void): () => void
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds)
    return () => clearTimeout(timer)
  },
}
