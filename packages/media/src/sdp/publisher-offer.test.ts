import { maxOfferLength } from '@gatehouse/contract/meetings/meet-media'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extension } from './header-extensions.ts'
import { filterOffer, turnLayersRound } from './publisher-offer.ts'
import { MalformedDescription } from './session-description.ts'

const session = [
  'v=0',
  'o=- 4611 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0 1',
  'a=msid-semantic: WMS x',
]
const transport = [
  'a=ice-ufrag:abcd',
  'a=ice-pwd:0123456789012345678901',
  'a=ice-options:trickle',
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
  'a=setup:actpass',
]
const audio = [
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 63 9',
  'c=IN IP4 0.0.0.0',
  'a=candidate:1 1 udp 2113937151 192.168.0.9 55555 typ host',
  ...transport,
  'a=mid:0',
  `a=extmap:1 ${extension.audioLevel}`,
  'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid',
  'a=sendonly',
  'a=rtcp-mux',
  'a=rtcp-rsize',
  'a=rtpmap:111 opus/48000/2',
  'a=rtcp-fb:111 transport-cc',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'a=rtpmap:63 red/48000/2',
  'a=rtpmap:9 G722/8000',
  'a=ssrc:1111 cname:x',
]
const video = [
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97 102',
  'c=IN IP4 0.0.0.0',
  ...transport,
  'a=mid:1',
  `a=extmap:3/sendonly ${extension.transportSequence}`,
  'a=extmap:10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  'a=sendonly',
  'a=rtcp-mux',
  'a=rtpmap:96 VP8/90000',
  'a=rtcp-fb:96 nack pli',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
  'a=rtpmap:102 H264/90000',
  'a=fmtp:102 profile-level-id=42e01f',
  'a=ssrc-group:FID 2222 3333',
  'a=ssrc:2222 cname:x',
  'a=ssrc:3333 cname:x',
]
const text = (...parts: readonly string[][]) => `${parts.flat().join('\r\n')}\r\n`
const offer = text(session, audio, video)
const without = (lines: readonly string[], pattern: RegExp) => lines.filter((line) => !pattern.test(line))

