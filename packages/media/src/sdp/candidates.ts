/** The engine's own ICE candidates, at which browsers reach it. */

/** An address announced to browsers. */
export interface Announced {
  readonly address: string
  readonly port: number
}

/** Returns the description with only these candidates, on its first accepted media line. */
export function withCandidates(sdp: string, announced: readonly Announced[]): string {
  const lines = withoutCandidates(sdp).trimEnd().split('\r\n')
  const at = lines.findIndex((line) => /^m=\w+ [1-9]/.test(line))
  if (at < 0) return sdp
  let end = lines.findIndex((line, index) => index > at && line.startsWith('m='))
  if (end < 0) end = lines.length
  const added = [...candidateLines(announced).map((line) => `a=${line}`), 'a=end-of-candidates']
  return `${[...lines.slice(0, end), ...added, ...lines.slice(end)].join('\r\n')}\r\n`
}

export function withoutCandidates(sdp: string): string {
  return sdp.replace(/^a=(candidate|end-of-candidates).*\r\n/gm, '')
}

/** Candidates for `addIceCandidate`; RFC 8839 §5.1. Earlier ones are preferred. */
export function candidateLines(announced: readonly Announced[]): string[] {
  return announced.map(({ address, port }, index) => {
    const priority = 126 * 2 ** 24 + (65_535 - index) * 2 ** 8 + 255
    return `candidate:${index + 1} 1 UDP ${priority} ${address} ${port} typ host`
  })
}

/** ICE ufrag and password of a description's sender. */
export function iceCredentials(sdp: string): { readonly ufrag: string; readonly password: string } {
  return {
    ufrag: /^a=ice-ufrag:(\S+)/m.exec(sdp)?.[1] ?? '',
    password: /^a=ice-pwd:(\S+)/m.exec(sdp)?.[1] ?? '',
  }
}
