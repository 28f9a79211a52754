import nodeDataChannel, { type PeerConnection } from 'node-datachannel'
import { iceCredentials } from '../sdp/candidates.ts'
import type { Context } from './context.ts'

export type LibraryState = ReturnType<PeerConnection['state']>

/** Opens a library connection on the shared port, without remote candidates. */
export function openConnection(context: Context, name: string): PeerConnection {
  const { bindAddress, udpPort } = context.transport
  return new nodeDataChannel.PeerConnection(name, {
    iceServers: [],
    ...(bindAddress === undefined ? {} : { bindAddress }),
    // the answer would be created before the offer's lines were processed
    disableAutoNegotiation: true,
    forceMediaTransport: true,
    enableIceUdpMux: true,
    portRangeBegin: udpPort,
    portRangeEnd: udpPort,
  })
}

/**
 * Creates the local description and returns it once the connection has its address. Throws in the wrong
 * signalling state, in which the library would end the process.
 */
export async function describe(connection: PeerConnection, type: 'offer' | 'answer'): Promise<string> {
  const state = connection.signalingState()
  const fits = type === 'answer' ? state === 'have-remote-offer' : state === 'stable'
  if (!fits) throw new Error(`can't create an ${type} in state ${state}`)
  connection.setLocalDescription(type)
  await gathered(connection)
  const description = connection.localDescription()
  if (description === null) throw new Error('the connection was closed')
  return description.sdp
}

function gathered(connection: PeerConnection): Promise<void> {
  return new Promise((done) => {
    connection.onGatheringStateChange((state) => {
      if (state === 'complete') done()
    })
    if (connection.gatheringState() === 'complete') done()
  })
}

/** Registers the connection's ICE password with the relay port, which signs for it; returns its ufrag. */
export function registerRelay(context: Context, sdp: string): string {
  const { ufrag, password } = iceCredentials(sdp)
  context.transport.relayPasswords.set(ufrag, password)
  return ufrag
}
