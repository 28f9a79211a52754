import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../clock.ts'
import { createMailer, type Mailer } from './mailer.ts'

let folder: string
let mailer: Mailer
const clock = new ManualClock(new Date('2030-01-02T03:04:05.678Z'))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outbox-'))
  mailer = createMailer({
    outboxFolder: join(folder, 'outbox'),
    from: { address: 'noreply@example.test', name: 'Gatehouse' },
    clock,
  })
})

afterEach(async () => {
  await mailer.close()
  await rm(folder, { recursive: true })
})

async function send(subject: string): Promise<string> {
  const message = {
    to: { address: 'jane@example.test', name: 'Jane' },
    subject,
    text: 'Grüße',
    html: '<p>Grüße</p>',
  }
  return (await mailer.send(message)).id
}

describe('the outbox', () => {
  it('is empty before the first message', async () => {
    expect(await mailer.listOutbox({ limit: 10 })).toEqual([])
  })

  it('stores a message as a file that mail clients can open', async () => {
    const id = await send('Größe')
    const eml = await readFile(join(folder, 'outbox', `${id}.eml`))
    const mail = await simpleParser(eml)
    expect(mail.subject).toBe('Größe')
    expect(mail.from?.text).toBe('"Gatehouse" <noreply@example.test>')
    expect(mail.text?.trim()).toBe('Grüße')
    expect(mail.html).toBe('<p>Grüße</p>')
    expect(mail.date).toEqual(new Date('2030-01-02T03:04:05Z'))
    expect(eml.toString('latin1')).not.toMatch(/[^\r]\n/)
  })

  it('shows a message without parsing it', async () => {
    const id = await send('Hello')
    expect(await mailer.readOutbox(id)).toEqual({
      id,
      sentAt: '2030-01-02T03:04:05.678Z',
      from: { address: 'noreply@example.test', name: 'Gatehouse' },
      to: [{ address: 'jane@example.test', name: 'Jane' }],
      cc: [],
      subject: 'Hello',
      text: 'Grüße',
      html: '<p>Grüße</p>',
    })
  })

  it('lists the newest messages first, up to the limit, without contents', async () => {
    await send('first')
    await send('second')
    clock.advance(60)
    await send('third')
    const list = await mailer.listOutbox({ limit: 2 })
    expect(list.map(({ subject }) => subject)).toEqual(['third', 'second'])
    expect(list[0]).not.toHaveProperty('text')
    expect(list[0]).not.toHaveProperty('html')
  })

  it('stores many messages at once, each under its own name', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => send(`mail ${index}`)))
    expect(new Set(ids).size).toBe(20)
    expect(await mailer.listOutbox({ limit: 100 })).toHaveLength(20)
  })

  it('leaves no temporary files and makes files readable by the owner only', async () => {
    const id = await send('Secret')
    const files = await readdir(join(folder, 'outbox'))
    expect(files.sort()).toEqual([`${id}.eml`, `${id}.json`])
    for (const file of files) expect((await stat(join(folder, 'outbox', file))).mode & 0o077).toBe(0)
  })

  it('ignores files that it did not write', async () => {
    await send('ours')
    await writeFile(join(folder, 'outbox', 'other.eml'), 'Subject: other\r\n\r\n')
    expect((await mailer.listOutbox({ limit: 10 })).map(({ subject }) => subject)).toEqual(['ours'])
  })

  it.each([
    '../secret',
    '..%2Fsecret',
    '/etc/passwd',
    '',
    '20300102T030405678Z-../../../../../../../../../etc/x',
  ])('does not read the id %j', async (id) => {
    await writeFile(join(folder, 'secret.json'), '{}')
    expect(await mailer.readOutbox(id)).toBeUndefined()
  })
})
