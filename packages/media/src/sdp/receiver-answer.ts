import { maxAnswerLength } from '@gatehouse/contract/meetings/meet-media'
import {
  MalformedDescription,
  parseDescription,
  rejectedSection,
  transportOf,
  writeDescription,
} from './session-description.ts'

/** Payload types used for receivers. */
export const payloadTypes = { audio: 111, video: 96 } as const

const limits = { characters: maxAnswerLength, lines: 6000, sections: 160 }

/**
 * Reduces a browser's answer to our offer with these media lines to what we need. Throws
 * `MalformedDescription`, also if its lines aren't those of the offer in the same order (RFC 3264 §6).
 */
export function filterAnswer(sdp: string, mids: readonly string[]): string {
  const { session, sections } = parseDescription(sdp, limits)
  if (sections.length !== mids.length || sections.some(({ mid }, index) => mid !== mids[index]))
    throw new MalformedDescription('the answer does not match the offer')
  return writeDescription(
    session,
    sections.map((section) => {
      const { kind, mid, rejected, lines } = section
      const type = payloadTypes[kind]
      if (rejected) return { mid, rejected, lines: rejectedSection(section, type) }
      const written = [
        `m=${kind} 9 UDP/TLS/RTP/SAVPF ${type}`,
        'c=IN IP4 0.0.0.0',
        `a=mid:${mid}`,
        lines.includes('a=recvonly') ? 'a=recvonly' : 'a=inactive',
        'a=rtcp-mux',
        ...transportOf(lines),
        kind === 'audio' ? `a=rtpmap:${type} opus/48000/2` : `a=rtpmap:${type} VP8/90000`,
        `a=rtcp-fb:${type} transport-cc`,
      ]
      return { mid, rejected, lines: written }
    }),
  )
}
