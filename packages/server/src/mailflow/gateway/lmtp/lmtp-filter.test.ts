import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { createTransport, type Transporter } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Random } from '../../../billing/simulation/random.ts'
import type { FilterResult } from '../../filter/mail-filter.ts'
import { CalendarBusy } from '../../invitations/delivery/invitation-delivery.ts'
import { cut, noise } from '../../protocols/testing/cuts.ts'
import { TestClient } from '../../protocols/testing/test-client.ts'
import type { Recipient } from '../../recipients/recipient-store.ts'
import { LmtpFilter } from './lmtp-filter.ts'

/** A mail store that keeps what it gets, and refuses some recipients. */
class Store {
  readonly messages: { sender: string; recipient: string; text: string }[] = []
  readonly #server = new SMTPServer({
    ...{ lmtp: true, authOptional: true, logger: false, disabledCommands: ['AUTH', 'STARTTLS'] },
    onRcptTo: ({ address }, _session, done) => {
      if (address.startsWith('gone'))
        done(Object.assign(new Error('5.1.1 Mailbox does not exist'), { responseCode: 550 }))
      else done()
    },
    onData: async (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      for (const { address } of envelope.rcptTo) {
        const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        this.messages.push({ sender, recipient: address, text: Buffer.concat(chunks).toString() })
      }
      if (envelope.rcptTo.some(({ address }) => address.startsWith('full'))) {
        this.messages.pop()
        return done(Object.assign(new Error('5.2.2 Over quota'), { responseCode: 552 }))
      }
      done()
    },
  })

  async listen(): Promise<number> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening))
    return (this.#server.server.address() as AddressInfo).port // it listens on a port
  }

  close = () => new Promise<void>((closed) => this.#server.close(() => closed()))
}

const recipient: Recipient = {
  ...{ kind: 'user', id: 1, tenantId: 0, email: 'jane@acme.test', walletId: null, isSuspended: false },
  ...{ settings: {}, ownerSettings: {}, spfExceptions: [], accountDomains: [] },
}
const text = (body = 'Hello') => `Subject: Test\r\n\r\n${body}\r\n`

let store: Store
let lmtp: LmtpFilter
let client: Transporter
let port: number
let filter: (raw: Buffer) => FilterResult

beforeEach(async () => {
  store = new Store()
  filter = () => ({ kind: 'unchanged' })
  lmtp = new LmtpFilter({
    filter: {
      recipientOf: async (address) => (address.startsWith('jane') ? recipient : undefined),
      filter: async (raw) => filter(raw),
    },
    ...{
      isOn: true,
      mostBytes: 10_000,
      largest: 2_000_000,
      store: { host: '127.0.0.1', port: await store.listen() },
    },
    log: fastify().log,
  })
  port = await lmtp.listen({ host: '127.0.0.1', port: 0 })
  client = createTransport({ host: '127.0.0.1', port, lmtp: true, ignoreTLS: true })
})

afterEach(async () => {
  client.close()
  await lmtp.close()
  await store.close()
})

/** Sends a message and returns the answer for each refused recipient. */
async function send(to: string | string[], raw = text(), from = 'ann@else.test'): Promise<string[]> {
  const outcome = await client
    .sendMail({ envelope: { from, to }, raw })
    .catch((error: { rejectedErrors?: Error[]; response?: string }) => error)
  const errors: readonly { response?: string }[] =
    outcome.rejectedErrors ?? ('envelope' in outcome ? [] : [outcome])
  return errors.map(({ response }) => response ?? 'no answer')
}

describe('the LMTP filter', () => {
  test('passes a message on, with its lines and dots, and an empty sender', async () => {
    const raw = text('.\r\n..dots\r\nGrüezi')
    expect(await send(['bob@acme.test', 'eve@acme.test'], raw, '')).toEqual([])
    expect(store.messages).toEqual([
      { sender: '', recipient: 'bob@acme.test', text: raw },
      { sender: '', recipient: 'eve@acme.test', text: raw },
    ])
  })

  test('changes the message of one recipient and not of the other', async () => {
    filter = () => ({ kind: 'changed', message: Buffer.from(text('Changed')) })
    expect(await send(['jane@acme.test', 'bob@acme.test'])).toEqual([])
    expect(store.messages.map((one) => one.text)).toEqual([text('Changed'), text()])
  })

  test.each([
    ['what the filter rejects', () => ({ kind: 'rejected' }) as const, /^550 5\.7\.1 /],
    [
      'a message while its calendar is being changed, for now',
      () => {
        throw new CalendarBusy()
      },
      /^451 4\.3\.0 /,
    ],
    [
      'a message if the filter fails, for now',
      () => {
        throw new Error('the database is away')
      },
      /^451 4\.3\.0 /,
    ],
  ])('refuses %s', async (_what, result, answer) => {
    filter = result
    expect(await send('jane@acme.test')).toEqual([expect.stringMatching(answer)])
    expect(store.messages).toEqual([])
  })

  test('accepts what the filter has taken care of, and stores nothing', async () => {
    filter = () => ({ kind: 'discarded' })
    expect(await send('jane@acme.test')).toEqual([])
    expect(store.messages).toEqual([])
  })

  test('passes the answers of the store on, for each recipient', async () => {
    expect(await send(['bob@acme.test', 'gone@acme.test', 'full@acme.test'])).toEqual([
      expect.stringMatching(/^550 5\.1\.1 /),
      expect.stringMatching(/^552 5\.2\.2 /),
    ])
    expect(store.messages.map((one) => one.recipient)).toEqual(['bob@acme.test'])
  })

  test('passes large messages on without reading them', async () => {
    filter = () => ({ kind: 'rejected' })
    const large = text('line\r\n'.repeat(200_000))
    expect(await send('jane@acme.test', large)).toEqual([])
    expect(store.messages[0]?.text).toBe(large)
  })

  test('has messages tried again while the store is away', async () => {
    await store.close()
    expect(await send('bob@acme.test')).toEqual([expect.stringMatching(/^451 4\.3\.0 /)])
  })
})

