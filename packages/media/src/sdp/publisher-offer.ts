import { maxOfferLength } from '@gatehouse/contract/meetings/meet-media'
import type { MediaKind } from '@gatehouse/contract/meetings/meet-sources'
import { layerExtensions, receiverIds } from './header-extensions.ts'
import {
  firstMatch,
  MalformedDescription,
  type MediaSection,
  parseDescription,
  rejectedSection,
  transportOf,
  writeDescription,
} from './session-description.ts'

/**
 * A browser's offer, reduced to what we accept: Opus and VP8 with retransmissions, known extensions, no
 * candidates. The library's answer mirrors the rest, so this filter decides what is negotiated.
 */

export interface PublisherOffer {
  readonly sdp: string
  readonly lines: readonly OfferedLine[]
}

export interface OfferedLine {
  readonly mid: string
  readonly kind: MediaKind
  /** The browser sends on it. */
  readonly active: boolean
  readonly payloadType: number
  /** -1 if lost packets are retransmitted unchanged. */
  readonly retransmissionType: number
  /** Number of each header extension. */
  readonly extensions: ReadonlyMap<string, number>
  /** The layers, smallest first; empty if not known yet. */
  readonly streams: readonly OfferedStream[]
}

export interface OfferedStream {
  readonly ssrc: number
  readonly rtxSsrc?: number
}

/** Layers of media lines whose streams aren't in the offer. */
export type LayersOfLines = ReadonlyMap<string, readonly OfferedStream[]>

const limits = { characters: maxOfferLength, lines: 1500, sections: 16 }
const codecs = {
  audio: /^a=rtpmap:(\d{1,3}) opus\/48000\/2$/i,
  video: /^a=rtpmap:(\d{1,3}) VP8\/90000$/i,
}
/** Layers of a line, plus some that browsers list for stopped lines. */
const maxStreams = 8

/** Throws `MalformedDescription`. */
export function filterOffer(sdp: string, known: LayersOfLines = new Map()): PublisherOffer {
  const { session, sections } = parseDescription(sdp, limits)
  const filtered = sections.map((section) => filterSection(section, known.get(section.mid)))
  return { sdp: writeDescription(session, filtered), lines: filtered.map(({ offered }) => offered) }
}

interface FilteredSection {
  readonly mid: string
  readonly rejected: boolean
  readonly lines: readonly string[]
  readonly offered: OfferedLine
}

