import { rtcpType } from './rtcp.ts'
import { SequenceUnwrapper } from './sequence.ts'

/** Transport-wide feedback: when each packet arrived; draft-holmer-rmcat-transport-wide-cc-extensions-01 §3.1. */

/** Maximum packets per feedback. */
const maxPackets = 400
/** Maximum unreported packets; if a sender jumps further ahead, only the latest are reported. */
const maxWaiting = 2000
/** Resolution of the reference time in milliseconds. */
const referenceStep = 64
/** Delta units per millisecond. */
const ticks = 4

/** Packets received over one connection that haven't been reported yet. */
export class ArrivalLog {
  readonly #sender: number
  readonly #unwrapper = new SequenceUnwrapper()
  readonly #arrivals = new Map<number, number>()
  #media = 0
  #next = -1
  #highest = -1
  #count = 0

  constructor(sender: number) {
    this.#sender = sender
  }

  /** Records the arrival of a packet, in milliseconds of any clock. */
  add(number: number, milliseconds: number, ssrc: number): void {
    this.#media = ssrc
    const unwrapped = this.#unwrapper.unwrap(number)
    if (this.#next < 0) this.#next = unwrapped
    if (unwrapped < this.#next) {
      // arrived after its feedback: report again from there, unless too long ago
      if (this.#next - unwrapped > 500) return
      this.#next = unwrapped
    }
    if (unwrapped > this.#highest) this.#highest = unwrapped
    if (this.#highest - this.#next > maxWaiting) this.#forgetBefore(this.#highest - maxPackets)
    this.#arrivals.set(unwrapped, milliseconds)
  }

  /** Returns the next feedback; undefined if nothing arrived since the last one. */
  feedback(): Buffer | undefined {
    if (this.#arrivals.size === 0) return undefined
    const from = this.#next
    const last = Math.min(this.#highest, from + maxPackets - 1)
    const deltas = this.#deltas(from, last)
    // all packets are further ahead
    if (deltas === undefined) {
      this.#forgetBefore(last + 1)
      return this.feedback()
    }
    this.#forgetBefore(from + deltas.list.length)
    this.#count = (this.#count + 1) & 0xff
    return this.#write(from, deltas)
  }

  #deltas(from: number, last: number): Deltas | undefined {
    const list: (number | undefined)[] = []
    let reference: number | undefined
    let previous = 0
    for (let number = from; number <= last; number++) {
      const arrival = this.#arrivals.get(number)
      if (arrival === undefined) {
        list.push(undefined)
        continue
      }
      if (reference === undefined) {
        reference = Math.floor(arrival / referenceStep)
        previous = reference * referenceStep * ticks
      }
      const delta = Math.round(arrival * ticks) - previous
      // a pause that doesn't fit into a delta starts the next feedback
      if (delta < -32_768 || delta > 32_767) break
      previous += delta
      list.push(delta)
    }
    return reference === undefined ? undefined : { reference, list }
  }

  #write(from: number, { reference, list }: Deltas): Buffer {
    const chunks = Math.ceil(list.length / 7)
    let length = 20 + chunks * 2
    for (const delta of list) length += symbolOf(delta)
    const padding = (4 - (length % 4)) % 4
    const packet = Buffer.alloc(length + padding)
    packet[0] = 0x8f | (padding > 0 ? 0x20 : 0)
    packet[1] = rtcpType.transportFeedback
    packet.writeUInt16BE(packet.length / 4 - 1, 2)
    packet.writeUInt32BE(this.#sender, 4)
    packet.writeUInt32BE(this.#media, 8)
    packet.writeUInt16BE(from & 0xffff, 12)
    packet.writeUInt16BE(list.length, 14)
    packet.writeUIntBE(reference & 0xffffff, 16, 3)
    packet[19] = this.#count
    writeChunks(packet, list)
    writeDeltas(packet, 20 + chunks * 2, list)
    if (padding > 0) packet[packet.length - 1] = padding
    return packet
  }

  #forgetBefore(number: number): void {
    this.#next = number
    for (const told of this.#arrivals.keys()) if (told < number) this.#arrivals.delete(told)
  }
}

interface Deltas {
  readonly reference: number
  /** Undefined if it didn't arrive. */
  readonly list: readonly (number | undefined)[]
}

/** Symbol of a packet, which equals the size of its delta in bytes. */
function symbolOf(delta: number | undefined): 0 | 1 | 2 {
  if (delta === undefined) return 0
  return delta >= 0 && delta <= 255 ? 1 : 2
}

/** Writes vectors of seven two-bit symbols. */
function writeChunks(packet: Buffer, list: readonly (number | undefined)[]): void {
  for (let index = 0; index < list.length; index += 7) {
    let chunk = 0xc000
    for (let place = 0; place < 7; place++) chunk |= symbolOf(list[index + place]) << (12 - 2 * place)
    packet.writeUInt16BE(chunk, 20 + (index / 7) * 2)
  }
}

function writeDeltas(packet: Buffer, start: number, list: readonly (number | undefined)[]): void {
  let at = start
  for (const delta of list) {
    const bytes = symbolOf(delta)
    if (delta === undefined) continue
    if (bytes === 1) packet[at] = delta
    else packet.writeInt16BE(delta, at)
    at += bytes
  }
}

/** Sequence number of the sender's feedback; compound packets contain several with the same one. */
export function feedbackCount(packet: Buffer, start: number): number {
  return packet[start + 19] ?? -1
}

/**
 * Calls back for each packet in a feedback, with its arrival in milliseconds of the receiver's clock, which
 * wraps around after about twelve days; undefined if it didn't arrive. Stops if the feedback is malformed.
 */
export function eachArrival(
  packet: Buffer,
  start: number,
  end: number,
  visit: (number: number, arrival: number | undefined) => void,
): void {
  if (start + 20 > end) return
  const symbols = readSymbols(packet, start, end)
  let number = packet.readUInt16BE(start + 12)
  let time = packet.readUIntBE(start + 16, 3) * referenceStep
  let at = symbols.end
  for (const symbol of symbols.list) {
    if (at + symbol > end) return
    if (symbol !== 0) {
      time += (symbol === 1 ? (packet[at] ?? 0) : packet.readInt16BE(at)) / ticks
      at += symbol
    }
    visit(number, symbol === 0 ? undefined : time)
    number = (number + 1) & 0xffff
  }
}

function readSymbols(packet: Buffer, start: number, end: number): { list: number[]; end: number } {
  const count = packet.readUInt16BE(start + 14)
  const list: number[] = []
  let at = start + 20
  while (list.length < count && at + 2 <= end) {
    const chunk = packet.readUInt16BE(at)
    at += 2
    if ((chunk & 0x8000) === 0) {
      const symbol = (chunk >> 13) & 3
      for (let run = chunk & 0x1fff; run > 0 && list.length < count; run--) list.push(symbol)
    } else if ((chunk & 0x4000) !== 0) {
      for (let place = 12; place >= 0 && list.length < count; place -= 2) list.push((chunk >> place) & 3)
    } else {
      for (let place = 13; place >= 0 && list.length < count; place--) list.push((chunk >> place) & 1)
    }
  }
  // 3 is reserved and has no delta to skip
  return { list: list.map((symbol) => (symbol === 3 ? 0 : symbol)), end: at }
}
