import {
  mediaClientMessage,
  mediaServerMessage,
  mediaSource,
  peerId,
  sourceOf,
  speakers,
} from '@gatehouse/contract/meetings/meet-media'
import { z } from 'zod'

/**
 * Messages between the portal and an engine, over the pipe of a child process or a WebSocket: numbered calls,
 * their results, and events. Both sides validate what they receive.
 */

const roomId = z.string().min(1).max(64)
const sources = z.array(mediaSource).readonly()

const receiveRule = z.union([
  z.object({ except: z.array(sourceOf).readonly() }),
  z.object({ only: z.array(sourceOf).readonly() }),
])
const receive = z.object({ audio: receiveRule.optional(), video: receiveRule.optional() })
const roomOptions = z.object({
  maxVideos: z.number().int().min(0).max(64).optional(),
  maxVoices: z.number().int().min(0).max(64).optional(),
})

const calls = z.discriminatedUnion('call', [
  z.object({ call: z.literal('addRoom'), room: roomId, options: roomOptions }),
  z.object({ call: z.literal('removeRoom'), room: roomId }),
  z.object({
    call: z.literal('addPeer'),
    peer: peerId,
    room: roomId,
    options: z.object({ may: sources, receive: receive.optional() }),
  }),
  z.object({ call: z.literal('removePeer'), peer: peerId }),
  z.object({ call: z.literal('setRights'), peer: peerId, may: sources }),
  z.object({ call: z.literal('setReceive'), peer: peerId, receive }),
  z.object({ call: z.literal('setMuted'), peer: peerId, source: mediaSource, muted: z.boolean() }),
  z.object({ call: z.literal('requestKeyframe'), peer: peerId, source: mediaSource }),
  z.object({ call: z.literal('signal'), peer: peerId, message: mediaClientMessage }),
  z.object({ call: z.literal('stats'), peer: peerId }),
])

/** Portal → engine. */
export const engineCall = z.object({ id: z.number().int(), call: calls })

export type EngineCall = z.infer<typeof engineCall>

const connectionState = z.enum(['connecting', 'connected', 'failed', 'closed'])
const count = z.number()

const peerStats = z.object({
  room: z.string(),
  send: connectionState.nullable(),
  receive: connectionState.nullable(),
  relay: z.boolean(),
  downlink: z.object({ acknowledged: count, queue: count, loss: count }),
  sources: z
    .array(
      z.object({
        source: mediaSource,
        muted: z.boolean(),
        level: count.nullable(),
        layers: z
          .array(
            z.object({
              ssrc: count,
              bitrate: count,
              packets: count,
              bytes: count,
              lost: count,
              keyframeRequests: count,
              nacks: count,
            }),
          )
          .readonly(),
      }),
    )
    .readonly(),
  slots: z
    .array(
      z.object({
        mid: z.string(),
        kind: z.enum(['audio', 'video']),
        peer: z.string().nullable(),
        source: mediaSource.nullable(),
        wanted: count.nullable(),
        layer: count.nullable(),
        packets: count,
        bytes: count,
        switches: count,
        resent: count,
      }),
    )
    .readonly(),
})

const load = z.object({
  rooms: count,
  peers: count,
  packetsOut: count,
  bitsOut: count,
  cpu: count,
  delay: count,
  memory: count,
})

const event = z.discriminatedUnion('event', [
  z.object({ event: z.literal('toPeer'), detail: z.object({ peer: peerId, message: mediaServerMessage }) }),
  z.object({
    event: z.literal('published'),
    detail: z.object({ room: roomId, peer: peerId, source: mediaSource }),
  }),
  z.object({
    event: z.literal('unpublished'),
    detail: z.object({
      room: roomId,
      peer: peerId,
      source: mediaSource,
      reason: z.enum(['sender', 'withdrawn', 'gone']),
    }),
  }),
  z.object({
    event: z.literal('muted'),
    detail: z.object({ room: roomId, peer: peerId, source: mediaSource, muted: z.boolean() }),
  }),
  z.object({ event: z.literal('speakers'), detail: z.object({ room: roomId, speakers }) }),
  z.object({
    event: z.literal('connection'),
    detail: z.object({
      room: roomId,
      peer: peerId,
      direction: z.enum(['send', 'receive']),
      state: connectionState,
    }),
  }),
  z.object({ event: z.literal('load'), detail: load }),
  z.object({ event: z.literal('strangers'), detail: z.object({ packets: count }) }),
])

export type EngineEvent = z.infer<typeof event>

/** Engine → portal. */
export const engineMessage = z.union([
  z.object({ id: z.number().int(), ok: z.literal(true), value: peerStats.nullable() }),
  z.object({
    id: z.number().int(),
    ok: z.literal(false),
    error: z.enum(['unknown-room', 'unknown-peer', 'failed']),
    text: z.string(),
  }),
  event,
  /** The first message: the engine has opened its port and accepts calls. */
  z.object({ ready: z.object({ run: z.string().min(1).max(64), udpPort: z.number().int() }) }),
  /** For the log. */
  z.object({ warning: z.string() }),
])

export type EngineMessage = z.infer<typeof engineMessage>
