import { describe, expect, test } from 'vitest'
import { Random } from '../../../billing/simulation/random.ts'
import { ProtocolViolation } from '../connections/protocol-errors.ts'
import { cut, noise } from '../testing/cuts.ts'
import { PolicyDecoder, type PolicyRequest } from './policy-request.ts'

/** The example of SMTPD_POLICY_README. */
const example = `request=smtpd_access_policy
protocol_state=RCPT
protocol_name=SMTP
helo_name=some.domain.tld
queue_id=8045F2AB23
sender=foo@bar.tld
recipient=bar@foo.tld
recipient_count=0
client_address=1.2.3.4
client_name=another.domain.tld
reverse_client_name=another.domain.tld
instance=123.456.7
sasl_method=plain
sasl_username=you
sasl_sender=
size=12345
ccert_subject=solaris9.porcupine.org
encryption_protocol=TLSv1/SSLv3
etrn_domain=
stress=

`

function decode(pieces: readonly (string | Buffer)[], decoder = new PolicyDecoder()): PolicyRequest[] {
  const requests: PolicyRequest[] = []
  for (const piece of pieces) {
    decoder.push(Buffer.from(piece))
    for (let next = decoder.next(); next !== undefined; next = decoder.next()) requests.push(next)
  }
  return requests
}

describe('a policy request', () => {
  test('is read with its attributes', () => {
    const [request] = decode([example])
    expect(request).toMatchObject({
      state: 'RCPT',
      protocol: 'SMTP',
      heloName: 'some.domain.tld',
      queueId: '8045F2AB23',
      sender: 'foo@bar.tld',
      recipient: 'bar@foo.tld',
      recipientCount: 0,
      clientAddress: '1.2.3.4',
      clientName: 'another.domain.tld',
      reverseClientName: 'another.domain.tld',
      instance: '123.456.7',
      saslMethod: 'plain',
      saslUsername: 'you',
      size: 12_345,
    })
    expect(request?.attributes.get('ccert_subject')).toBe('solaris9.porcupine.org')
  })

  test('is the same however its bytes are cut', () => {
    const bytes = Buffer.from(example + example.replace('bar@foo.tld', 'bär@foo.tld'))
    const whole = decode([bytes])
    expect(whole.map(({ recipient }) => recipient)).toEqual(['bar@foo.tld', 'bär@foo.tld'])
    expect(decode([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole)
    const random = new Random(2)
    for (let run = 0; run < 200; run++) expect(decode(cut(bytes, random))).toEqual(whole)
  })

  test('keeps the first of repeated attributes, and everything after the first equals sign', () => {
    const [request] = decode(['request=smtpd_access_policy\nsender=a=b@c\nsender=d@e\n\n'])
    expect(request?.sender).toBe('a=b@c')
  })

  test.each([
    ['12', 12],
    ['', 0],
    ['-1', 0],
    ['1e9', 0],
    ['99999999999999999999', 0],
  ])('reads the size %j as %d', (text, size) => {
    expect(decode([`request=smtpd_access_policy\nsize=${text}\n\n`])[0]?.size).toBe(size)
  })

  test.each([
    ['a line without equals sign', 'request\n\n'],
    ['an attribute without name', '=smtpd_access_policy\n'],
    ['an empty line first', '\n'],
    ['line ends with carriage return', 'request=smtpd_access_policy\r\n\r\n'],
    ['NUL', 'request=smtpd_access_policy\nsender=a\0b\n'],
    ['another kind of request', 'request=junk\n\n'],
    ['no kind of request', 'sender=a@b\n\n'],
    ['a long line without end', `sender=${'x'.repeat(9000)}`],
    ['a long line', `sender=${'x'.repeat(9000)}\n`],
    ['too many attributes', 'a=b\n'.repeat(101)],
    ['a large request', `a=${'x'.repeat(8000)}\n`.repeat(9)],
    ['HTTP', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('with %s is refused', (_what, text) => {
    expect(() => decode([text])).toThrow(ProtocolViolation)
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]))
    expect(() => decode(bytes)).toThrow(ProtocolViolation)
  })

  test('of random bytes is refused or waited for, within the limits', () => {
    const random = new Random(3)
    for (let run = 0; run < 300; run++) {
      try {
        decode(cut(noise(random.below(400), random), random))
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolViolation)
      }
    }
  })
})