function filterSection(section: MediaSection, known: readonly OfferedStream[] | undefined): FilteredSection {
  const { kind, mid, rejected, lines } = section
  const payloadType = payloadTypeOf(firstMatch(lines, codecs[kind]))
  if (!rejected && payloadType < 0) throw new MalformedDescription(`no supported ${kind} codec`)
  const retransmissionType = rejected
    ? -1
    : payloadTypeOf(firstMatch(lines, new RegExp(`^a=fmtp:(\\d{1,3}) apt=${payloadType}(?:;|$)`)))
  const extensions = new Map<string, number>()
  const named = rejected ? [] : streamsOf(lines, retransmissionType)
  const streams = known === undefined ? named : withRetransmissions(known, named)
  const offered: OfferedLine = {
    mid,
    kind,
    active: !rejected && (lines.includes('a=sendonly') || lines.includes('a=sendrecv')),
    payloadType,
    retransmissionType,
    extensions,
    streams,
  }
  if (rejected) return { mid, rejected, lines: rejectedSection(section, 0), offered }
  const types = retransmissionType < 0 ? [payloadType] : [payloadType, retransmissionType]
  const layered = lines.some((line) => line.startsWith('a=rid:'))
  const written = [
    `m=${kind} 9 UDP/TLS/RTP/SAVPF ${types.join(' ')}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    offered.active ? 'a=sendonly' : 'a=inactive',
    'a=rtcp-mux',
    ...transportOf(lines),
    ...formatLines(lines, types),
    ...extensionLines(lines, layered, extensions),
    ...(known === undefined && layered ? layerLines(lines) : []),
    ...streamLines(streams, retransmissionType),
  ]
  return { mid, rejected, lines: written, offered }
}

/** Firefox reports its layers without their retransmission streams, but its offer pairs them. */
function withRetransmissions(
  known: readonly OfferedStream[],
  named: readonly OfferedStream[],
): readonly OfferedStream[] {
  return known.map((stream) => ({ ...named.find(({ ssrc }) => ssrc === stream.ssrc), ...stream }))
}

/** -1 if there is none. */
function payloadTypeOf(text: string | undefined): number {
  const type = Number(text ?? -1)
  return type <= 127 ? type : -1
}

function formatLines(lines: readonly string[], types: readonly number[]): string[] {
  return lines.filter((line) => {
    const type = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d{1,3}) [\w=;:,./ -]{1,200}$/.exec(line)?.[1]
    return type !== undefined && types.includes(Number(type))
  })
}

/** Returns the lines and writes their numbers into `extensions`. */
function extensionLines(
  lines: readonly string[],
  layered: boolean,
  extensions: Map<string, number>,
): string[] {
  return lines.flatMap((line) => {
    const [, id, uri] = /^a=extmap:(\d{1,2})(?:\/\w+)? ([\w:/.-]{1,100})$/.exec(line) ?? []
    const number = Number(id)
    // 15 isn't valid in a one-byte extension
    if (uri === undefined || number < 1 || number > 14) return []
    const wanted = receiverIds.has(uri) || (layered && layerExtensions.includes(uri))
    if (!wanted) return []
    extensions.set(uri, number)
    return [`a=extmap:${number} ${uri}`]
  })
}

function layerLines(lines: readonly string[]): string[] {
  return lines.filter(
    (line) => /^a=rid:\w{1,16} send$/.test(line) || /^a=simulcast:send \w{1,16}(;\w{1,16}){0,3}$/.test(line),
  )
}

function streamsOf(lines: readonly string[], retransmissionType: number): OfferedStream[] {
  const retransmissions = new Map<number, number>()
  for (const line of lines) {
    const [, media, rtx] = /^a=ssrc-group:FID (\d{1,10}) (\d{1,10})$/.exec(line) ?? []
    if (media !== undefined && rtx !== undefined) retransmissions.set(Number(media), Number(rtx))
  }
  const named = new Set<number>()
  for (const line of lines) {
    const ssrc = Number(/^a=ssrc:(\d{1,10})(?: |$)/.exec(line)?.[1] ?? 0)
    if (ssrc > 0 && ssrc <= 0xffff_ffff) named.add(ssrc)
  }
  for (const rtx of retransmissions.values()) named.delete(rtx)
  if (named.size > maxStreams) throw new MalformedDescription('too many streams')
  return [...named].map((ssrc) => {
    const rtxSsrc = retransmissionType < 0 ? undefined : retransmissions.get(ssrc)
    return rtxSsrc === undefined ? { ssrc } : { ssrc, rtxSsrc }
  })
}

function streamLines(streams: readonly OfferedStream[], retransmissionType: number): string[] {
  return streams.flatMap(({ ssrc, rtxSsrc }) =>
    rtxSsrc === undefined || retransmissionType < 0
      ? [`a=ssrc:${ssrc} cname:peer`]
      : [`a=ssrc-group:FID ${ssrc} ${rtxSsrc}`, `a=ssrc:${ssrc} cname:peer`, `a=ssrc:${rtxSsrc} cname:peer`],
  )
}

/** Reverses the direction of simulcast lines, which the library mirrors; RFC 8853 §5.3.2. */
export function turnLayersRound(answer: string): string {
  return answer
    .replace(/^a=rid:(\w+) send/gm, 'a=rid:$1 recv')
    .replace(/^a=simulcast:send/gm, 'a=simulcast:recv')
}
