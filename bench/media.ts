import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { MediaEngines } from '../packages/media/src/media-engines.ts'
import { mediaSettings } from '../packages/media/src/media-settings.ts'
import { ahead } from '../packages/media/src/packets/sequence.ts'
import { BrowserMeeting, browserPath } from '../packages/media/src/testing/browser-meeting.ts'
import {
  type SignalingPort,
  SyntheticPublisher,
  SyntheticReceiver,
} from '../packages/media/src/testing/synthetic-endpoint.ts'
import { JanusRoom, janusProgram } from './janus-room.ts'
import { type Benchmark, median, type Result, spread } from './result.ts'
import { root } from './server-process.ts'

/** Listeners of one speaker. */
const receivers = 50
/** Each figure is measured up to `most` times on new engines; no round starts after `seconds`. */
const rounds = { most: 3, seconds: 40 }
/**
 * Seconds before a measurement, for simulcast layers to settle and the JIT to warm up, and of the measurement.
 */
const lengths = { settling: 3, measured: 5 }
/**
 * Frames per second, each one packet of about 1100 bytes. Senders and receivers share this machine: if they
 * can't keep up with the highest rate, the next one is tried.
 */
const rates = { forwarding: [1250, 850, 400, 150], comparison: 350 }
const joins = 10
const names = Array.from({ length: receivers }, (_, index) => `receiver-${index}`)
/** Timeout for connections, in seconds. */
const patience = 30
/** Clock ticks per second in `/proc/<pid>/stat`. */
const clockTicks = 100

/**
 * Media forwarding by one engine, compared with Janus, and the time until a browser shows another participant.
 */
export const media: Benchmark = {
  name: 'media',
  async run() {
    const results: Result[] = [await forwarding(), await comingBack()]
    if (janusProgram === undefined) process.stdout.write('Janus is not installed: skipping the comparison\n')
    else results.push(await besideJanus())
    if (browserPath === undefined) process.stdout.write('Chromium is not installed: skipping the join test\n')
    else results.push(await joining())
    return results
  },
}

interface Measured {
  /** Packets received per second. */
  readonly rate: number
  /** CPU cores used by the engine. */
  readonly cores: number
  readonly lost: number
}

/** The highest rate without loss in each round. */
async function forwarding(): Promise<Result> {
  const whole: Measured[] = []
  const lossy: Measured[] = []
  let next = 0
  for (const _ of repeated()) {
    for (let index = next; index < rates.forwarding.length; index++) {
      await using engines = await startEngines()
      const rate = rates.forwarding[index] ?? 0
      const measured = await measure(engines.rooms, engines.processes[0] ?? 0, rate, '127.0.0.1')
      const isWhole = measured.lost === 0
      ;(isWhole ? whole : lossy).push(measured)
      // don't retry a rate that was too high
      next = index
      if (isWhole) break
    }
  }
  const perCore = whole.map(({ rate, cores }) => rate / cores)
  const carried = whole.map(({ rate }) => rate)
  const failures = lossy.map(({ rate, lost }) => `; ${Math.round(rate)} packets/s lost ${lost}`).join('')
  return {
    what: 'media packets forwarded per core without loss',
    value: whole.length === 0 ? 0 : median(perCore),
    unit: '/s',
    bar: { at: 'least', limit: 40_000 },
    detail:
      whole.length === 0
        ? `packet loss in every round${failures}`
        : `per core ${spread(perCore, 0)} in ${whole.length} rounds, ${spread(carried, 0)} packets/s forwarded from one sender to ${receivers} receivers${failures}`,
  }
}

/** Alternates between both, so that they run under the same load. */
async function besideJanus(): Promise<Result> {
  const address = outsideAddress()
  const ours: number[] = []
  const theirs: number[] = []
  for (const _ of repeated()) {
    await using engines = await startEngines(address)
    ours.push(perPacket(await measure(engines.rooms, engines.processes[0] ?? 0, rates.comparison, address)))
    await using janus = await JanusRoom.start()
    theirs.push(perPacket(await measure(janus, janus.pid, rates.comparison, address)))
  }
  return {
    what: 'CPU time per forwarded packet vs. Janus',
    value: median(ours) / median(theirs),
    unit: '×',
    bar: { at: 'most', limit: 1 },
    detail: `µs per packet: ours ${spread(ours, 1)}, Janus ${spread(theirs, 1)}; one sender, ${receivers} receivers`,
  }
}

/** CPU time per packet in microseconds. */
function perPacket({ rate, cores }: Measured): number {
  return (cores / rate) * 1e6
}

/** A non-loopback address, because Janus ignores loopback. */
function outsideAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'
}

async function startEngines(bindAddress = '127.0.0.1'): Promise<MediaEngines> {
  const settings = z.object(mediaSettings).parse({ MEET_UDP_PORT: '0', MEET_BIND_ADDRESS: bindAddress })
  const engines = new MediaEngines({
    settings,
    warn: (text) => process.stderr.write(`${text}\n`),
    script: join(root, 'packages/media/dist/engine-process.js'),
  })
  const ready = new Promise<void>((done) => engines.pool.onEngine(() => done()))
  engines.start()
  await ready
  return engines
}

function* repeated(most = rounds.most): Generator<number> {
  const end = performance.now() + rounds.seconds * 1000
  for (let round = 0; round < most && (round === 0 || performance.now() < end); round++) yield round
}

type Port = SignalingPort | MediaEngines['rooms']

