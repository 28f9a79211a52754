import { setPriority } from 'node:os'
import nodeDataChannel from 'node-datachannel'
import { dropPrivileges } from './drop-privileges.js'
import { type EngineCall, type EngineMessage, engineCall } from './engine-messages.ts'
import { engineOptions } from './engine-options.ts'
import { LoadMeter } from './load-meter.ts'
import { openPorts } from './open-ports.ts'
import { type Context, Pace, type Traffic } from './rooms/context.ts'
import { EngineCore } from './rooms/engine-core.ts'

/**
 * A media engine's process. It gets its options as its only argument, calls over its pipe, and has no secrets, no
 * files and no environment: what it decrypts and parses comes from strangers.
 */

/** Milliseconds of the first hint that strangers knock, and of those that follow. */
const strangersInterval = 1000
/** Milliseconds for the last words to browsers. */
const farewell = 100
/** A better place among the machine's processes, where we may: late packets are as bad as lost ones. */
const priority = -5

let isOpen = true

function say(message: EngineMessage): void {
  // the portal may have gone in this moment; then so do we
  if (isOpen && process.connected) process.send?.(message, undefined, undefined, () => {})
}

function warn(text: string, error?: unknown): void {
  say({ warning: `${text}${error instanceof Error ? `: ${error.message}` : ''}`.slice(0, 500) })
}

function takeBetterPlace(): void {
  try {
    setPriority(priority)
  } catch {
    // not allowed: it goes on as it is
  }
}

async function main(): Promise<void> {
  const options = engineOptions.parse(JSON.parse(process.argv[2] ?? '{}'))
  // without a function that takes its messages the library throws
  nodeDataChannel.initLogger('Error', (_, text) => warn(`library: ${text}`))
  nodeDataChannel.preload()
  const ports = await openPorts(options, strangersCounter())
  takeBetterPlace()
  // root was needed only to begin
  dropPrivileges()
  const traffic: Traffic = { packetsIn: 0, packetsOut: 0, bytesOut: 0, refused: 0, shed: 0 }
  const context: Context = {
    now: () => performance.now(),
    // the union of events is not seen through the type parameter
    emit: (event, detail) => say({ event, detail } as EngineMessage),
    warn,
    transport: ports.transport,
    traffic,
    pace: new Pace(),
  }
  const core = new EngineCore(context)
  const meter = new LoadMeter(traffic, () => ({ rooms: core.roomCount, peers: core.peerCount }))
  const timer = setInterval(() => say({ event: 'load', detail: meter.read() }), 1000)
  process.on('message', (message) => void take(core, message))
  const leave = () => {
    isOpen = false
    clearInterval(timer)
    core.close()
    ports.close()
    // The browsers are told by the library's threads. Its own clean-up may wait for ever, and so may an exit that
    // waits for those threads: nobody would be left to end this process.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), farewell)
  }
  process.once('disconnect', leave)
  // who started us may have died before anybody listened
  if (!process.connected) leave()
  say({ ready: { run: crypto.randomUUID(), udpPort: ports.transport.udpPort } })
}

/** Tells at once of the first browser of an earlier life, and of the others every second. */
function strangersCounter(): () => void {
  let packets = 0
  let timer: NodeJS.Timeout | undefined
  const tell = () => {
    timer = undefined
    if (packets === 0) return
    say({ event: 'strangers', detail: { packets } })
    packets = 0
    timer = setTimeout(tell, strangersInterval)
  }
  return () => {
    packets++
    if (timer === undefined) tell()
  }
}

async function take(core: EngineCore, message: unknown): Promise<void> {
  const parsed = engineCall.safeParse(message)
  if (!parsed.success) {
    warn('invalid call', parsed.error)
    return
  }
  const { id, call } = parsed.data
  try {
    say({ id, ok: true, value: (await run(core, call)) ?? null })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const known = code === 'unknown-room' || code === 'unknown-peer' ? code : 'failed'
    say({ id, ok: false, error: known, text: error instanceof Error ? error.message : String(error) })
  }
}

function run(core: EngineCore, call: EngineCall['call']) {
  switch (call.call) {
    case 'addRoom':
      return core.addRoom(call.room, call.options)
    case 'removeRoom':
      return core.removeRoom(call.room)
    case 'addPeer':
      return core.addPeer(call.peer, call.room, call.options)
    case 'removePeer':
      return core.removePeer(call.peer)
    case 'setRights':
      return core.setRights(call.peer, call.may)
    case 'setReceive':
      return core.setReceive(call.peer, call.receive)
    case 'setMuted':
      return core.setMuted(call.peer, call.source, call.muted)
    case 'requestKeyframe':
      return core.requestKeyframe(call.peer, call.source)
    case 'signal':
      return core.signal(call.peer, call.message)
    case 'stats':
      return core.stats(call.peer)
  }
}

// an interrupt at the terminal reaches the portal as well, which lets go of us when it is done
process.on('SIGINT', () => {})

try {
  await main()
} catch (error) {
  warn('the engine could not start', error)
  process.exitCode = 1
  if (process.connected) process.disconnect()
}
