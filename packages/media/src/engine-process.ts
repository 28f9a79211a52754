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
 * Process of a media engine. Gets its options as its only argument and calls over its pipe. It has no secrets,
 * files or environment, because it decrypts and parses untrusted input.
 */

/** Milliseconds between two reports of unknown browsers. */
const strangersInterval = 1000
/** Milliseconds to send final messages to browsers. */
const farewell = 100
/** Higher scheduling priority, if permitted: late packets are as bad as lost ones. */
const priority = -5

let isOpen = true

function say(message: EngineMessage): void {
  // if the portal has just disappeared, this process exits too
  if (isOpen && process.connected) process.send?.(message, undefined, undefined, () => {})
}

function warn(text: string, error?: unknown): void {
  say({ warning: `${text}${error instanceof Error ? `: ${error.message}` : ''}`.slice(0, 500) })
}

function takeBetterPlace(): void {
  try {
    setPriority(priority)
  } catch {
    // not permitted: keep the default
  }
}

async function main(): Promise<void> {
  const options = engineOptions.parse(JSON.parse(process.argv[2] ?? '{}'))
  // the library throws if it has no log handler
  nodeDataChannel.initLogger('Error', (_, text) => warn(`library: ${text}`))
  nodeDataChannel.preload()
  const ports = await openPorts(options, strangersCounter())
  takeBetterPlace()
  // root privileges were only needed during start-up
  dropPrivileges()
  const traffic: Traffic = { packetsIn: 0, packetsOut: 0, bytesOut: 0, refused: 0, shed: 0 }
  const context: Context = {
    now: () => performance.now(),
    // the union of events isn't inferred through the type parameter
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
    // The library's threads notify the browsers. Its own clean-up may block forever, and so may an exit that
    // waits for those threads: this process would never end.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), farewell)
  }
  process.once('disconnect', leave)
  // the parent may have died before the listener was added
  if (!process.connected) leave()
  say({ ready: { run: crypto.randomUUID(), udpPort: ports.transport.udpPort } })
}

/** Reports the first packet of an unknown browser immediately, and further ones every second. */
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

// Ctrl-C reaches the portal as well, which stops this process when it is done
process.on('SIGINT', () => {})

try {
  await main()
} catch (error) {
  warn('the engine could not start', error)
  process.exitCode = 1
  if (process.connected) process.disconnect()
}
