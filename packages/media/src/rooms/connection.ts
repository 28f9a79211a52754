import nodeDataChannel, { type PeerConnection } from 'node-datachannel'
import { iceCredentials } from '../sdp/candidates.ts'
import type { Context } from './context.ts'

export type LibraryState = ReturnType<PeerConnection['state']>

/** A connection of the library on the port that all share, without candidates from the other side. */
export function openConnection(context: Context, name: string): PeerConnection {
  const { bindAddress, udpPort } = context.transport
  return new nodeDataChannel.PeerConnection(name, {
    iceServers: [],
    ...(bindAddress === undefined ? {} : { bindAddress }),
    // the answer would be made before we have seen the offer's lines
    disableAutoNegotiation: true,
    forceMediaTransport: true,
    enableIceUdpMux: true,
    portRangeBegin: udpPort,
    portRangeEnd: udpPort,
  })
}

/**
 * Makes the local description and returns it once the connection has its address. Throws when it is not the time
 * for that, as the library would end the process.
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

/** Lets the relay's way in sign for this connection; returns its name there. */
export function registerRelay(context: Context, sdp: string): string {
  const { ufrag, password } = iceCredentials(sdp)
  context.transport.relayPasswords.set(ufrag, password)
  return ufrag
}
