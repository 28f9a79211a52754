import type { MediaPort } from '../room/media-port.ts'

/** An audio or video stream in one direction. */
export interface StreamFacts {
  id: string
  kind: string
  codec: string
  /** Bit/s since the previous sample. */
  bitrate: number
  /** Per cent. */
  loss: number
  size: string
  frames: number
}

export interface ConnectionFacts {
  direction: 'send' | 'receive'
  state: string
  /** Path of the packets, such as "host udp". */
  way: string
  /** Milliseconds. */
  roundTrip: number | undefined
  streams: StreamFacts[]
}

/** Counters of the previous sample, by stream. */
type Counted = Map<string, { bytes: number; at: number }>

/** The fields of an entry depend on its type: Identifiers for WebRTC's Statistics API. */
type Entry = Record<string, unknown>

/** Samples both connections. `counted` is kept between samples. */
export async function look(media: MediaPort, counted: Counted): Promise<ConnectionFacts[]> {
  const { send, receive } = media.connections
  const looked: (ConnectionFacts | undefined)[] = await Promise.all([
    send && factsOf('send', send, counted),
    receive && factsOf('receive', receive, counted),
  ])
  return looked.filter((facts) => facts !== undefined)
}

async function factsOf(
  direction: ConnectionFacts['direction'],
  connection: RTCPeerConnection,
  counted: Counted,
): Promise<ConnectionFacts> {
  const entries = new Map<string, Entry>()
  // the types of the report only have forEach
  ;(await connection.getStats()).forEach((entry: Entry, id: string) => {
    entries.set(id, entry)
  })
  const all = [...entries.values()]
  const pair = all.find(
    ({ type, nominated, state }) => type === 'candidate-pair' && nominated && state === 'succeeded',
  )
  const local = entries.get(text(pair?.localCandidateId))
  const wanted = direction === 'send' ? 'outbound-rtp' : 'inbound-rtp'
  const roundTrip = pair?.currentRoundTripTime
  return {
    direction,
    state: connection.connectionState,
    way: [local?.candidateType, local?.protocol].map(text).filter(Boolean).join(' '),
    roundTrip: typeof roundTrip === 'number' ? Math.round(roundTrip * 1000) : undefined,
    streams: all.filter(({ type }) => type === wanted).map((entry) => streamOf(entry, entries, counted)),
  }
}

function streamOf(entry: Entry, entries: ReadonlyMap<string, Entry>, counted: Counted): StreamFacts {
  const id = text(entry.id)
  const bytes = count(entry.bytesSent) + count(entry.bytesReceived)
  const at = count(entry.timestamp)
  const before = counted.get(id)
  counted.set(id, { bytes, at })
  const seconds = before ? (at - before.at) / 1000 : 0
  const lost = count(entry.packetsLost)
  const total = lost + count(entry.packetsReceived)
  const { frameWidth, frameHeight } = entry
  return {
    id,
    kind: [entry.kind, entry.rid].map(text).filter(Boolean).join(' '),
    codec: text(entries.get(text(entry.codecId))?.mimeType).replace(/^\w+\//, ''),
    bitrate: before && seconds > 0 ? Math.max(0, ((bytes - before.bytes) * 8) / seconds) : 0,
    loss: total > 0 ? (lost / total) * 100 : 0,
    size: frameWidth ? `${count(frameWidth)} × ${count(frameHeight)}` : '',
    frames: count(entry.framesPerSecond),
  }
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
