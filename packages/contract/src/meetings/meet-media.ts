import { z } from 'zod'
import { mediaSources } from './meet-sources.ts'

/**
 * Media part of a meeting's signalling. The portal relays these messages between a browser and the room's
 * media engine without interpreting them; the engine enforces roles (`MediaEngine.setRights`).
 *
 * A browser has two connections: one sends (the browser offers), one receives (the engine offers). `epoch`
 * counts the generations of the pair: it increases with every `start`, and both sides ignore messages of
 * another epoch. The browser never sends ICE candidates to the engine; the engine sends its own in the answer
 * and, for the receiving connection, in `candidates` after its first answer.
 *
 * Sequence: `start` → `offer` (as soon as there is something to receive) → `answer` → `candidates`; in
 * parallel `publish` → `published` → `layers` (only with simulcast).
 */

/**
 * Maximum characters of a session description: a sending one has up to four media lines, a receiving one up to
 * 128.
 */
export const maxOfferLength = 65_536
export const maxAnswerLength = 262_144

/** ID of a participant, assigned by the portal. */
export const peerId = z.string().min(1).max(64)

export const mediaSource = z.enum(mediaSources)

const epoch = z.number().int().min(1).max(1_000_000)
const number = z.number().int().min(1).max(1_000_000)
const mid = z.string().regex(/^[\w-]{1,16}$/)
const ssrc = z.number().int().min(1).max(4_294_967_295)

/** Device pixels. */
const pixels = z.number().min(0).max(16_384)

/** A participant's source. */
export const sourceOf = z.object({ peer: peerId, source: mediaSource })

export type SourceOf = z.infer<typeof sourceOf>

/** Starts a new generation of both connections; earlier ones are closed. */
const start = z.object({
  type: z.literal('start'),
  epoch,
  /** The browser reaches the engine only through a relay and gets the candidate intended for that. */
  relay: z.boolean().default(false),
})

const publish = z.object({
  type: z.literal('publish'),
  epoch,
  /** Number of this offer, counted from 1 by the browser. */
  n: number,
  sdp: z.string().max(maxOfferLength),
  /** The source on each media line. */
  tracks: z.array(z.object({ mid, source: mediaSource })).max(mediaSources.length),
})

/** SSRCs of simulcast layers, which the browser knows once it has the answer. */
const layers = z.object({
  type: z.literal('layers'),
  epoch,
  /** Number of the offer. */
  n: number,
  tracks: z
    .array(
      z.object({
        mid,
        /** Smallest layer first. */
        layers: z
          .array(z.object({ rid: z.string().regex(/^\w{1,16}$/), ssrc, rtxSsrc: ssrc.optional() }))
          .min(1)
          .max(4),
      }),
    )
    .min(1)
    .max(mediaSources.length),
})

const answer = z.object({
  type: z.literal('answer'),
  epoch,
  /** Number of the offer that this answers. */
  n: number,
  sdp: z.string().max(maxAnswerLength),
})

/** Mutes or unmutes the sender's own source; the media line stays. */
const mute = z.object({ type: z.literal('mute'), epoch, source: mediaSource, muted: z.boolean() })

/** Stops a source without a new offer (`replaceTrack(null)`), e.g. when screen sharing ends. */
const unpublish = z.object({ type: z.literal('unpublish'), epoch, source: mediaSource })

/** Sends a source again on its existing media line (`replaceTrack(track)`). */
const republish = z.object({ type: z.literal('republish'), epoch, source: mediaSource })

/**
 * What the receiver displays, always complete. Video that isn't listed isn't sent. Before the first such
 * message all video counts as a small tile.
 */
const view = z.object({
  type: z.literal('view'),
  epoch,
  tiles: z.array(sourceOf.extend({ width: pixels, height: pixels })).max(256),
})

/** Browser → engine. */
export const mediaClientMessage = z.discriminatedUnion('type', [
  start,
  publish,
  layers,
  answer,
  mute,
  unpublish,
  republish,
  view,
])

export type MediaClientMessage = z.infer<typeof mediaClientMessage>

/** A media line of the receiving connection and its current source; lines are reused. */
export const slot = z.object({
  mid,
  kind: z.enum(['audio', 'video']),
  /** Null if currently unused. */
  peer: peerId.nullable(),
  source: mediaSource.nullable(),
  /** The sender has muted it. */
  muted: z.boolean(),
})

export type Slot = z.infer<typeof slot>

const published = z.object({ type: z.literal('published'), epoch, n: number, sdp: z.string() })

/** The offer was rejected; the connection is unchanged. */
const publishFailed = z.object({
  type: z.literal('publishFailed'),
  epoch,
  n: number,
  /** `not-allowed`: no permission for a source; `malformed`: the description is unusable. */
  reason: z.enum(['not-allowed', 'malformed']),
})

const offer = z.object({
  type: z.literal('offer'),
  epoch,
  n: number,
  sdp: z.string(),
  slots: z.array(slot),
})

/** The lines' sources changed without a new offer. */
const slots = z.object({ type: z.literal('slots'), epoch, slots: z.array(slot) })

const candidates = z.object({
  type: z.literal('candidates'),
  epoch,
  /** Each for `addIceCandidate({ candidate, sdpMLineIndex: 0 })` of the receiving connection. */
  candidates: z.array(z.string()),
})

/** The permission for one of this browser's sources was revoked. The browser stops the track. */
const withdrawn = z.object({ type: z.literal('withdrawn'), epoch, source: mediaSource })

/** Received quality of a video, and what limits it. */
const quality = z.object({
  type: z.literal('quality'),
  epoch,
  mid,
  /** 0 is the smallest layer; null if nothing is sent. */
  layer: z.number().int().min(0).max(3).nullable(),
  /** `view`: its tile; `bandwidth`: the receiver's connection; `none`: it is the best available. */
  limit: z.enum(['none', 'view', 'bandwidth']),
})

/** The browser must recreate both connections with `start` and a higher epoch. Sent by engine and portal. */
const restart = z.object({
  type: z.literal('restart'),
  /** `failed`: a connection failed; `engine`: the engine was replaced. */
  reason: z.enum(['failed', 'engine']),
})

/** Engine → browser. */
export const mediaServerMessage = z.discriminatedUnion('type', [
  published,
  publishFailed,
  offer,
  slots,
  candidates,
  withdrawn,
  quality,
  restart,
])

export type MediaServerMessage = z.infer<typeof mediaServerMessage>

/** Active speakers, loudest first; the portal sends them to all participants of the room. */
export const speakers = z.array(z.object({ peer: peerId, level: z.number().int().min(0).max(127) }))

export type Speakers = z.infer<typeof speakers>

/** A relay with temporary credentials, for the configuration of a browser's connections. */
export const iceServer = z.object({
  urls: z.array(z.string()),
  username: z.string(),
  credential: z.string(),
})

export type IceServer = z.infer<typeof iceServer>