describe('a hostile client of the LMTP filter', () => {
  /** The next answer; the lines of a longer one before its last are skipped. */
  const answer = (raw: TestClient) =>
    raw.receive((received) => {
      const [all, last = ''] = /^(?:\d{3}-.*\r\n)*(\d{3}(?: .*)?)\r\n/.exec(received.toString('latin1')) ?? []
      return all === undefined ? undefined : ([last, all.length] as const)
    })

  async function greet(): Promise<TestClient> {
    const raw = await TestClient.connect(port)
    expect(await answer(raw)).toMatch(/^220 /)
    raw.send('LHLO mx.test\r\n')
    expect(await answer(raw)).toMatch(/^250 /)
    return raw
  }

  async function begin(to: readonly string[]): Promise<TestClient> {
    const raw = await greet()
    raw.send('MAIL FROM:<ann@else.test>\r\n')
    for (const recipient of to) raw.send(`RCPT TO:<${recipient}>\r\n`)
    raw.send('DATA\r\n')
    for (let left = to.length + 2; left > 1; left--) expect(await answer(raw)).toMatch(/^250 /)
    expect(await answer(raw)).toMatch(/^354 /)
    return raw
  }

  test('that sends a message without end gets a final answer, and can go on', async () => {
    const raw = await begin(['jane@acme.test', 'bob@acme.test'])
    const body = Buffer.from('line\r\n'.repeat(10_000))
    for (let sent = 0; sent < 4_000_000; sent += body.length) await raw.sendAll(body)
    raw.send('.\r\n')
    expect([await answer(raw), await answer(raw)]).toEqual([
      expect.stringMatching(/^552 5\.3\.4 /),
      expect.stringMatching(/^552 5\.3\.4 /),
    ])
    expect(store.messages).toEqual([])
    raw.send('NOOP\r\n')
    expect(await answer(raw)).toMatch(/^250 /)
    raw.end()
  })

  test('that breaks off within a message delivers nothing', async () => {
    const raw = await begin(['bob@acme.test'])
    await raw.sendAll(Buffer.from(text('x'.repeat(50_000))))
    raw.reset()
    expect(await send('eve@acme.test')).toEqual([])
    expect(store.messages.map((one) => one.recipient)).toEqual(['eve@acme.test'])
  })

  test('that sends a command without end, or noise, is turned away, and others are served', async () => {
    const endless = await greet()
    for (let sent = 0; sent < 50; sent++) await endless.sendAll(Buffer.alloc(1000, 'x'))
    expect((await endless.rest()).toString()).not.toContain('250')
    const luck = new Random(7)
    const noisy = await Promise.all(Array.from({ length: 20 }, greet))
    for (const one of noisy) for (const part of cut(noise(2000, luck), luck)) one.send(part)
    expect(await send('eve@acme.test')).toEqual([])
    for (const one of noisy) one.reset()
  })

  test('gets no more recipients and connections than the limits', async () => {
    const raw = await greet()
    raw.send('MAIL FROM:<ann@else.test>\r\n')
    expect(await answer(raw)).toMatch(/^250 /)
    raw.send(Array.from({ length: 1001 }, (_, at) => `RCPT TO:<n${at}@acme.test>\r\n`).join(''))
    const answers: (string | undefined)[] = []
    for (let left = 1001; left > 0; left--) answers.push((await answer(raw))?.slice(0, 3))
    expect([answers.filter((code) => code === '250').length, answers.at(-1)]).toEqual([1000, '452'])
    const many = await Promise.all(Array.from({ length: 200 }, () => TestClient.connect(port)))
    const greetings = await Promise.all(many.map(answer))
    expect(greetings.filter((line) => line?.startsWith('421'))).toHaveLength(1)
    for (const one of [raw, ...many]) one.reset()
  })
})
