import type { PeerStats, SlotStats, SourceStats } from '../engine.ts'
import type { Peer } from './peer.ts'
import type { Producer } from './producer.ts'
import type { Slot } from './slot.ts'

/** Current statistics of a peer's media. */
export function describePeer(peer: Peer, now: number): PeerStats {
  const estimate = peer.receiving?.estimate
  return {
    room: peer.room,
    send: peer.sendState,
    receive: peer.receiveState,
    relay: peer.relay,
    downlink: {
      acknowledged: estimate?.acknowledged ?? 0,
      queue: estimate?.queue ?? 0,
      loss: estimate?.loss ?? 0,
    },
    sources: peer.producers.map((producer) => describeSource(producer, now)),
    slots: peer.receiving?.slots.map(describeSlot) ?? [],
  }
}

function describeSource(producer: Producer, now: number): SourceStats {
  return {
    source: producer.source,
    muted: producer.isSilent,
    level: producer.kind === 'audio' ? producer.level : null,
    layers: producer.streams.map((stream) => ({
      ssrc: stream.ssrc,
      bitrate: stream.bitrate(now),
      packets: stream.reception.received,
      bytes: stream.bytes,
      lost: stream.reception.lost,
      keyframeRequests: stream.keyFrames.sent,
      nacks: stream.reception.requested,
    })),
  }
}

function describeSlot(slot: Slot): SlotStats {
  return {
    mid: slot.mid,
    kind: slot.kind,
    peer: slot.producer?.peer ?? null,
    source: slot.producer?.source ?? null,
    wanted: slot.wanted,
    layer: slot.layer,
    packets: slot.packets,
    bytes: slot.bytes,
    switches: slot.switches,
    resent: slot.resent,
  }
}
