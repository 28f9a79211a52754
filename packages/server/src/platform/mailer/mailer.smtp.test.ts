import { once } from 'node:events'
import { createServer } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { InvalidMailError, MailerConfigError, MailServerError, RecipientsRefusedError } from './errors.ts'
import type { MailMessage } from './mail-message.ts'
import { createMailer, type Mailer } from './mailer.ts'

interface Received {
  raw: string
  mail: ParsedMail
  from: string | false
  to: string[]
}

const cleanUp: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const task of cleanUp.splice(0).reverse()) await task()
})

const hello: MailMessage = {
  to: { address: 'jane@example.test', name: 'Jane' },
  subject: 'Hello',
  text: 'Hello Jane',
  html: '<p>Hello Jane</p>',
}

/**
 * A real mail server that stores what it receives, rejects `refused@…` permanently and `later@…` temporarily.
 */
async function mailServer(options: SMTPServerOptions = {}): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('refused'))
        return done(Object.assign(new Error('no such user'), { responseCode: 550 }))
      if (address.startsWith('later'))
        return done(Object.assign(new Error('try later'), { responseCode: 451 }))
      done()
    },
    async onData(stream, session, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const raw = Buffer.concat(chunks).toString('latin1')
      const { mailFrom, rcptTo } = session.envelope
      const mail = await simpleParser(Buffer.concat(chunks))
      received.push({
        raw,
        mail,
        from: mailFrom ? mailFrom.address : false,
        to: rcptTo.map(({ address }) => address),
      })
      done()
    },
    ...options,
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  cleanUp.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { port: portOf(server.server.address()), received }
}

function portOf(address: unknown): number {
  if (typeof address === 'object' && address && 'port' in address && typeof address.port === 'number') {
    return address.port
  }
  throw new Error('The server does not listen.')
}

function mailerTo(port: number): Mailer {
  const mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    outboxFolder: '/nowhere',
    from: { address: 'noreply@example.test', name: 'Gatehouse' },
    replyTo: { address: 'support@example.test' },
  })
  cleanUp.push(() => mailer.close())
  return mailer
}

async function delivered(message: MailMessage): Promise<Received> {
  const { port, received } = await mailServer()
  await mailerTo(port).send(message)
  expect(received).toHaveLength(1)
  const [first] = received
  if (!first) throw new Error('Nothing was received.')
  return first
}

describe('an e-mail sent by SMTP', () => {
  it('arrives with both bodies, our sender and the reply address', async () => {
    const { mail, raw, from, to } = await delivered({ ...hello, cc: { address: 'ned@example.test' } })
    expect(raw).toMatch(/^Content-Type: multipart\/alternative;/m)
    expect(mail.text?.trim()).toBe('Hello Jane')
    expect(mail.html).toBe('<p>Hello Jane</p>')
    expect(mail.from?.value).toEqual([{ address: 'noreply@example.test', name: 'Gatehouse' }])
    expect(mail.replyTo?.value[0]?.address).toBe('support@example.test')
    expect(from).toBe('noreply@example.test')
    expect(to).toEqual(['jane@example.test', 'ned@example.test'])
  })

  it('is plain text only when there is no HTML', async () => {
    const { mail, raw } = await delivered({ ...hello, html: undefined })
    expect(raw).toMatch(/^Content-Type: text\/plain; charset=utf-8/m)
    expect(mail.html).toBe(false)
  })

  it('preserves non-ASCII characters in subject, names and text', async () => {
    const subject =
      'Bestätigen Sie Ihre Größe: déjà vu, 日本語 und ein sehr langer Rest des Betreffs, der umbricht'
    const { mail, raw } = await delivered({
      ...hello,
      subject,
      to: { address: 'zoe@example.test', name: 'Zoë Müller, "die Große"' },
      text: 'Grüße\n.\nund ein Punkt allein',
    })
    expect(mail.subject).toBe(subject)
    expect(mail.to).toMatchObject({
      value: [{ name: 'Zoë Müller, "die Große"', address: 'zoe@example.test' }],
    })
    expect(mail.text?.trim()).toBe('Grüße\n.\nund ein Punkt allein')
    expect(raw).toMatch(/^[\t\r\n\x20-\x7e]*$/)
  })

  it('returns the Message-ID', async () => {
    const { port, received } = await mailServer()
    const { id } = await mailerTo(port).send(hello)
    expect(received[0]?.mail.messageId).toBe(id)
  })

  it('carries the allowed headers', async () => {
    const { mail } = await delivered({ ...hello, headers: { 'Auto-Submitted': 'auto-generated' } })
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
  })
})

