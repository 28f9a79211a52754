import { createSocket } from 'node:dgram'
import type { MediaClientMessage } from '@gatehouse/contract/meetings/meet-media'
import { type MediaSource, mediaSources } from '@gatehouse/contract/meetings/meet-sources'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { MediaEngines } from './media-engines.ts'
import { isRtcp } from './packets/rtp.ts'
import { extension } from './sdp/header-extensions.ts'
import { useEngines } from './testing/engines.ts'
import { SyntheticPublisher, SyntheticReceiver } from './testing/synthetic-endpoint.ts'

const engines = useEngines()
const endpoints: { close(): void }[] = []

afterEach(() => {
  for (const endpoint of endpoints.splice(0)) endpoint.close()
})

const hash = (bytes: number) => Array.from({ length: bytes }, () => 'AB').join(':')

/** Lines of a media section that no browser writes but that look valid. */
const attribute = fc.oneof(
  fc.constantFrom(
    'a=sendonly',
    'a=recvonly',
    'a=inactive',
    'a=bundle-only',
    'a=rtcp-mux',
    'a=setup:actpass',
    'a=setup:active',
    'a=setup:passive',
    'a=ice-ufrag:abcd',
    `a=ice-ufrag:${'x'.repeat(256)}`,
    'a=ice-pwd:0123456789012345678901',
    `a=ice-pwd:${'y'.repeat(256)}`,
    `a=fingerprint:sha-256 ${hash(32)}`,
    `a=fingerprint:sha-1 ${hash(20)}`,
    `a=fingerprint:sha-512 ${hash(16)}`,
    `a=fingerprint:sha-999 ${hash(64)}`,
    'a=candidate:1 1 udp 2113937151 192.0.2.1 9 typ host',
    'a=candidate:1 1 tcp 1 evil.invalid 9 typ host',
    'a=end-of-candidates',
    'a=rtpmap:96 VP8/90000',
    'a=rtpmap:111 opus/48000/2',
    'a=rtpmap:97 rtx/90000',
    'a=fmtp:97 apt=96',
    'a=fmtp:96 apt=96',
    'a=fmtp:111 apt=999999999999999999999',
    'a=rtcp-fb:96 nack pli',
    'a=rtcp-fb:96 transport-cc',
    'a=simulcast:send a;b;c',
    'a=simulcast:send a',
    'a=rid:a send',
    'a=rid:b send',
    'a=sctp-port:5000',
    'a=max-message-size:99999999999999999999',
    'a=msid:- -',
    'a=tls-id:1',
  ),
  fc
    .tuple(fc.nat(15), fc.constantFrom(...Object.values(extension)))
    .map(([id, uri]) => `a=extmap:${id} ${uri}`),
  fc.constantFrom(0, 1, 2222, 3333, 4_294_967_295, 9_999_999_999).map((ssrc) => `a=ssrc:${ssrc} cname:x`),
  fc
    .tuple(fc.constantFrom(1, 2222, 3333), fc.constantFrom(1, 2222, 3333))
    .map(([media, rtx]) => `a=ssrc-group:FID ${media} ${rtx}`),
)

const transport = [
  'a=ice-ufrag:abcd',
  'a=ice-pwd:0123456789012345678901',
  `a=fingerprint:sha-256 ${hash(32)}`,
]
const codecs = {
  audio: ['a=rtpmap:111 opus/48000/2', 'a=fmtp:111 useinbandfec=1'],
  video: ['a=rtpmap:96 VP8/90000', 'a=rtcp-fb:96 nack pli', 'a=rtpmap:97 rtx/90000', 'a=fmtp:97 apt=96'],
}
const streams = [
  [],
  ['a=ssrc:1111 cname:x'],
  ['a=ssrc-group:FID 2222 3333', 'a=ssrc:2222 cname:x'],
  ['a=rid:a send'],
]

/** Mostly valid, so that it passes the first checks. */
const section = fc
  .record({
    kind: fc.constantFrom('audio' as const, 'video' as const),
    header: fc.constantFrom(
      '9 UDP/TLS/RTP/SAVPF 96 97 111',
      '9 UDP/TLS/RTP/SAVPF 111',
      '0 UDP/TLS/RTP/SAVPF 0',
    ),
    setup: fc.constantFrom('actpass', 'active', 'passive'),
    direction: fc.constantFrom('sendonly', 'sendonly', 'recvonly', 'inactive'),
    streams: fc.constantFrom(...streams),
    before: fc.array(attribute, { maxLength: 2 }),
    after: fc.array(attribute, { maxLength: 3 }),
  })
  .map(({ kind, header, setup, direction, ...lines }) => ({
    kind,
    write: (mid: string) =>
      [
        `m=${kind} ${header}`,
        `a=mid:${mid}`,
        ...lines.before,
        ...transport,
        `a=setup:${setup}`,
        `a=${direction}`,
        ...codecs[kind],
        ...lines.streams,
        ...lines.after,
      ].join('\r\n'),
  }))