describe('an offer', () => {
  it('is reduced to Opus, VP8 and its retransmissions', () => {
    const { sdp, lines } = filterOffer(offer)
    expect(sdp).toContain('m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n')
    expect(sdp).toContain('m=video 9 UDP/TLS/RTP/SAVPF 96 97\r\n')
    expect(sdp).toContain('a=group:BUNDLE 0 1\r\n')
    expect(sdp).not.toMatch(/candidate|H264|red|G722|rsize|sdes:mid|rtp-stream-id|102/)
    expect(lines).toMatchObject([
      {
        mid: '0',
        kind: 'audio',
        active: true,
        payloadType: 111,
        retransmissionType: -1,
        streams: [{ ssrc: 1111 }],
      },
      {
        mid: '1',
        kind: 'video',
        payloadType: 96,
        retransmissionType: 97,
        streams: [{ ssrc: 2222, rtxSsrc: 3333 }],
      },
    ])
    expect(lines[1]?.extensions.get(extension.transportSequence)).toBe(3)
  })

  it('with layers keeps their names until their SSRCs are known', () => {
    const layered = [...without(video, /ssrc/), 'a=rid:l send', 'a=rid:h send', 'a=simulcast:send l;h']
    const unknown = filterOffer(text(session, audio, layered))
    expect(unknown.sdp).toContain('a=simulcast:send l;h')
    expect(unknown.sdp).toContain('rtp-stream-id')
    expect(unknown.lines[1]?.streams).toEqual([])
    const known = new Map([['1', [{ ssrc: 9, rtxSsrc: 8 }, { ssrc: 5 }]]])
    const described = filterOffer(text(session, audio, layered), known)
    expect(described.sdp).toContain('a=ssrc-group:FID 9 8\r\n')
    expect(described.sdp).not.toContain('simulcast')
    expect(described.lines[1]?.streams.map(({ ssrc }) => ssrc)).toEqual([9, 5])
  })

  it('with layers keeps its own retransmission pairs if the browser reports none', () => {
    const pairs = [
      'a=rid:l send',
      'a=rid:h send',
      'a=simulcast:send l;h',
      'a=ssrc-group:FID 9 8',
      'a=ssrc-group:FID 5 4',
    ]
    const names = [9, 8, 5, 4].map((ssrc) => `a=ssrc:${ssrc} cname:x`)
    const layered = [...video.filter((line) => !line.startsWith('a=ssrc')), ...pairs, ...names]
    const described = filterOffer(text(session, audio, layered), new Map([['1', [{ ssrc: 9 }, { ssrc: 5 }]]]))
    expect(described.lines[1]?.streams).toEqual([
      { ssrc: 9, rtxSsrc: 8 },
      { ssrc: 5, rtxSsrc: 4 },
    ])
    expect(described.sdp).toContain('a=ssrc-group:FID 9 8')
  })

  it('with port 0 and bundle-only is not a rejection, but port 0 alone is one', () => {
    const closed = video.map((line) => line.replace('m=video 9', 'm=video 0'))
    expect(filterOffer(text(session, audio, [...closed, 'a=bundle-only'])).lines[1]?.active).toBe(true)
    const { sdp, lines } = filterOffer(text(session, audio, closed))
    expect(lines[1]?.active).toBe(false)
    expect(sdp).toContain('m=video 0 ')
    expect(sdp).toContain('a=group:BUNDLE 0\r\n')
  })

  it.each([
    { what: 'nothing', sdp: '' },
    { what: 'no media', sdp: text(session) },
    {
      what: 'a data channel',
      sdp: text(session, ['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'a=mid:0']),
    },
    { what: 'a line without a name', sdp: text(session, without(audio, /a=mid/)) },
    { what: 'two lines with one name', sdp: text(session, audio, audio) },
    { what: 'no codec of ours', sdp: text(session, without(audio, /opus/)) },
    {
      what: 'another protocol',
      sdp: text(
        session,
        audio.map((line) => line.replace('UDP/TLS/RTP/SAVPF', 'RTP/AVP')),
      ),
    },
    { what: 'control characters', sdp: text(session, [...audio, 'a=ssrc:5 cname:\u0007']) },
    { what: 'a line without end', sdp: text(session, [...audio, `a=${'x'.repeat(2000)}`]) },
    { what: 'too many lines', sdp: text(session, [...audio, ...Array.from({ length: 2000 }, () => 'a=b')]) },
    {
      what: 'too many media lines',
      sdp: text(
        session,
        ...Array.from({ length: 40 }, (_, index) =>
          audio.map((line) => line.replace('a=mid:0', `a=mid:${index}`)),
        ),
      ),
    },
    {
      what: 'too many streams',
      sdp: text(session, [
        ...audio,
        ...Array.from({ length: 20 }, (_, index) => `a=ssrc:${index + 1} cname:x`),
      ]),
    },
    { what: 'too much of everything', sdp: 'a'.repeat(maxOfferLength + 1) },
  ])('with $what is refused', ({ sdp }) => {
    expect(() => filterOffer(sdp)).toThrow(MalformedDescription)
  })

  it('passes only expected lines, whatever a browser sends', () => {
    const noise = fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 10 })
    const allowed =
      /^(v=0|o=- 1 1 IN IP4 127\.0\.0\.1|s=-|t=0 0|c=IN IP4 0\.0\.0\.0|m=(audio|video) [09] UDP\/TLS\/RTP\/SAVPF \d+( \d+)?|a=(group|mid|ice-ufrag|ice-pwd|fingerprint|setup|sendonly|inactive|rtcp-mux|rtpmap|fmtp|rtcp-fb|extmap|rid|simulcast|ssrc|ssrc-group)(:.*)?)$/
    fc.assert(
      fc.property(noise, fc.integer({ min: 0, max: audio.length }), (lines, at) => {
        const noisy = text(
          session,
          [...audio.slice(0, at), ...lines.map((line) => `a=${line}`), ...audio.slice(at)],
          video,
        )
        try {
          const written = filterOffer(noisy).sdp.trimEnd().split('\r\n')
          expect(written.filter((line) => !allowed.test(line))).toEqual([])
        } catch (error) {
          if (!(error instanceof MalformedDescription)) throw error
        }
      }),
      { numRuns: 40 },
    )
  })

  it('that was filtered stays the same when filtered again', () => {
    const once = filterOffer(offer).sdp
    expect(filterOffer(once).sdp).toBe(once)
  })
})

describe('the answer to a simulcast offer', () => {
  it('says that the layers are received', () => {
    expect(turnLayersRound('a=rid:l send\r\na=simulcast:send l;h\r\n')).toBe(
      'a=rid:l recv\r\na=simulcast:recv l;h\r\n',
    )
  })
})
