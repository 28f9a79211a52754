/** A packet's arrival, and when it was sent by its sender's clock. */
export interface Arrival {
  /** Milliseconds of our clock. */
  readonly at: number
  /** abs-send-time: 24 bits, 2^18 to a second. Undefined: the packet does not say. */
  readonly sentAt: number | undefined
}

/** Milliseconds. Packets closer together have waited for us: full ones would have come at 10 Mbit/s and more. */
const burstGap = 1

/**
 * Takes arrivals in their order and returns their times in milliseconds without what our own process adds: packets
 * that come while it is busy are all seen in one moment. Senders cannot use that: libwebrtc discards a bandwidth
 * probe that seems to arrive more than twice as fast as it was sent, and then needs a quarter of a minute for what the
 * probe would have shown at once. The packets of such a burst are spaced as they were sent, back from its end and not
 * before the packet ahead of it. A queue on the path stays visible, as it moves the bursts' ends.
 */
export function spaceBursts(arrivals: readonly Arrival[], before = Number.NEGATIVE_INFINITY): number[] {
  const times: number[] = []
  let floor = before
  for (const burst of burstsOf(arrivals)) {
    const end = burst.at(-1)?.at ?? floor
    const reference = burst.find(({ sentAt }) => sentAt !== undefined)?.sentAt ?? 0
    const latest = Math.max(...burst.map(({ sentAt = reference }) => elapsed(reference, sentAt)))
    for (const { at, sentAt } of burst) {
      const time = sentAt === undefined ? at : end - (latest - elapsed(reference, sentAt))
      times.push(Math.min(at, Math.max(floor, time)))
    }
    floor = end
  }
  return times
}

function burstsOf(arrivals: readonly Arrival[]): Arrival[][] {
  const bursts: Arrival[][] = []
  for (const arrival of arrivals) {
    const burst = bursts.at(-1)
    if (burst !== undefined && arrival.at - (burst.at(-1)?.at ?? 0) < burstGap) burst.push(arrival)
    else bursts.push([arrival])
  }
  return bursts
}

/** Milliseconds between two send times; they wrap around after 64 seconds. */
function elapsed(from: number, to: number): number {
  return (((to - from + 0x80_0000) & 0xff_ffff) - 0x80_0000) / 262.144
}
