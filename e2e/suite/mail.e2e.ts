import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { beforeAll, expect, test } from 'vitest'
import {
  callAs,
  describeSuite,
  jane,
  messageTo,
  ned,
  newSubject,
  owner,
  query,
  sendFromOutside,
  submit,
} from './support/suite.ts'

const domain = 'acme.test'

describeSuite('mail between users', () => {
  test('is submitted with STARTTLS, delivered, and read through the mail proxy', async () => {
    const subject = newSubject()
    expect(await submit({ user: owner }, { from: owner, to: jane, subject })).toMatch(/^250 2\.0\.0 Ok/)
    const text = await messageTo({ user: jane }, subject)
    expect(text).toContain(`(Authenticated sender: ${owner})`)
    expect(text).toMatch(/^Authentication-Results: mail\.suite\.test; auth=pass/m)
  })

  test('shows the client address behind the proxy to the policies', async () => {
    const subject = newSubject()
    expect(await submit({ user: owner }, { from: owner, to: jane, subject }, '127.0.0.9')).toMatch(/^250/)
    await messageTo({ user: jane }, subject)
    const rows = await query<{ clientAddress: string }>(
      `select client_address as "clientAddress" from mail_decisions
       where policy = 'rate' and sender = $1 order by decided_at desc limit 1`,
      [owner],
    )
    expect(rows).toEqual([{ clientAddress: '127.0.0.9' }])
  })

  test('is refused with a wrong password, and under the address of someone else', async () => {
    const message = { from: owner, to: jane, subject: newSubject() }
    expect(await submit({ user: owner, password: 'wrong' }, message)).toMatch(/535/)
    expect(await submit({ user: jane }, message)).toContain('[M8]')
  })

  test('is sent by a delegate as the delegator', async () => {
    const subject = newSubject()
    expect(await submit({ user: ned }, { from: owner, to: jane, subject })).toMatch(/^250/)
    expect(await messageTo({ user: jane }, subject)).toContain(`(Authenticated sender: ${ned})`)
  })

  test('has a DKIM signature of its domain that verifies', async () => {
    const keys = await query<{ selector: string; publicKey: string; algorithm: string }>(
      `select selector, public_key as "publicKey", algorithm from dkim_keys k
       join domains d on d.id = k.domain_id where d.namespace = $1`,
      [domain],
    )
    // what the domain's owner would publish
    const records = new Map(
      keys.map(({ selector, publicKey, algorithm }) => [
        `${selector}._domainkey.${domain}`,
        `v=DKIM1; k=${algorithm}; p=${publicKey}`,
      ]),
    )
    expect(records.size).toBe(2)
    const subject = newSubject()
    expect(await submit({ user: owner }, { from: owner, to: jane, subject })).toMatch(/^250/)
    const text = await messageTo({ user: jane }, subject)
    const { results } = await dkimVerify(text, {
      resolver: async (name: string) => [[records.get(name) ?? '']],
    })
    expect(results.map(({ status, signingDomain }) => [status.result, signingDomain])).toEqual(
      [...records].map(() => ['pass', domain]),
    )
  })
})

describeSuite('mail from outside', () => {
  test('is delivered with the results of SPF', async () => {
    const subject = newSubject()
    const from = 'ann@supplier.test'
    expect(await sendFromOutside({ from, to: jane, subject })).toMatch(/^250/)
    const text = await messageTo({ user: jane }, subject)
    expect(text).toMatch(/^Authentication-Results: mail\.suite\.test;[\s\S]*?spf=pass/m)
  })

  test('is refused if SPF denies the server, if nobody has the address, and for other hosts', async () => {
    const subject = newSubject()
    expect(await sendFromOutside({ from: 'info@bank.test', to: jane, subject })).toContain('[S3]')
    const from = 'ann@supplier.test'
    expect(await sendFromOutside({ from, to: 'nobody@acme.test', subject })).toContain('550 5.1.1')
    expect(await sendFromOutside({ from, to: 'ann@elsewhere.test', subject })).toContain('554 5.7.1')
    expect(await sendFromOutside({ from: owner, to: jane, subject })).toContain('553 5.7.1')
  })

  test('is delayed by greylisting, and accepted when its sender tries again later', async () => {
    const from = `${newSubject()}@unproved.test`
    const message = { from, to: jane, subject: newSubject() }
    expect(await sendFromOutside(message)).toMatch(/450 4\.7\.1 .*\[G1\]/)
    expect(await sendFromOutside(message)).toContain('[G2]')
    await query(`update greylist_contacts set first_seen = first_seen - interval '6 minutes'`)
    expect(await sendFromOutside(message)).toMatch(/^250/)
    await messageTo({ user: jane }, message.subject)
  })

  test('is accepted at once after the recipient let it through', async () => {
    const from = 'caller@other.unproved.test'
    const message = { from, to: ned, subject: newSubject() }
    expect(await sendFromOutside(message)).toContain('[G1]')
    await callAs(ned, 'POST', '/api/v4/mail/let-through', { sender: from, recipient: ned })
    expect(await sendFromOutside(message)).toMatch(/^250/)
    await messageTo({ user: ned }, message.subject)
  })
})