describe('a malicious e-mail', () => {
  const injection = 'Jane\r\nBcc: everyone@example.test\r\n\r\n<h1>Buy</h1>'

  it('cannot inject a header through the reply-to name', async () => {
    const { mail, to } = await delivered({
      ...hello,
      replyTo: { address: 'j@example.test', name: injection },
    })
    expect(mail.bcc).toBeUndefined()
    expect(mail.headers.has('bcc')).toBe(false)
    expect(to).toEqual(['jane@example.test'])
    expect(mail.replyTo?.value).toEqual([
      { address: 'j@example.test', name: 'Jane Bcc: everyone@example.test <h1>Buy</h1>' },
    ])
    expect(mail.text?.trim()).toBe('Hello Jane')
  })

  it('cannot add a recipient through a name that looks like an address', async () => {
    const name = '"x" <evil@example.test>, other@example.test'
    const { mail, to } = await delivered({ ...hello, to: { address: 'jane@example.test', name } })
    expect(to).toEqual(['jane@example.test'])
    expect(mail.to).toMatchObject({ value: [{ address: 'jane@example.test', name }] })
  })

  it('cannot inject a header through the subject or another header', async () => {
    const { mail } = await delivered({ ...hello, subject: injection, headers: { 'X-Note': injection } })
    expect(mail.headers.has('bcc')).toBe(false)
    expect(mail.subject).toBe('Jane Bcc: everyone@example.test <h1>Buy</h1>')
    expect(mail.headers.get('x-note')).toBe('Jane Bcc: everyone@example.test <h1>Buy</h1>')
  })

  it.each([
    'jane@example.test\r\nBcc: x@example.test',
    'Jane <jane@example.test>',
    'a@example.test, b@example.test',
    '"evil@evil.test x"@example.test',
    'a@b@example.test',
    'jane',
    '',
    'jane@exam ple.test',
    `${'a'.repeat(400)}@example.test`,
  ])('is rejected with the address %j', async (address) => {
    const mailer = mailerTo(1)
    await expect(mailer.send({ ...hello, to: { address } })).rejects.toThrow(InvalidMailError)
    await expect(mailer.send({ ...hello, replyTo: { address } })).rejects.toThrow(InvalidMailError)
  })

  it.each(['Bcc', 'From', 'Content-Type', 'X-A\r\nBcc', 'X-A: b'])(
    'is rejected with the header %j',
    async (name) => {
      await expect(mailerTo(1).send({ ...hello, headers: { [name]: 'x' } })).rejects.toThrow(InvalidMailError)
    },
  )

  it('is rejected without a recipient', async () => {
    await expect(mailerTo(1).send({ ...hello, to: [] })).rejects.toThrow(InvalidMailError)
  })
})

describe('an e-mail that the server rejects', () => {
  async function refusal(...recipients: string[]): Promise<unknown> {
    const { port } = await mailServer()
    const to = recipients.map((name) => ({ address: `${name}@example.test` }))
    return mailerTo(port)
      .send({ ...hello, to })
      .catch((error: unknown) => error)
  }

  it('rejects permanently when the recipient is unknown', async () => {
    const error = await refusal('refused')
    expect(error).toBeInstanceOf(RecipientsRefusedError)
    expect(error).toMatchObject({ permanent: true, refused: ['refused@example.test'], accepted: [] })
  })

  it('rejects temporarily when the server defers the recipient', async () => {
    expect(await refusal('later')).toMatchObject({ name: 'RecipientsRefusedError', permanent: false })
  })

  it('rejects and lists the accepted recipients when only some are refused', async () => {
    expect(await refusal('jane', 'refused')).toMatchObject({
      name: 'RecipientsRefusedError',
      permanent: true,
      refused: ['refused@example.test'],
      accepted: ['jane@example.test'],
    })
  })

  it('rejects when the server refuses the contents', async () => {
    const { port } = await mailServer({
      onData(stream, _session, done) {
        stream.resume()
        stream.on('end', () => done(Object.assign(new Error('spam'), { responseCode: 554 })))
      },
    })
    await expect(mailerTo(port).send(hello)).rejects.toMatchObject({
      name: 'MailServerError',
      permanent: true,
      responseCode: 554,
    })
  })

  it('rejects temporarily when no server is listening', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const port = portOf(closed.address())
    await new Promise((resolve) => closed.close(resolve))
    const sending = mailerTo(port).send(hello)
    await expect(sending).rejects.toThrow(MailServerError)
    await expect(sending).rejects.toMatchObject({ permanent: false })
  })

  it('rejects after the mailer is closed', async () => {
    const { port } = await mailServer()
    const mailer = mailerTo(port)
    await mailer[Symbol.asyncDispose]()
    await expect(mailer.send(hello)).rejects.toThrow(MailServerError)
  })
})

describe('a mailer', () => {
  it.each(['mail.example.test', 'http://mail.example.test', 'smtp://', 'smtp://h:port'])(
    'rejects the server %j',
    (smtpUrl) => {
      const options = { smtpUrl, outboxFolder: '/nowhere', from: { address: 'noreply@example.test' } }
      expect(() => createMailer(options)).toThrow(MailerConfigError)
    },
  )

  it('does not reveal the password of a server address that it rejects', () => {
    const options = {
      smtpUrl: 'smtp:/u:hunter2@h',
      outboxFolder: '/nowhere',
      from: { address: 'n@example.test' },
    }
    expect(() => createMailer(options)).toThrow(/^((?!hunter2).)*$/s)
  })

  it('rejects a sender that is not an address', () => {
    expect(() => createMailer({ outboxFolder: '/nowhere', from: { address: 'nobody' } })).toThrow(
      MailerConfigError,
    )
  })
})
