import { beforeAll, describe, expect, test } from 'vitest'
import { makeDomain, makeTenant, makeUser } from '../../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { type Answer, useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const path = 'POST /api/v4/invitations'
let reseller: MadeStaff

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  const tenantId = await makeTenant(app(), 9)
  reseller = await makeStaff(app(), 'reseller', tenantId)
  await makeUser(app(), { tenantId, email: 'member@example.test' })
})

/** Sends a form like a browser. */
async function send(form: FormData): Promise<Answer> {
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const type = request.headers.get('content-type') ?? ''
  const body = Buffer.from(await request.arrayBuffer())
  return reseller.call(path, { body, headers: { 'content-type': type } })
}

function withFile(content: string | Buffer, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([content]), 'people.csv')
  return form
}

const sendFile = (content: string | Buffer) => send(withFile(content))
const count = async () => {
  const { body } = await reseller.call('GET /api/v4/invitations?size=100')
  return body.count
}

describe('a form with a file', () => {
  test('invites the address on each line, and takes precedence over an address', async () => {
    const text = 'E-mail,Name\r\n\r\n one@form.test ,One\r\nTwo@form.test,Two\r\n'
    const { status, body } = await send(withFile(text, { email: 'ignored@form.test' }))
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'success', message: '2 invitations created.', count: 2 },
    })
    const { body: page } = await reseller.call('GET /api/v4/invitations')
    const emails = page.list.map(({ email }: { email: string }) => email)
    expect(emails.sort()).toEqual(['one@form.test', 'two@form.test'])
    expect((await app().mails()).filter(({ subject }) => subject?.startsWith('You’re invited'))).toHaveLength(
      2,
    )
  })

  test('reports the outcome of each line', async () => {
    const { body } = await sendFile('new@form.test\nnew@form.test\none@form.test\nmember@example.test\n')
    const rows = body.rows.map((row: { row: number; outcome: string }) => `${row.row} ${row.outcome}`)
    expect(rows).toEqual(['1 created', '2 repeated', '3 invited', '4 member'])
    expect(body.count).toBe(1)
  })

  test('with a line without "@" invites no one and names the line', async () => {
    const before = await count()
    const { status, body } = await sendFile('E-mail\nfine@form.test\nno address\n')
    expect(status).toBe(422)
    expect(body.errors).toEqual({ file: 'Line 3: “no address” isn’t an e-mail address. No one was invited.' })
    expect(await count()).toBe(before)
  })

  test('with an invalid address invites no one and names the line', async () => {
    const before = await count()
    const { status, body } = await sendFile('fine@form.test\n\nbroken@\n')
    expect(status).toBe(422)
    expect(body.errors).toEqual({ file: 'Line 3: “broken@” isn’t an e-mail address. No one was invited.' })
    expect(await count()).toBe(before)
  })

  test('without any address invites no one and names each line', async () => {
    const { status, body } = await sendFile('Ada Lovelace\n\nGrace Hopper\n')
    expect(status).toBe(422)
    expect(body.errors.file).toEqual([
      'Line 1: “Ada Lovelace” isn’t an e-mail address. No one was invited.',
      'Line 3: “Grace Hopper” isn’t an e-mail address. No one was invited.',
    ])
  })

  test.each<[string, (text: string) => Buffer]>([
    ['utf8', (text) => Buffer.from(text)],
    ['utf8-marked', (text) => Buffer.from(`\uFEFF${text}`)],
    ['utf16-little', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['utf16-big', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['latin1', (text) => Buffer.from(text, 'latin1')],
    ['windows1252', (text) => Buffer.concat([Buffer.from(text.trim(), 'latin1'), Buffer.from([0x93, 0x80])])],
  ])('is read in %s', async (name, encode) => {
    const email = `${name}@encoded.test`
    const { status, body } = await sendFile(encode(`${email};Jörg Müller\n`))
    expect(status).toBe(200)
    expect(body.rows[0]).toMatchObject({ row: 1, email, outcome: 'created' })
  })

  test.each([
    ['', 'string'],
    ['e-mail,name\n', 'string'],
    ['"a@b.test', 'string'],
  ])('%j is an error at file', async (content, kind) => {
    const { status, body } = await sendFile(content)
    expect(status).toBe(422)
    expect(typeof body.errors.file).toBe(kind)
  })

  test('is limited to 5000 addresses and one megabyte', async () => {
    const many = Array.from({ length: 5001 }, (_, n) => `n${n}@many.test`).join('\n')
    expect((await sendFile(many)).body.errors).toEqual({
      file: 'This file has more than 5000 rows. Split it into smaller files.',
    })
    expect((await sendFile('x'.repeat(1024 * 1024 + 1))).status).toBe(413)
    expect((await sendFile('x'.repeat(2 * 1024 * 1024))).status).toBe(413)
  })

  test('that is malformed is rejected', async () => {
    for (const [type, body] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=x', '--y\r\n\r\n--y--'],
      ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="file"; filename="a'],
    ]) {
      const answer = await reseller.call(path, { body, headers: { 'content-type': type ?? '' } })
      expect(answer.status, body).toBe(400)
    }
  })
})

describe('a field that is not a file', () => {
  test('is an error at file, as a list', async () => {
    const form = new FormData()
    form.set('file', 'a@b.test')
    for (const answer of [await send(form), await reseller.call(path, { body: { file: 'a@b.test' } })]) {
      expect(answer.status).toBe(422)
      expect(answer.body.errors.file).toEqual([expect.any(String)])
    }
  })

  test('is treated as an address, in a form as in JSON', async () => {
    const form = new FormData()
    form.set('email', ' Single@form.test ')
    expect((await send(form)).body).toMatchObject({ count: 1, invitation: { email: 'single@form.test' } })
    for (const body of [{}, { email: '' }, { email: 'nobody' }, { email: 5 }]) {
      expect((await reseller.call(path, { body })).body.errors).toEqual({ email: [expect.any(String)] })
    }
  })
})

test('resending one invitation is throttled', async () => {
  const { body } = await reseller.call(path, { body: { email: 'patient@form.test' } })
  const again = async () => {
    await app().jobs.drain()
    return (await reseller.call(`POST /api/v4/invitations/${body.invitation.id}/resend`, { body: {} })).status
  }
  const statuses: number[] = []
  for (let time = 0; time < 7; time++) statuses.push(await again())
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
  app().clock.advance(60)
  expect(await again()).toBe(200)
})

test('an invitation deleted while its mail waits for a retry is not sent', async () => {
  const { db } = app().database
  const set = (settings: object) =>
    db
      .updateTable('tenants')
      .set({ settings: JSON.stringify(settings) })
      .where('id', '=', 9)
      .execute()
  await set({ 'mail.sender.address': 'no address' })
  const { body } = await reseller.call(path, { body: { email: 'regret@form.test' } })
  const { id } = body.invitation
  await app().jobs.drain()
  await reseller.call(`DELETE /api/v4/invitations/${id}`)
  await set({})
  app().clock.advance(24 * 3600)
  expect((await app().mails()).some(({ text }) => text?.includes(id))).toBe(false)
  expect((await reseller.call('GET /api/v4/jobs')).status).toBe(404)
})