describeSuite('a resource', () => {
  const reasonOf = async (messageId: string) => {
    const rows = await query<{ reason: string }>(
      `select reason from mail_decisions where policy = 'booking' and message_id = $1`,
      [messageId],
    )
    return rows[0]?.reason
  }

  /** Invites a resource for an hour, and returns what became of it. */
  async function invite(resource: string, hour = '10'): Promise<string | undefined> {
    const messageId = `<${newSubject()}@acme.test>`
    const content = [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', 'METHOD:REQUEST', 'BEGIN:VEVENT'],
      ...[`UID:${newSubject()}`, 'DTSTAMP:20260101T000000Z', 'SEQUENCE:0', 'SUMMARY:Planning'],
      ...[`DTSTART:20330301T${hour}0000Z`, `DTEND:20330301T${hour}3000Z`, `ORGANIZER:mailto:${owner}`],
      ...[
        `ATTENDEE;CUTYPE=RESOURCE;PARTSTAT=NEEDS-ACTION:mailto:${resource}`,
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ],
    ].join('\r\n')
    const message = { from: owner, to: resource, subject: newSubject(), messageId }
    expect(await submit({ user: owner }, { ...message, icalEvent: { method: 'REQUEST', content } })).toMatch(
      /^250/,
    )
    await expect.poll(() => reasonOf(messageId), { timeout: 30_000 }).toBeDefined()
    return reasonOf(messageId)
  }

  test('is booked by invitation, refuses the second one, and asks its manager', async () => {
    const { id } = await callAs<{ id: number }>(owner, 'POST', '/api/v4/resources', {
      ...{ name: 'Suite room', domain },
    })
    const { email } = await callAs<{ email: string }>(owner, 'GET', `/api/v4/resources/${id}`)
    const isReady = async () =>
      (await callAs<{ isReady: boolean }>(owner, 'GET', `/api/v4/resources/${id}/status`)).isReady
    await expect.poll(isReady, { timeout: 30_000 }).toBe(true)
    expect(await invite(email)).toBe('booking.accepted')
    expect(await invite(email)).toBe('booking.conflict')

    await callAs(owner, 'POST', `/api/v4/resources/${id}/config`, { invitation_policy: `manual:${jane}` })
    expect(await invite(email, '14')).toBe('booking.awaits-manager')
    const { list } = await callAs<{ list: { id: string }[] }>(jane, 'GET', '/api/v4/booking-requests')
    const answer = { answer: 'accept' }
    const path = `/api/v4/booking-requests/${list[0]?.id}/answer`
    expect(await callAs(jane, 'POST', path, answer)).toMatchObject({ outcome: 'accepted' })
    // the time is taken now
    expect(await invite(email, '14')).toBe('booking.conflict')
  })
})

describeSuite('a distribution list', () => {
  const list = 'suite-team@acme.test'
  let id: number
  beforeAll(async () => {
    const created = await callAs<{ id: number }>(owner, 'POST', '/api/v4/groups', {
      email: list,
      name: 'Suite team',
      members: [jane, ned],
    })
    id = created.id
  })

  test('reaches all members', async () => {
    const subject = newSubject()
    expect(await submit({ user: owner }, { from: owner, to: list, subject })).toMatch(/^250/)
    await messageTo({ user: jane }, subject)
    await messageTo({ user: ned }, subject)
  })

  test('that is closed refuses strangers with a code, and shows the refusal to its owner', async () => {
    await callAs(owner, 'POST', `/api/v4/groups/${id}/config`, { members_may_send: true })
    const from = 'stranger@supplier.test'
    expect(await sendFromOutside({ from, to: list, subject: newSubject() })).toContain('[L5]')
    const answer = () => callAs<unknown>(owner, 'GET', `/api/v4/mail/messages?person=${from}`)
    await expect.poll(async () => JSON.stringify(await answer())).toContain('list.not-allowed')
  })
})
