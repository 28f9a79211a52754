import { describe, expect, it } from 'vitest'
import { candidateLines, iceCredentials, withCandidates, withoutCandidates } from './candidates.ts'
import { filterAnswer } from './receiver-answer.ts'
import { MalformedDescription } from './session-description.ts'

const answer = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE m0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'a=candidate:1 1 udp 2113937151 evil.example 55555 typ host',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:0123456789012345678901',
  'a=mid:m0',
  'a=recvonly',
  'm=video 0 UDP/TLS/RTP/SAVPF 96',
  'a=mid:m1',
  'a=inactive',
  '',
].join('\r\n')

describe('an answer', () => {
  it('is reduced to the lines that it accepts', () => {
    const sdp = filterAnswer(answer, ['m0', 'm1'])
    expect(sdp).toContain('a=mid:m0\r\na=recvonly')
    expect(sdp).toContain('m=video 0 ')
    expect(sdp).toContain('a=group:BUNDLE m0\r\n')
    expect(sdp).not.toContain('candidate')
  })

  it.each([[['m0']], [['m1', 'm0']], [['m0', 'm1', 'm2']]])(
    'to lines %j, which are others, is refused',
    (mids) => {
      expect(() => filterAnswer(answer, mids)).toThrow(MalformedDescription)
    },
  )
})

describe('candidates', () => {
  it('are the announced ones, with the first one preferred', () => {
    const lines = candidateLines([
      { address: '192.0.2.1', port: 44_444 },
      { address: '2001:db8::1', port: 44_444 },
    ])
    const priorities = lines.map((line) => Number(line.split(' ')[3]))
    expect(lines[0]).toContain('192.0.2.1 44444 typ host')
    expect(priorities[0]).toBeGreaterThan(priorities[1] ?? Number.POSITIVE_INFINITY)
  })

  it('replace all others on the first accepted line', () => {
    const sdp = withCandidates(
      'm=audio 0 X 0\r\na=mid:0\r\nm=video 9 X 96\r\na=candidate:7 old\r\na=mid:1\r\nm=audio 9 X 1\r\n',
      [{ address: '192.0.2.1', port: 5 }],
    )
    expect(sdp.split('\r\n')).toEqual([
      'm=audio 0 X 0',
      'a=mid:0',
      'm=video 9 X 96',
      'a=mid:1',
      'a=candidate:1 1 UDP 2130706431 192.0.2.1 5 typ host',
      'a=end-of-candidates',
      'm=audio 9 X 1',
      '',
    ])
    expect(withoutCandidates(sdp)).not.toContain('candidate')
  })

  it('have a ufrag and a password', () => {
    expect(iceCredentials(answer)).toEqual({ ufrag: 'abcd', password: '0123456789012345678901' })
  })
})
