import { describe, expect, test } from 'vitest'
import { readLogLine } from './log-line.ts'

const now = new Date('2026-03-10T12:00:00Z')
const time = '2026-03-10T11:59:58.123456+00:00'
const at = new Date('2026-03-10T11:59:58.123Z')

const read = (text: string, server = 'mx1') => readLogLine(`${time} ${server} ${text}`, now)
const common = { loggedAt: at, server: 'mx1', queueId: '4bTk6q2yzXz9' }

describe('the log of Postfix', () => {
  test.each([
    [
      'postfix/smtpd[12]: 4bTk6q2yzXz9: client=mail.elsewhere.test[192.0.2.7]',
      { event: 'received', clientAddress: '192.0.2.7' },
    ],
    [
      'postfix/submission/smtpd[12]: 4bTk6q2yzXz9: client=unknown[2001:db8::7], sasl_method=PLAIN, sasl_username=jane@acme.test',
      { event: 'received', clientAddress: '2001:db8::7' },
    ],
    ['postfix/pickup[12]: 4bTk6q2yzXz9: uid=0 from=<root>', { event: 'received' }],
    [
      'postfix/cleanup[12]: 4bTk6q2yzXz9: message-id=<1@elsewhere.test>',
      { event: 'message-id', messageId: '<1@elsewhere.test>' },
    ],
    [
      'postfix/qmgr[12]: 4bTk6q2yzXz9: from=<Ann@Elsewhere.test>, size=2048, nrcpt=2 (queue active)',
      { event: 'queued', sender: 'ann@elsewhere.test', size: 2048 },
    ],
    [
      'postfix/qmgr[12]: 4bTk6q2yzXz9: from=<>, size=1, nrcpt=1 (queue active)',
      { event: 'queued', sender: '', size: 1 },
    ],
    [
      'postfix/qmgr[12]: 4bTk6q2yzXz9: from=<ann@elsewhere.test>, status=expired, returned to sender',
      { event: 'expired', sender: 'ann@elsewhere.test' },
    ],
    ['postfix/qmgr[12]: 4bTk6q2yzXz9: removed', { event: 'removed' }],
    [
      'postfix/lmtp[12]: 4bTk6q2yzXz9: to=<jane@acme.test>, orig_to=<info@acme.test>, relay=imap.acme.test[private/lmtp], delay=0.5, delays=0.1/0/0/0.4, dsn=2.0.0, status=sent (250 2.1.5 Ok)',
      {
        ...{
          event: 'sent',
          recipient: 'jane@acme.test',
          originalRecipient: 'info@acme.test',
          status: '2.0.0',
        },
        ...{ relay: 'imap.acme.test[private/lmtp]', response: '250 2.1.5 Ok' },
      },
    ],
    [
      'postfix-out/smtp[12]: 4bTk6q2yzXz9: to=<ann@elsewhere.test>, relay=mx.elsewhere.test[192.0.2.7]:25, conn_use=2, delay=1, delays=1/0/0/0, dsn=4.7.1, status=deferred (host said: 450 4.7.1 Later (in reply to RCPT TO command))',
      {
        ...{ event: 'deferred', recipient: 'ann@elsewhere.test', relay: 'mx.elsewhere.test[192.0.2.7]:25' },
        ...{ status: '4.7.1', response: 'host said: 450 4.7.1 Later (in reply to RCPT TO command)' },
      },
    ],
    [
      'postfix/smtp[12]: 4bTk6q2yzXz9: to=<ann@elsewhere.test>, relay=none, delay=1, dsn=5.4.4, status=bounced (Host not found)',
      {
        ...{ event: 'bounced', recipient: 'ann@elsewhere.test', relay: 'none', status: '5.4.4' },
        response: 'Host not found',
      },
    ],
    [
      'postfix/bounce[12]: 4bTk6q2yzXz9: sender non-delivery notification: 4bTk6q2yzXz8',
      { event: 'notified' },
    ],
    [
      'postfix/cleanup[12]: 4bTk6q2yzXz9: hold: header Subject: x from mx; from=<> to=<>',
      { event: 'held', response: 'header Subject: x from mx; from=<> to=<>' },
    ],
    ['postfix/postsuper[12]: 4bTk6q2yzXz9: placed on hold', { event: 'held' }],
    ['postfix/postsuper[12]: 4bTk6q2yzXz9: released from hold', { event: 'released' }],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual({ ...common, ...expected })
  })

  test.each([
    'postfix/smtpd[12]: NOQUEUE: reject: RCPT from a[192.0.2.7]: 450 4.7.1 Later; from=<a@b.test> to=<c@d.test>',
    'postfix/smtpd[12]: connect from mail.elsewhere.test[192.0.2.7]',
    'postfix/smtpd[12]: 4bTk6q2yzXz9: client=mail]elsewhere[192.0.2.7]',
    'postfix/qmgr[12]: 4bTk6q2yzXz9: from=<a@b.test>, size=x, nrcpt=1 (queue active)',
    'postfix/lmtp[12]: 4bTk6q2yzXz9: to=<a@b.test>, relay=none, delay=1, dsn=2.0.0, status=perhaps (x)',
    'postfix/lmtp[12]: 4bTk6q2yzXz9: to=<a@b.test, relay=none, delay=1, dsn=2.0.0, status=sent (x)',
    'postfix/constructor[12]: 4bTk6q2yzXz9: removed',
    'dovecot: lmtp(jane@acme.test): saved',
    '',
  ])('says nothing about a message in %j', (text) => {
    expect(read(text)).toBeUndefined()
  })

  test('an address in quotes cannot contain another result', () => {
    const text = `postfix/smtp[12]: 4bTk6q2yzXz9: to=<"x>, relay=none, dsn=2.0.0, status=sent (ok)"@elsewhere.test>, relay=none, delay=1, dsn=5.1.1, status=bounced (no)`
    expect(read(text)).toMatchObject({ event: 'bounced', status: '5.1.1' })
  })

  test.each([
    ['a content filter on the same host', '127.0.0.1[127.0.0.1]:10024', '4bTk6q2yzXz0'],
    ['another server', 'mx.elsewhere.test[192.0.2.7]:25', undefined],
    ['another server with a name like an address', '127.0.0.1[192.0.2.7]:25', undefined],
  ])('the next queue id from %s', (_, relay, nextQueueId) => {
    const text = `postfix/smtp[12]: 4bTk6q2yzXz9: to=<a@b.test>, relay=${relay}, delay=1, dsn=2.0.0, status=sent (250 2.0.0 from MTA: 250 2.0.0 Ok: queued as 4bTk6q2yzXz0)`
    expect(read(text)?.nextQueueId).toBe(nextQueueId)
  })
})

