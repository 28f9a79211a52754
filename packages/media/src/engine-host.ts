import { hostname } from 'node:os'
import { WebSocket } from 'ws'
import { z } from 'zod'
import type { Channel } from './channel.ts'
import type { EngineClient } from './engine-client.ts'
import { LocalEngines } from './local-engines.ts'
import { engineHostSettings } from './media-settings.ts'
import { socketChannel } from './socket-channel.ts'

/**
 * Runs media engines on a separate host. Each registers with the portal and serves it like a local engine. The
 * secret stays in this process and is not passed to the engines. If a connection breaks, its engine is ended,
 * because the portal has already moved the rooms, and a new one starts.
 */

/** Milliseconds between attempts to connect to the portal. */
const retry = 1000

function warn(text: string): void {
  process.stderr.write(`${text}\n`)
}

function main(): void {
  const parsed = z.object(engineHostSettings).safeParse(process.env)
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) warn(`${path.join('.')}: ${message}`)
    process.exitCode = 1
    return
  }
  const settings = parsed.data
  const engines = new LocalEngines({
    name: settings.MEET_HOST_NAME ?? hostname(),
    count: settings.MEET_ENGINES,
    udpPort: settings.MEET_UDP_PORT,
    bindAddress: settings.MEET_BIND_ADDRESS,
    announced: settings.MEET_ANNOUNCED_ADDRESS,
    relays: settings.MEET_RELAYS,
    onEngine: (engine, channel) =>
      register(engine, channel, { url: settings.MEET_PORTAL_URL, token: settings.MEET_ENGINE_TOKEN }),
    warn,
  })
  engines.start()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void engines.stop().then(() => process.exit(0)))
  }
}

/** Connects an engine to the portal; retries until it succeeds or the engine ends. */
function register(
  engine: EngineClient,
  channel: Channel,
  portal: { readonly url: string; readonly token: string },
): void {
  const socket = new WebSocket(portal.url, {
    headers: { authorization: `Bearer ${portal.token}`, 'x-engine': engine.id },
  })
  let opened = false
  socket.on('error', (error) => warn(`engine ${engine.id}: can't connect to the portal: ${error.message}`))
  socket.once('open', () => {
    opened = true
    const portalChannel = socketChannel(socket)
    portalChannel.send({ ready: { run: engine.run, udpPort: 0 } })
    portalChannel.onMessage((message) => channel.send(message))
    channel.onMessage((message) => portalChannel.send(message))
    warn(`engine ${engine.id} serves ${portal.url}`)
  })
  socket.once('close', () => {
    if (opened) channel.close()
    else if (engine.alive) setTimeout(() => register(engine, channel, portal), retry)
  })
  channel.onClose(() => socket.terminate())
}

main()
