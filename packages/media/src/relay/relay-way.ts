import { createSocket, type Socket } from 'node:dgram'
import { localUfrag, mendTieBreaker } from '../packets/stun.ts'

/** Milliseconds without a packet after which a sender is removed. */
const idle = 30_000
/** Maximum concurrent senders. */
const maxSenders = 2000
const receiveBuffer = 1 << 20

export interface RelayWayOptions {
  readonly bindAddress: string | undefined
  readonly port: number
  /** The port shared by all connections. */
  readonly target: { readonly address: string; readonly port: number }
  /** ICE password of the connection with this ufrag; undefined if it doesn't use a relay. */
  readonly passwordOf: (ufrag: string) => string | undefined
}

export interface RelayWay {
  readonly port: number
  close(): void
}

/**
 * A second UDP port in front of the library's, for browsers behind a relay: fixes their requests
 * (`mendTieBreaker`) and forwards everything else unchanged. Each sender has its own socket to the library, so
 * that the library can distinguish them.
 */
export async function openRelayWay(options: RelayWayOptions): Promise<RelayWay> {
  const family = options.bindAddress?.includes(':') ? 'udp6' : 'udp4'
  const front = createSocket({ type: family, recvBufferSize: receiveBuffer })
  const senders = new Map<string, { readonly socket: Socket; at: number }>()
  await new Promise<void>((bound, fail) => {
    front.once('error', fail)
    front.bind(options.port, options.bindAddress, bound)
  })
  front.on('error', () => {})
  front.on('message', (packet, from) => {
    const key = `${from.address} ${from.port}`
    let sender = senders.get(key)
    if (sender === undefined) {
      // only senders that know the ufrag of a relayed connection get a socket
      if (senders.size >= maxSenders || options.passwordOf(localUfrag(packet)) === undefined) return
      const socket = createSocket({ type: family, recvBufferSize: receiveBuffer })
      socket.on('error', () => {})
      socket.on('message', (answer) => front.send(answer, from.port, from.address))
      sender = { socket, at: 0 }
      senders.set(key, sender)
    }
    sender.at = performance.now()
    const mended = mendTieBreaker(packet, options.passwordOf)
    sender.socket.send(mended, options.target.port, options.target.address)
  })
  const timer = setInterval(() => {
    for (const [key, { socket, at }] of senders) {
      if (performance.now() - at < idle) continue
      socket.close()
      senders.delete(key)
    }
  }, 5000)
  return {
    port: front.address().port,
    close: () => {
      clearInterval(timer)
      front.close()
      for (const { socket } of senders.values()) socket.close()
    },
  }
}
