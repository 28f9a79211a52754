import type { MediaKind } from '@gatehouse/contract/meetings/meet-sources'

/** Parses session descriptions (RFC 8866) sent by browsers, within limits. */

/** The description is invalid, too large, or contains something that no supported browser sends. */
export class MalformedDescription extends Error {
  override name = 'MalformedDescription'
}

export interface DescriptionLimits {
  readonly characters: number
  readonly lines: number
  readonly sections: number
}

export interface Description {
  readonly session: readonly string[]
  readonly sections: readonly MediaSection[]
}

export interface MediaSection {
  readonly kind: MediaKind
  readonly mid: string
  /** Rejected line: port 0, unless that only means that it shares another line's transport. */
  readonly rejected: boolean
  readonly lines: readonly string[]
}

const maxLineLength = 1000

/** Throws `MalformedDescription`. */
export function parseDescription(text: string, limits: DescriptionLimits): Description {
  if (text.length > limits.characters) throw new MalformedDescription('too long')
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  if (lines.length > limits.lines) throw new MalformedDescription('too many lines')
  const session: string[] = []
  const sections: string[][] = []
  for (const line of lines) {
    if (line.length > maxLineLength || !/^[a-z]=\P{Cc}*$/u.test(line))
      throw new MalformedDescription('malformed line')
    if (line.startsWith('m=')) sections.push([line])
    else (sections.at(-1) ?? session).push(line)
  }
  if (sections.length === 0 || sections.length > limits.sections)
    throw new MalformedDescription('wrong number of media lines')
  const parsed = sections.map(parseSection)
  if (new Set(parsed.map(({ mid }) => mid)).size !== parsed.length)
    throw new MalformedDescription('duplicate mid')
  return { session, sections: parsed }
}

function parseSection([first = '', ...lines]: readonly string[]): MediaSection {
  const [, kind, port = '0'] =
    /^m=(audio|video) (\d{1,5})(?:\/\d+)? (?:UDP|TCP)\/TLS\/RTP\/SAVPF [\d ]+$/.exec(first) ?? []
  if (kind !== 'audio' && kind !== 'video') throw new MalformedDescription('unsupported kind of media line')
  const mid = firstMatch(lines, /^a=mid:([\w-]{1,16})$/)
  if (mid === undefined) throw new MalformedDescription('media line without mid')
  return { kind, mid, rejected: port === '0' && !lines.includes('a=bundle-only'), lines }
}

/** The first group of the first line that matches. */
export function firstMatch(lines: readonly string[], pattern: RegExp): string | undefined {
  for (const line of lines) {
    const value = pattern.exec(line)?.[1]
    if (value !== undefined) return value
  }
  return undefined
}

/** Attributes that identify and secure a transport. Nothing else is copied, least of all candidates. */
const transportLines = [
  /^a=ice-ufrag:[A-Za-z0-9+/]{4,256}$/,
  /^a=ice-pwd:[A-Za-z0-9+/]{22,256}$/,
  /^a=fingerprint:sha-\d{1,3} [0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){15,63}$/,
  /^a=setup:(actpass|active|passive)$/,
]

export function transportOf(lines: readonly string[]): string[] {
  return transportLines.flatMap((pattern) => lines.find((line) => pattern.test(line)) ?? [])
}

/** Builds a description from our own or validated parts. */
export function writeDescription(
  session: readonly string[],
  sections: readonly {
    readonly mid: string
    readonly rejected: boolean
    readonly lines: readonly string[]
  }[],
): string {
  const bundled = sections.filter(({ rejected }) => !rejected).map(({ mid }) => mid)
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    ...(bundled.length === 0 ? [] : [`a=group:BUNDLE ${bundled.join(' ')}`]),
    ...transportOf(session),
    ...sections.flatMap((section) => section.lines),
  ]
  return `${lines.join('\r\n')}\r\n`
}

/** A rejected media line. */
export function rejectedSection({ kind, mid }: MediaSection, format: number): string[] {
  return [`m=${kind} 0 UDP/TLS/RTP/SAVPF ${format}`, 'c=IN IP4 0.0.0.0', `a=mid:${mid}`, 'a=inactive']
}