const session = fc.constantFrom(
  '',
  'a=group:BUNDLE 0 1\r\n',
  'a=group:BUNDLE 9 9\r\na=group:BUNDLE 0\r\n',
  'a=ice-lite\r\n',
)

function describeWith(prefix: string) {
  return fc.tuple(session, fc.array(section, { minLength: 1, maxLength: 4 })).map(([lines, sections]) => ({
    kinds: sections.map(({ kind }) => kind),
    sdp: `v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n${lines}${sections
      .map((one, index) => one.write(`${prefix}${index}`))
      .join('\r\n')}\r\n`,
  }))
}

const number = fc.constantFrom(1, 1, 1, 1, 2, 3)
const source = fc.constantFrom(...mediaSources)
const mid = fc.constantFrom('0', '1', '2', 'm0', 'm1')
const ssrc = fc.constantFrom(1, 1111, 2222, 3333, 4_294_967_295)

/** Assigns each line a source of its kind, as long as there are any. */
function tracksOf(kinds: readonly ('audio' | 'video')[]) {
  const left = { audio: ['mic', 'screenaudio'], video: ['cam', 'screen'] } satisfies Record<
    string,
    MediaSource[]
  >
  return kinds.flatMap((kind, index) => {
    const own = left[kind].shift()
    return own === undefined ? [] : [{ mid: String(index), source: own }]
  })
}

type Move =
  | { readonly message: MediaClientMessage }
  | { readonly act: 'withdraw' | 'grant' | 'silence' | 'replace' }

const publish = fc
  .record({
    epoch: number,
    n: number,
    described: describeWith(''),
    others: fc.option(fc.array(fc.record({ mid, source }), { maxLength: 4 }), { freq: 8 }),
  })
  .map(({ described: { sdp, kinds }, others, ...numbers }) => ({
    type: 'publish' as const,
    ...numbers,
    sdp,
    tracks: others ?? tracksOf(kinds),
  }))
const answer = fc.record({
  type: fc.constant('answer' as const),
  epoch: number,
  n: number,
  sdp: describeWith('m').map(({ sdp }) => sdp),
})
const layer = fc.record({ rid: fc.constant('a'), ssrc, rtxSsrc: ssrc })
const layers = fc.record({
  type: fc.constant('layers' as const),
  epoch: number,
  n: number,
  tracks: fc.array(fc.record({ mid, layers: fc.array(layer, { minLength: 1, maxLength: 4 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
})
const pixels = fc.constantFrom(0, 1, 16_384)
const peer = fc.constantFrom('good', 'hostile', 'nobody')
const view = fc.record({
  type: fc.constant('view' as const),
  epoch: number,
  tiles: fc.array(fc.record({ peer, source, width: pixels, height: pixels }), { maxLength: 5 }),
})
const others = fc.oneof<fc.Arbitrary<MediaClientMessage>[]>(
  fc.record({ type: fc.constant('start'), epoch: number, relay: fc.boolean() }),
  fc.record({ type: fc.constant('mute'), epoch: number, source, muted: fc.boolean() }),
  fc.record({ type: fc.constantFrom('unpublish', 'republish'), epoch: number, source }),
)

/** Any message allowed by the contract, in any order, interleaved with actions of the portal. */
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ message: publish }) },
  { weight: 4, arbitrary: fc.record({ message: answer }) },
  { weight: 4, arbitrary: fc.record({ message: fc.oneof(layers, view, others) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('withdraw', 'grant', 'silence', 'replace') }) },
)

async function play(running: MediaEngines, moves: readonly Move[]): Promise<void> {
  const { rooms } = running
  await join(rooms)
  const done = moves.map((one) => {
    if ('message' in one) return rooms.signal('hostile', one.message)
    if (one.act === 'withdraw') return rooms.setRights('hostile', [])
    if (one.act === 'grant') return rooms.setRights('hostile', mediaSources)
    if (one.act === 'silence') return rooms.setMuted('hostile', 'cam', true)
    return join(rooms)
  })
  await Promise.all(done)
}

async function join(rooms: MediaEngines['rooms']): Promise<void> {
  await rooms.addPeer('hostile', 'room', { may: mediaSources })
  await rooms.signal('hostile', { type: 'start', epoch: 1, relay: false })
}

/** A room in which two well-behaved peers see each other. */
async function room() {
  const running = await engines.start()
  await running.rooms.addRoom('room')
  await running.rooms.addPeer('good', 'room', { may: ['mic', 'cam'] })
  await running.rooms.addPeer('viewer', 'room', { may: [] })
  const good = new SyntheticPublisher(running.rooms, 'good')
  const viewer = new SyntheticReceiver(running.rooms, 'viewer')
  endpoints.push(good, viewer)
  await good.publish()
  await viewer.join()
  return { running, good, viewer, run: running.pool.engines[0]?.run }
}

/** Expects the same engine to be running and to forward video. */
async function expectCarried({
  running,
  good,
  viewer,
  run,
}: Awaited<ReturnType<typeof room>>): Promise<void> {
  const before = viewer.packetsOf('good', 'cam').length
  await vi.waitFor(
    () => {
      good.sendPicture({ key: true })
      expect(viewer.packetsOf('good', 'cam').length).toBeGreaterThan(before)
    },
    { timeout: 20_000, interval: 20 },
  )
  expect(running.pool.engines[0]?.run).toBe(run)
}

describe('arbitrary signalling', () => {
  it('harms neither other peers nor, for long, the sender', async () => {
    const { running, good, viewer, run } = await room()
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 4, maxLength: 12, size: 'max' }), async (moves) => {
        await play(running, moves)
        expect(running.pool.engines[0]?.run).toBe(run)
      }),
      { numRuns: Number(process.env.HOSTILE_RUNS ?? 100), endOnFailure: true },
    )
    await expectCarried({ running, good, viewer, run })
    await running.rooms.removePeer('hostile')
    await running.rooms.addPeer('hostile', 'room', { may: ['mic', 'cam'] })
    const late = new SyntheticPublisher(running.rooms, 'hostile')
    endpoints.push(late)
    expect(await late.publish()).toBe('published')
  }, 600_000)
})