describe('times', () => {
  const line = (start: string) => `${start} mx1 postfix/qmgr[12]: 4bTk6q2yzXz9: removed`

  test.each([
    ['2026-03-10T12:59:58+01:00', new Date('2026-03-10T11:59:58Z')],
    ['2026-03-10T11:59:58Z', new Date('2026-03-10T11:59:58Z')],
    ['Mar  9 08:07:06', new Date(2026, 2, 9, 8, 7, 6)],
    ['Dec 31 23:59:59', new Date(2025, 11, 31, 23, 59, 59)],
  ])('%s', (start, expected) => {
    expect(readLogLine(line(start), now)?.loggedAt).toEqual(expected)
  })

  test.each(['2026-13-41T11:59:58Z', 'Foo 10 11:59:58', 'Mar 10 24:00:00', 'Mar 00 11:00:00', '1773144000'])(
    '%s is no time',
    (start) => {
      expect(readLogLine(line(start), now)).toBeUndefined()
    },
  )
})

describe('hostile lines', () => {
  /** Small deterministic generator, so that a failure can be repeated. */
  function randomNumbers(seed: number): (below: number) => number {
    let state = seed
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state % below
    }
  }

  const pieces = [
    ...[
      'to=<',
      '>',
      '"',
      '\\',
      ', ',
      'orig_to=<',
      'relay=none, ',
      'delay=1, ',
      'dsn=2.0.0, ',
      'status=sent (',
      ')',
    ],
    ...[
      'from=<',
      'size=1, nrcpt=1 ',
      'client=',
      '[192.0.2.7]',
      'message-id=<',
      '@acme.test',
      '\u0000',
      '\ud800',
      'ä',
    ],
  ]
  const programs = ['smtpd', 'cleanup', 'qmgr', 'smtp', 'bounce', 'postsuper']

  test('never throw and never give control characters', () => {
    const random = randomNumbers(7)
    for (let round = 0; round < 20_000; round += 1) {
      const text = Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join('')
      const step = read(`postfix/${programs[random(programs.length)]}[1]: 4bTk6q2yzXz9: ${text}`)
      expect(JSON.stringify(step) ?? '').not.toMatch(/\\u0000/)
    }
  })

  test.each([
    ['quotes', '"'.repeat(16_000)],
    ['backslashes', `"${'\\'.repeat(16_000)}`],
    ['attributes', 'to=<a@b.test>, relay=none, '.repeat(600)],
    ['delays', `to=<a@b.test>, relay=none, ${'delay=1, '.repeat(1700)}`],
    ['brackets', `client=${'['.repeat(16_000)}`],
  ])('with many %s are read at once', (_, text) => {
    const start = performance.now()
    for (const program of programs) read(`postfix/${program}[1]: 4bTk6q2yzXz9: to=<${text}`)
    for (const program of programs) read(`postfix/${program}[1]: 4bTk6q2yzXz9: ${text}`)
    expect(performance.now() - start).toBeLessThan(500)
  })

  test('longer than any of Postfix are left out', () => {
    expect(read(`postfix/cleanup[1]: 4bTk6q2yzXz9: message-id=<${'x'.repeat(20_000)}>`)).toBeUndefined()
  })
})
