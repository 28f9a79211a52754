import { readdirSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { MediaEngines } from './media-engines.ts'
import { negativeAcknowledgement, pictureLoss } from './packets/rtcp.ts'
import { headerLength } from './packets/rtp.ts'
import { ahead } from './packets/sequence.ts'
import { emptyDescriptor, readVp8 } from './packets/vp8.ts'
import { keyFrameInterval } from './streams/key-frame-request.ts'
import { useEngines } from './testing/engines.ts'
import { type ReceivedPacket, SyntheticPublisher, SyntheticReceiver } from './testing/synthetic-endpoint.ts'

const engines = useEngines()
const endpoints: { close(): void }[] = []

afterEach(() => {
  for (const endpoint of endpoints.splice(0)) endpoint.close()
})

async function publisher(
  running: MediaEngines,
  peer: string,
  options: { readonly layers?: number } = {},
): Promise<SyntheticPublisher> {
  await running.rooms.addPeer(peer, 'room', { may: ['mic', 'cam'] })
  const one = new SyntheticPublisher(running.rooms, peer, options.layers)
  endpoints.push(one)
  await one.publish()
  return one
}

async function receiver(running: MediaEngines, peer: string): Promise<SyntheticReceiver> {
  await running.rooms.addPeer(peer, 'room', { may: [] })
  const one = new SyntheticReceiver(running.rooms, peer)
  endpoints.push(one)
  await one.join()
  return one
}

async function room(receivers: number, options: { readonly layers?: number } = {}) {
  const running = await engines.start()
  await running.rooms.addRoom('room')
  const sender = await publisher(running, 'sender', options)
  const all: SyntheticReceiver[] = []
  for (let index = 0; index < receivers; index++) all.push(await receiver(running, `r${index}`))
  return { running, sender, receivers: all }
}

const patience = { timeout: 30_000, interval: 10 }

/** Sends frames until a receiver has got one, i.e. the whole path is open. */
async function untilSeen(sender: SyntheticPublisher, receivers: readonly SyntheticReceiver[], layer = 0) {
  await vi.waitFor(() => {
    sender.sendPicture({ layer, key: true })
    for (const one of receivers) expect(one.packetsOf(sender.peer, 'cam').length).toBeGreaterThan(0)
  }, patience)
}

function expectContinuous(packets: readonly ReceivedPacket[]): void {
  const video = emptyDescriptor()
  let before: { sequence: number; picture: number; base: number; timestamp: number } | undefined
  for (const { sequence, timestamp, packet } of packets) {
    // padding is part of the stream but contains no frame
    if (((packet[0] ?? 0) & 0x20) !== 0) {
      if (before !== undefined) expect(ahead(sequence, before.sequence)).toBe(1)
      before = before === undefined ? undefined : { ...before, sequence }
      continue
    }
    readVp8(packet, headerLength(packet), video)
    if (before !== undefined) {
      expect(ahead(sequence, before.sequence)).toBe(1)
      expect((video.pictureId - before.picture) & 0x7fff).toBe(1)
      expect((video.baseIndex - before.base) & 0xff).toBe(1)
      expect((timestamp - before.timestamp) >>> 0).toBeLessThan(2 ** 31)
    }
    before = { sequence, picture: video.pictureId, base: video.baseIndex, timestamp }
  }
}

describe('a room', () => {
  it('delivers everything that a peer sends to all others, in order and without gaps', async () => {
    const { sender, receivers } = await room(8)
    await untilSeen(sender, receivers)
    const before = receivers.map((one) => one.packetsOf('sender', 'cam').length)
    // no faster than they arrive, so as not to test this machine's own buffers
    for (let sent = 20; sent <= 200; sent += 20) {
      for (let picture = 0; picture < 20; picture++) sender.sendPicture()
      await vi.waitFor(() => {
        for (const [index, one] of receivers.entries())
          expect(one.packetsOf('sender', 'cam').length).toBeGreaterThanOrEqual((before[index] ?? 0) + sent)
      }, patience)
    }
    for (const one of receivers) expectContinuous(one.packetsOf('sender', 'cam'))
  }, 90_000)

  it('switches layers without a gap, at a keyframe of the new one', async () => {
    const { running, sender, receivers } = await room(1, { layers: 2 })
    const [viewer] = receivers
    if (viewer === undefined) throw new Error('nobody came')
    await untilSeen(sender, receivers)
    const widths = async (tile: number, layer: number) => {
      await viewer.show([{ peer: 'sender', source: 'cam', width: tile, height: (tile * 9) / 16 }])
      await vi.waitFor(async () => {
        for (const each of [0, 1]) sender.sendPicture({ layer: each, key: true })
        const stats = await running.rooms.stats('r0')
        expect(stats?.slots.find(({ source }) => source === 'cam')).toMatchObject({ layer })
      }, patience)
    }
    await widths(640, 1)
    await widths(320, 0)
    await widths(640, 1)
    expectContinuous(viewer.packetsOf('sender', 'cam'))
    const video = emptyDescriptor()
    const sizes = viewer.packetsOf('sender', 'cam').map(({ packet }) => {
      readVp8(packet, headerLength(packet), video)
      return video.width
    })
    expect(new Set(sizes.filter((width) => width > 0))).toEqual(new Set([320, 640]))
  }, 90_000)

  it('requests missing packets from the sender and forwards them when they arrive', async () => {
    const { sender, receivers } = await room(2)
    await untilSeen(sender, receivers)
    const missing = sender.sendPicture({ hold: true, size: 777 })
    sender.sendPicture()
    await vi.waitFor(() => expect(sender.asked).toContain(missing), patience)
    sender.sendHeld()
    for (const one of receivers) {
      await vi.waitFor(() => {
        const packets = one.packetsOf('sender', 'cam')
        const late = packets.findIndex(({ packet }) => packet.length < 900 && packet.length > 700)
        expect(late).toBeGreaterThan(0)
        // it fills the gap that was left for it
        const [before, there] = [packets[late - 1], packets[late]]
        expect(ahead(before?.sequence ?? 0, there?.sequence ?? 0)).toBe(1)
      }, patience)
    }
  }, 90_000)

  it("retransmits a receiver's lost packets without asking the sender", async () => {
    const { running, sender, receivers } = await room(1)
    await untilSeen(sender, receivers)
    const [viewer] = receivers
    const mid = viewer?.midOf('sender', 'cam') ?? ''
    const last = viewer?.packetsOf('sender', 'cam').at(-1)?.packet
    if (viewer === undefined || last === undefined) throw new Error('nothing came')
    const asked = negativeAcknowledgement(1, last.readUInt32BE(8), [last.readUInt16BE(2)])
    viewer.sendFeedback(mid, asked)
    await vi.waitFor(async () => {
      const stats = await running.rooms.stats('r0')
      expect(stats?.slots.find((slot) => slot.mid === mid)?.resent).toBe(1)
    }, patience)
    expect(sender.asked).toEqual([])
  }, 90_000)

  it('requests one keyframe if many receivers need one', async () => {
    const { running, sender, receivers } = await room(6)
    await untilSeen(sender, receivers)
    const sent = async () =>
      (await running.rooms.stats('sender'))?.sources[1]?.layers[0]?.keyframeRequests ?? 0
    const before = await sent()
    const began = performance.now()
    for (const one of receivers) {
      const ssrc = one.packetsOf('sender', 'cam')[0]?.packet.readUInt32BE(8) ?? 0
      for (let index = 0; index < 5; index++)
        one.sendFeedback(one.midOf('sender', 'cam') ?? '', pictureLoss(1, ssrc))
    }
    // one immediately if the last one is old enough, and one for all later requests
    await vi.waitFor(async () => expect(await sent()).toBeGreaterThan(before), patience)
    const after = await sent()
    const intervals = (performance.now() - began) / keyFrameInterval
    expect(after - before).toBeLessThanOrEqual(2 + intervals)
    expect(sender.keyFrameRequests).toBeGreaterThan(0)
  }, 90_000)

  it('reports active speakers', async () => {
    const { running, sender } = await room(1)
    const other = await publisher(running, 'other')
    const told: string[][] = []
    running.rooms.on('speakers', ({ speakers }) => told.push(speakers.map(({ peer }) => peer)))
    await vi.waitFor(() => {
      sender.sendSound(20)
      other.sendSound(110)
      expect(told.at(-1)).toEqual(['sender'])
    }, patience)
    await vi.waitFor(() => {
      sender.sendSound(127)
      other.sendSound(10)
      expect(told.at(-1)).toEqual(['other'])
    }, patience)
  }, 90_000)

  it("limits a receiver's voices and videos, and selects the most relevant", async () => {
    const running = await engines.start()
    await running.rooms.addRoom('room', { maxVoices: 1, maxVideos: 1 })
    const ann = await publisher(running, 'ann')
    const bob = await publisher(running, 'bob')
    const viewer = await receiver(running, 'viewer')
    const mics = () => ['ann', 'bob'].filter((peer) => viewer.midOf(peer, 'mic') !== undefined)
    const cams = () => ['ann', 'bob'].filter((peer) => viewer.midOf(peer, 'cam') !== undefined)
    expect(mics()).toHaveLength(1)
    expect(cams()).toHaveLength(1)
    await vi.waitFor(() => {
      bob.sendSound(10)
      ann.sendSound(120)
      expect(mics()).toEqual(['bob'])
    }, patience)
    await viewer.show([{ peer: 'ann', source: 'cam', width: 320, height: 180 }])
    await vi.waitFor(() => expect(cams()).toEqual(['ann']), patience)
  }, 90_000)
})

describe('rights', () => {
  it('reject a source that a peer may not send', async () => {
    const running = await engines.start()
    await running.rooms.addRoom('room')
    await running.rooms.addPeer('guest', 'room', { may: ['mic'] })
    const guest = new SyntheticPublisher(running.rooms, 'guest')
    endpoints.push(guest)
    expect(await guest.publish()).toBe('not-allowed')
    expect((await running.rooms.stats('guest'))?.sources).toEqual([])
  })

  it('reject invalid messages and continue', async () => {
    const running = await engines.start()
    await running.rooms.addRoom('room')
    await running.rooms.addPeer('guest', 'room', { may: ['mic', 'cam'] })
    const guest = new SyntheticPublisher(running.rooms, 'guest')
    endpoints.push(guest)
    await running.rooms.signal('guest', { type: 'start', epoch: 1, relay: false })
    for (const sdp of ['', 'v=0', 'x'.repeat(60_000), 'm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\n']) {
      const failed = guest.inbox.next('publishFailed')
      await running.rooms.signal('guest', {
        type: 'publish',
        epoch: 1,
        n: 1,
        sdp,
        tracks: [{ mid: '0', source: 'mic' }],
      })
      expect(await failed).toMatchObject({ reason: 'malformed' })
    }
    await running.rooms.signal('guest', { type: 'answer', epoch: 1, n: 1, sdp: 'nonsense' })
    await running.rooms.signal('guest', {
      type: 'layers',
      epoch: 1,
      n: 1,
      tracks: [{ mid: '0', layers: [{ rid: 'l', ssrc: 5 }] }],
    })
    expect(running.pool.engines[0]?.alive).toBe(true)
    expect(await guest.publish()).toBe('published')
  })

  it('stop a revoked source immediately, and disconnect a sender that continues', async () => {
    const { running, sender, receivers } = await room(1)
    await untilSeen(sender, receivers)
    const gone: unknown[] = []
    running.rooms.on('unpublished', ({ peer, source, reason }) => gone.push([peer, source, reason]))
    await running.rooms.setRights('sender', ['mic'])
    expect(gone).toEqual([['sender', 'cam', 'withdrawn']])
    const sent = async () => (await running.rooms.stats('r0'))?.slots.map(({ packets }) => packets)
    const before = await sent()
    const restarted = sender.inbox.next('restart')
    const timer = setInterval(() => sender.sendPicture({ key: true }), 20)
    await restarted
    clearInterval(timer)
    expect(await sent()).toEqual(before)
    await vi.waitFor(async () => expect((await running.rooms.stats('sender'))?.sources).toEqual([]), patience)
  }, 90_000)
})

describe('an engine', () => {
  it('restarts immediately after it was killed, along with its rooms', async () => {
    const began = performance.now()
    await engines.start()
    const start = performance.now() - began
    const { running } = await room(1)
    const [first] = running.pool.engines
    const closed: string[] = []
    first?.on('closed', ({ reason }) => closed.push(reason))
    const restarted = new Promise<void>((done) => {
      running.rooms.on('toPeer', ({ peer, message }) => {
        if (peer === 'r0' && message.type === 'restart' && message.reason === 'engine') done()
      })
    })
    const killed = performance.now()
    process.kill(running.processes[0] ?? 0, 'SIGKILL')
    await restarted
    // relative to the start-up time of a process on this machine, a fifth of a second on an idle one
    expect(performance.now() - killed).toBeLessThan(500 + 2 * start)
    expect(closed).toEqual(['SIGKILL'])
    expect(first?.alive).toBe(false)
    await expect(first?.removePeer('r0')).rejects.toThrow(/gone/)
    const [second] = running.pool.engines
    expect(second).toMatchObject({ id: first?.id, alive: true })
    expect(second?.run).not.toBe(first?.run)
    expect(await running.rooms.stats('r0')).toMatchObject({ room: 'room', receive: null })
  }, 90_000)

  it('that is killed under load notifies everyone and carries their media again', async () => {
    const { running, sender, receivers } = await room(20)
    await untilSeen(sender, receivers)
    const told = new Set<string>()
    running.rooms.on('toPeer', ({ peer, message }) => {
      if (message.type === 'restart' && message.reason === 'engine') told.add(peer)
    })
    const timer = setInterval(() => {
      for (let picture = 0; picture < 5; picture++) sender.sendPicture()
    }, 10)
    endpoints.push({ close: () => clearInterval(timer) })
    process.kill(running.processes[0] ?? 0, 'SIGKILL')
    await vi.waitFor(() => expect(told.size).toBe(21), patience)
    for (const endpoint of endpoints.splice(0)) endpoint.close()
    // as browsers do when told to restart; the portal has re-added them
    const again = new SyntheticPublisher(running.rooms, 'sender')
    endpoints.push(again)
    expect(await again.publish()).toBe('published')
    const back = receivers.map(({ peer }) => new SyntheticReceiver(running.rooms, peer))
    endpoints.push(...back)
    await Promise.all(back.map((one) => one.join()))
    await untilSeen(again, back)
  }, 90_000)

  it('reports browsers that use connections of a previous process', async () => {
    const { running } = await room(1)
    const strangers = new Promise((done) => running.pool.onEngine((engine) => engine.on('strangers', done)))
    process.kill(running.processes[0] ?? 0, 'SIGKILL')
    expect(await strangers).toMatchObject({ packets: expect.any(Number) })
  }, 90_000)

  it('frees everything of peers who left', async () => {
    const { running, sender, receivers } = await room(1)
    await untilSeen(sender, receivers)
    const [engine] = running.pool.engines
    const pid = running.processes[0] ?? 0
    const handles = () => ({
      files: readdirSync(`/proc/${pid}/fd`).length,
      threads: readdirSync(`/proc/${pid}/task`).length,
    })
    const churn = async (round: number) => {
      const guest = await publisher(running, `guest-${round}`)
      // every third one leaves while it is connecting
      const viewer =
        round % 3 === 0
          ? running.rooms
              .addPeer(`viewer-${round}`, 'room', { may: [] })
              .then(() => running.rooms.signal(`viewer-${round}`, { type: 'start', epoch: 1, relay: false }))
          : receiver(running, `viewer-${round}`)
      await viewer
      for (let picture = 0; picture < 20; picture++) guest.sendPicture({ key: true })
      await running.rooms.removePeer(`guest-${round}`)
      await running.rooms.removePeer(`viewer-${round}`)
      for (const endpoint of endpoints.splice(3)) endpoint.close()
    }
    const load = () =>
      new Promise<number>((done) => {
        const stop = engine?.on('load', ({ memory }) => {
          stop?.()
          done(memory)
        })
      })
    endpoints.length = 0
    endpoints.push(sender, ...receivers, { close: () => {} })
    for (let round = 0; round < 15; round++) await churn(round)
    const before = { ...handles(), memory: await load() }
    for (let round = 15; round < 45; round++) await churn(round)
    await vi.waitFor(
      () => expect(handles()).toEqual({ files: before.files, threads: before.threads }),
      patience,
    )
    expect((await load()) - before.memory).toBeLessThan(12e6)
    expect(engine?.load).toMatchObject({ rooms: 1, peers: 2 })
  }, 180_000)
})
