import { createSocket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import nodeDataChannel from 'node-datachannel'
import type { z } from 'zod'
import type { engineOptions } from './engine-options.ts'
import { openRelayWay } from './relay/relay-way.ts'
import type { TransportOptions } from './rooms/context.ts'
import type { Announced } from './sdp/candidates.ts'

export interface OpenPorts {
  readonly transport: TransportOptions
  close(): void
}

/**
 * Binds the port that all connections share before any exists, so that a port in use is an error here instead
 * of ending the process later. Calls `onStranger` for each browser that addresses an unknown connection.
 */
export async function openPorts(
  options: z.output<typeof engineOptions>,
  onStranger: () => void,
): Promise<OpenPorts> {
  const { bindAddress } = options
  const listener = await listen(options)
  listener.onUnhandledStunRequest(onStranger)
  const udpPort = listener.port()
  const announce = (port: number): Announced[] =>
    addresses(options).map((address) => ({ address, port: options.announcedPort ?? port }))
  const relayPasswords = new Map<string, string>()
  const relay =
    options.relayPort === undefined
      ? undefined
      : await openRelayWay({
          bindAddress,
          port: options.relayPort,
          target: { address: bindAddress ?? '127.0.0.1', port: udpPort },
          passwordOf: (ufrag) => relayPasswords.get(ufrag),
        })
  const transport: TransportOptions = {
    bindAddress,
    udpPort,
    announced: announce(udpPort),
    relayAnnounced:
      relay === undefined ? [] : addresses(options).map((address) => ({ address, port: relay.port })),
    relayPasswords,
  }
  return {
    transport,
    close: () => {
      listener.stop()
      relay?.close()
    },
  }
}

async function listen({ udpPort, orAnotherPort, bindAddress }: z.output<typeof engineOptions>) {
  // the library's own log message about a port in use looks fatal
  const isUsual = udpPort !== 0 && (!orAnotherPort || (await isFree(udpPort, bindAddress)))
  const port = isUsual ? udpPort : await freePort(bindAddress)
  try {
    return new nodeDataChannel.IceUdpMuxListener(port, bindAddress)
  } catch (error) {
    throw new Error(`UDP port ${port} is already in use`, { cause: error })
  }
}

async function isFree(port: number, address: string | undefined): Promise<boolean> {
  try {
    await boundPort(port, address)
    return true
  } catch {
    return false
  }
}

function freePort(address: string | undefined): Promise<number> {
  return boundPort(0, address)
}

/** Binds a port briefly (0 for any) and returns its number. Rejects if it is in use. */
async function boundPort(wanted: number, address: string | undefined): Promise<number> {
  const socket = createSocket(address?.includes(':') ? 'udp6' : 'udp4')
  await new Promise<void>((bound, fail) => {
    socket.once('error', fail)
    socket.bind({ port: wanted, exclusive: true, ...(address === undefined ? {} : { address }) }, bound)
  })
  const { port } = socket.address()
  await new Promise<void>((closed) => socket.close(closed))
  return port
}

/**
 * Addresses announced to browsers: the operator's setting, or else where we listen; this machine's own address
 * last.
 */
function addresses({ announced, bindAddress }: z.output<typeof engineOptions>): string[] {
  if (announced.length > 0) return announced
  if (bindAddress !== undefined) return [bindAddress]
  const found = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  // link-local addresses need a zone, which ICE candidates can't have
  const usable = found.filter(({ address }) => !/^fe80:/i.test(address))
  const outside = usable.filter(({ internal }) => !internal).map(({ address }) => address)
  const inside = usable.filter(({ internal }) => internal).map(({ address }) => address)
  return [...outside, ...inside]
}
