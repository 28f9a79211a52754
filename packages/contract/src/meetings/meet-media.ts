import { z } from 'zod'
import { mediaSources } from './meet-sources.ts'

/**
 * Media part of the signalling of a meeting. The portal carries these messages between a browser and the media
 * engine of its room and needs to understand none of them; roles are held by the engine (`MediaEngine.setRights`).
 *
 * A browser has two connections: one sends (the browser offers), one receives (the engine offers). `epoch` numbers
 * the lives of the pair: it grows with every `start`, and messages of another epoch are ignored on both sides.
 * No ICE candidate ever goes from the browser to the engine; those of the engine come in the answer and, for the
 * receiving connection, in `candidates` after its first answer.
 *
 * Course: `start` → `offer` (as soon as there is something to receive) → `answer` → `candidates`;
 * beside it `publish` → `published` → `layers` (only with simulcast).
 */

/** Characters of a session description: one that sends has up to four media lines, one that receives up to 128. */
export const maxOfferLength = 65_536
export const maxAnswerLength = 262_144

/** Id of a participant, the portal's. */
export const peerId = z.string().min(1).max(64)

export const mediaSource = z.enum(mediaSources)

const epoch = z.number().int().min(1).max(1_000_000)
const number = z.number().int().min(1).max(1_000_000)
const mid = z.string().regex(/^[\w-]{1,16}$/)
const ssrc = z.number().int().min(1).max(4_294_967_295)

/** Pixels of the device. */
const pixels = z.number().min(0).max(16_384)

/** A source of a participant. */
export const sourceOf = z.object({ peer: peerId, source: mediaSource })

export type SourceOf = z.infer<typeof sourceOf>

/** Begins a life of both connections; those before it are closed. */
const start = z.object({
  type: z.literal('start'),
  epoch,
  /** The browser reaches the engine only through a relay and gets the candidate that is made for that. */
  relay: z.boolean().default(false),
})

const publish = z.object({
  type: z.literal('publish'),
  epoch,
  /** Number of this offer, counted by the browser from 1. */
  n: number,
  sdp: z.string().max(maxOfferLength),
  /** What lies on which media line. */
  tracks: z.array(z.object({ mid, source: mediaSource })).max(mediaSources.length),
})

/** SSRCs of simulcast layers, which a browser knows once it has the answer. */
const layers = z.object({
  type: z.literal('layers'),
  epoch,
  /** Number of the offer. */
  n: number,
  tracks: z
    .array(
      z.object({
        mid,
        /** The smallest layer first. */
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
  /** Number of the offer that is answered. */
  n: number,
  sdp: z.string().max(maxAnswerLength),
})

/** The sender's own switch; the media line stays. */
const mute = z.object({ type: z.literal('mute'), epoch, source: mediaSource, muted: z.boolean() })

/** Takes a source back without a new offer (`replaceTrack(null)`), as when the sharing of a screen ends. */
const unpublish = z.object({ type: z.literal('unpublish'), epoch, source: mediaSource })

/** Sends a source again whose media line is still there (`replaceTrack(track)`). */
const republish = z.object({ type: z.literal('republish'), epoch, source: mediaSource })

/**
 * What the receiver has on its screen, whole each time. Video that is not listed is not sent. Before the first such
 * message everything counts as seen in a small tile.
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

/** A media line of the receiving connection and what it carries at present; lines are used again. */
export const slot = z.object({
  mid,
  kind: z.enum(['audio', 'video']),
  /** Null: free at present. */
  peer: peerId.nullable(),
  source: mediaSource.nullable(),
  /** The sender has muted it. */
  muted: z.boolean(),
})

export type Slot = z.infer<typeof slot>

const published = z.object({ type: z.literal('published'), epoch, n: number, sdp: z.string() })

/** The offer was not taken; the connection is as it was before. */
const publishFailed = z.object({
  type: z.literal('publishFailed'),
  epoch,
  n: number,
  /** `not-allowed`: a source without the right to it; `malformed`: no description that we can use. */
  reason: z.enum(['not-allowed', 'malformed']),
})

const offer = z.object({
  type: z.literal('offer'),
  epoch,
  n: number,
  sdp: z.string(),
  slots: z.array(slot),
})

/** Lines have other content, and no new offer is needed. */
const slots = z.object({ type: z.literal('slots'), epoch, slots: z.array(slot) })

const candidates = z.object({
  type: z.literal('candidates'),
  epoch,
  /** Each for `addIceCandidate({ candidate, sdpMLineIndex: 0 })` of the receiving connection. */
  candidates: z.array(z.string()),
})

/** A source of this browser is no longer taken: the right to it is gone. It stops its track. */
const withdrawn = z.object({ type: z.literal('withdrawn'), epoch, source: mediaSource })

/** What is received of a video, and what holds it down. */
const quality = z.object({
  type: z.literal('quality'),
  epoch,
  mid,
  /** 0 is the smallest layer; null: nothing is sent. */
  layer: z.number().int().min(0).max(3).nullable(),
  /** `view`: its tile; `bandwidth`: the receiver's connection; `none`: it is the best that there is. */
  limit: z.enum(['none', 'view', 'bandwidth']),
})

/** The browser makes both connections anew with `start` and a higher epoch. Sent by engine and portal. */
const restart = z.object({
  type: z.literal('restart'),
  /** `failed`: a connection broke; `engine`: the engine is a new one. */
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

/** Who is heard, the loudest first; the portal tells all participants of the room. */
export const speakers = z.array(z.object({ peer: peerId, level: z.number().int().min(0).max(127) }))

export type Speakers = z.infer<typeof speakers>

/** A relay with credentials that end; goes into the configuration of a browser's connections. */
export const iceServer = z.object({
  urls: z.array(z.string()),
  username: z.string(),
  credential: z.string(),
})

export type IceServer = z.infer<typeof iceServer>