/** One sender and many receivers in this process; the engine runs in another. */
async function measure(port: Port, pid: number, rate: number, address: string): Promise<Measured> {
  if ('addRoom' in port) {
    await port.addRoom('room')
    await port.addPeer('sender', 'room', { may: ['mic', 'cam'] })
    for (const name of names) await port.addPeer(name, 'room', { may: [] })
  }
  await using company = await meet(port, rate, address)
  await pause(lengths.settling)
  for (const counter of company.counters) counter.reset()
  const before = { at: performance.now(), cpu: await cpuSeconds(pid) }
  await pause(lengths.measured)
  const elapsed = (performance.now() - before.at) / 1000
  const cores = ((await cpuSeconds(pid)) - before.cpu) / elapsed
  const got = company.counters.reduce((sum, { packets }) => sum + packets, 0)
  const lost = company.counters.reduce((sum, counter) => sum + counter.lost, 0)
  return { rate: got / elapsed, cores, lost }
}

interface Company extends AsyncDisposable {
  readonly counters: readonly Counter[]
}

/** Connects all participants, who are already admitted, and starts sending. */
async function meet(port: Port, rate: number, address: string): Promise<Company> {
  const sender = new SyntheticPublisher(port, 'sender', 1, address)
  const published = await withPatience(sender.publish(), 'the sender did not connect')
  if (published !== 'published') throw new Error(`publishing was refused: ${published}`)
  const counters: Counter[] = []
  const listeners = names.map((name) => {
    const listener = new SyntheticReceiver(port, name, address)
    const counter = new Counter()
    listener.onPacket = (mid, packet) => counter.note(mid, packet)
    counters.push(counter)
    return listener
  })
  await withPatience(
    Promise.all(listeners.map((listener) => listener.join())),
    'the receivers do not connect',
  )
  const stop = sendEvenly(sender, rate)
  return {
    counters,
    async [Symbol.asyncDispose]() {
      stop()
      for (const listener of listeners) listener.close()
      sender.close()
    },
  }
}

/** Time from the end of an engine under load until its last receiver gets frames from the replacement. */
async function comingBack(): Promise<Result> {
  const times: number[] = []
  for (const _ of repeated()) {
    await using engines = await startEngines()
    const { rooms } = engines
    await rooms.addRoom('room')
    await rooms.addPeer('sender', 'room', { may: ['mic', 'cam'] })
    for (const name of names) await rooms.addPeer(name, 'room', { may: [] })
    const before = await meet(rooms, rates.comparison, '127.0.0.1')
    await pause(1)
    const told = new Set<string>()
    const allTold = new Promise<void>((done) => {
      rooms.on('toPeer', ({ peer, message }) => {
        if (message.type === 'restart' && told.add(peer).size > names.length) done()
      })
    })
    const killed = performance.now()
    process.kill(engines.processes[0] ?? 0, 'SIGKILL')
    await withPatience(allTold, 'receivers were not told to reconnect')
    await before[Symbol.asyncDispose]()
    await using after = await meet(rooms, rates.comparison, '127.0.0.1')
    while (after.counters.some(({ packets }) => packets === 0)) await pause(0.01)
    times.push((performance.now() - killed) / 1000)
  }
  return {
    what: 'time until all receivers have video again after an engine is killed',
    value: median(times),
    unit: 's',
    bar: { at: 'most', limit: 3 },
    detail: `${spread(times)} s, ${receivers} receivers, process killed while forwarding ${receivers * rates.comparison} packets/s`,
  }
}

class Counter {
  packets = 0
  lost = 0
  readonly #last = new Map<string, number>()

  note(mid: string, packet: Buffer): void {
    this.packets++
    const sequence = packet.readUInt16BE(2)
    const last = this.#last.get(mid)
    const distance = last === undefined ? 1 : ahead(sequence, last)
    // a packet that arrives late was counted as lost
    if (distance > 0) {
      this.lost += distance - 1
      this.#last.set(mid, sequence)
    } else this.lost--
  }

  reset(): void {
    this.packets = 0
    this.lost = 0
  }
}

/** Sends frames at an even pace, even if the timer is late. Answers key frame requests with a key frame. */
function sendEvenly(sender: SyntheticPublisher, rate: number): () => void {
  const began = performance.now()
  let sent = 0
  let asked = -1
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * rate
    for (; sent < due; sent++) {
      const key = sender.keyFrameRequests !== asked
      asked = sender.keyFrameRequests
      sender.sendPicture({ key, size: 1060 })
    }
  }, 5)
  return () => clearInterval(timer)
}

async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / clockTicks
}

async function withPatience<T>(work: Promise<T>, problem: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(problem)), patience * 1000)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function pause(length: number): Promise<void> {
  return new Promise((done) => setTimeout(done, length * 1000))
}

/** Time from joining a meeting, with the page already loaded, to the first frame of another participant. */
async function joining(): Promise<Result> {
  await using engines = await startEngines()
  const client = join(root, 'packages/web/src/features/meet/media/meet-media.ts')
  const meeting = await BrowserMeeting.open(engines.rooms, client)
  try {
    const speaker = await meeting.join()
    await speaker.run(`devices(['mic', 'cam']).then((tracks) => meet.publish(tracks))`)
    const times: number[] = []
    for (const _ of repeated(joins)) {
      const began = performance.now()
      const listener = await meeting.join()
      await listener.page.waitForFunction(
        '[...document.querySelectorAll("video")].some((one) => one.videoWidth > 0)',
        {
          polling: 10,
        },
      )
      times.push(performance.now() - began)
      await listener.page.context().close()
    }
    return {
      what: 'time from joining a meeting to the first video frame of another participant',
      value: median(times) / 1000,
      unit: 's',
      bar: { at: 'most', limit: 1.5 },
      detail: `${spread(times, 0)} ms, with a new browser profile each time`,
    }
  } finally {
    await meeting.close()
  }
}