const bytes = fc.uint8Array({ minLength: 12, maxLength: 400, size: 'max' })

/** Bytes that start like RTP or RTCP, from one of these senders. */
const packet = (ssrcs: readonly number[]) =>
  fc
    .record({
      rest: bytes,
      first: fc.constantFrom(0x80, 0x90, 0xb0, 0x8f, 0x9f, 0xa0, 0x81),
      second: fc.constantFrom(96, 97, 111, 224, 200, 201, 202, 203, 205, 206, 207),
      ssrc: fc.constantFrom(...ssrcs),
    })
    .map(({ rest, first, second, ssrc: from }) => {
      const made = Buffer.from(rest)
      made[0] = first
      made[1] = second
      // a correct length, so that the rest is parsed
      if (isRtcp(made)) made.writeUInt16BE(Math.floor(made.length / 4) - 1, 2)
      made.writeUInt32BE(from, isRtcp(made) ? 4 : 8)
      return made
    })

describe('arbitrary packets', () => {
  it('harm no one as media or as feedback', async () => {
    const all = await room()
    const { running, good, viewer } = all
    await running.rooms.addPeer('hostile', 'room', { may: ['mic', 'cam'] })
    const hostile = new SyntheticPublisher(running.rooms, 'hostile')
    endpoints.push(hostile)
    await hostile.publish()
    await expectCarried(all)
    const streams = viewer.packetsOf('good', 'cam').map((one) => one.packet.readUInt32BE(8))
    let sequence = 0
    let sent = 0
    const lines = [viewer.midOf('good', 'cam') ?? '', viewer.midOf('hostile', 'cam') ?? '']
    fc.assert(
      fc.property(packet([...hostile.layers, 0, 1]), packet([...streams, 0, 1]), (media, feedback) => {
        // increasing numbers, because repeated packets aren't even sent
        if (!isRtcp(media)) media.writeUInt16BE(++sequence & 0xffff, 2)
        if (hostile.sendRaw(media)) sent++
        if (isRtcp(feedback)) for (const line of lines) viewer.sendFeedback(line, feedback)
      }),
      { numRuns: Number(process.env.HOSTILE_RUNS ?? 1000) },
    )
    expect(sent).toBeGreaterThan(50)
    await expectCarried(all)
    expect(good.state).toBe('connected')
    expect(engines.warnings.filter((text) => /processing (a packet|feedback) failed/.test(text))).toEqual([])
  }, 600_000)

  it('harm no one when sent to the port without authorization', async () => {
    const all = await room()
    const [candidate = ''] = all.viewer.inbox.messages.flatMap((message) =>
      message.type === 'candidates' ? message.candidates : [],
    )
    const port = Number(/ udp \d+ [\d.]+ (\d+) /i.exec(candidate)?.[1])
    const socket = createSocket('udp4')
    endpoints.push({ close: () => socket.close() })
    // STUN, DTLS, SRTP and invalid datagrams
    const datagram = fc.tuple(fc.constantFrom(0, 1, 20, 22, 23, 64, 128, 144, 255), bytes)
    await fc.assert(
      fc.asyncProperty(datagram, async ([first, rest]) => {
        const text = Buffer.from(rest)
        text[0] = first
        if (first < 2) {
          // the length and magic cookie of a binding request
          text.writeUInt16BE(1, 0)
          text.writeUInt16BE(text.length - 20 > 0 ? text.length - 20 : 0, 2)
          text.writeUInt32BE(0x2112_a442, 4)
        }
        await new Promise((sent) => socket.send(text, port, '127.0.0.1', sent))
      }),
      { numRuns: Number(process.env.HOSTILE_RUNS ?? 1000) },
    )
    await expectCarried(all)
  }, 600_000)
})
