import { beforeAll, describe, expect, test } from 'vitest'
import { invitationStatus } from '../../signup/grants/invitation-store.ts'
import { makeDomain, makeTenant, makeTenantHost, makeUser } from '../../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp({ APP_TENANT_ID: '9' })
let reseller: MadeStaff
let other: MadeStaff

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  const tenantId = await makeTenant(app(), 9)
  await makeDomain(app(), 'partner.test', { tenantId })
  await makeTenantHost(app(), tenantId, 'https://mail.partner.test', {
    'app.name': 'Partner Mail',
    'mail.sender.address': 'hello@partner.test',
  })
  reseller = await makeStaff(app(), 'reseller', tenantId)
  other = await makeStaff(app(), 'reseller', await makeTenant(app(), 8))
  await makeUser(app(), {
    tenantId,
    email: 'member@example.test',
    settings: { external_email: 'Private@elsewhere.test' },
  })
})

const invite = (email: string) => reseller.call('POST /api/v4/invitations', { body: { email } })

const upload = (body: string | Buffer, query = '') =>
  reseller.call(`POST /api/v4/invitations/import${query}`, { body, headers: { 'content-type': 'text/csv' } })

async function states(search: string) {
  const { body } = await reseller.call(`GET /api/v4/invitations?search=${encodeURIComponent(search)}`)
  return body.list
}

describe('an invitation', () => {
  test("is new, then sent in the tenant's name, and can be used once", async () => {
    const { status, body } = await invite('Guest@Elsewhere.test')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        count: 1,
        message: '1 invitation created.',
        invitation: { email: 'guest@elsewhere.test', isNew: true },
      },
    })
    const { id } = body.invitation
    const [mail] = await app().mails()
    expect(mail).toMatchObject({ subject: 'You’re invited to join Partner Mail' })
    expect(JSON.stringify(mail)).toContain('hello@partner.test')
    expect(mail?.text).toContain(`https://mail.partner.test/signup/invite/${id}`)
    expect(await states('guest@elsewhere.test')).toMatchObject([
      { isNew: false, isSent: true, isExpired: false },
    ])
    expect((await app().call(`GET /api/auth/signup/invitations/${id}`)).status).toBe(200)
    await app()
      .database.db.updateTable('signupInvitations')
      .set({ expiresAt: app().clock.now() })
      .where('id', '=', id)
      .execute()
    expect(await states('guest@elsewhere.test')).toMatchObject([{ isExpired: true }])
    expect((await app().call(`GET /api/auth/signup/invitations/${id}`)).status).toBe(404)
    const again = await reseller.call(`POST /api/v4/invitations/${id}/resend`, { body: {} })
    expect(again.body.invitation).toMatchObject({ isNew: true, isExpired: false })
    expect((await app().mails()).filter((one) => one.text?.includes(id))).toHaveLength(2)
  })

  test.each([
    ['guest@elsewhere.test', 'Already invited'],
    ['member@example.test', 'Already has an account'],
    ['private@elsewhere.test', 'Already has an account'],
    ['nobody', 'Enter a valid e-mail address.'],
  ])('of %s is rejected at its field', async (email, sentence) => {
    const { status, body } = await invite(email)
    expect(status).toBe(422)
    expect([body.errors.email].flat()[0]).toBe(sentence)
  })

  test('whose mail fails is marked as failed with the error, and can be resent', async () => {
    const { body } = await invite('late@elsewhere.test')
    const { db } = app().database
    await db
      .updateTable('tenants')
      .set({ settings: JSON.stringify({ 'mail.sender.address': 'no address' }) })
      .where('id', '=', 9)
      .execute()
    await app().jobs.drain()
    expect(await states('late@elsewhere.test')).toMatchObject([{ isFailed: true, error: expect.any(String) }])
    await db.updateTable('tenants').set({ settings: '{}' }).where('id', '=', 9).execute()
    await reseller.call(`POST /api/v4/invitations/${body.invitation.id}/resend`, { body: {} })
    await app().jobs.drain()
    expect(await states('late@elsewhere.test')).toMatchObject([{ isSent: true, error: null }])
  })

  test('may contain names, which appear in the mail and at sign-up', async () => {
    const { body } = await reseller.call('POST /api/v4/invitations', {
      body: { email: 'ada@elsewhere.test', first_name: 'Ada', last_name: 'Lovelace' },
    })
    const { id } = body.invitation
    expect(body.invitation).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' })
    const mail = (await app().mails()).find(({ text }) => text?.includes(id))
    expect(mail?.text).toContain('Ada Lovelace')
    expect((await app().call(`GET /api/auth/signup/invitations/${id}`)).body).toEqual({
      id,
      first_name: 'Ada',
      last_name: 'Lovelace',
    })
    expect(await states('ada@elsewhere.test')).toMatchObject([{ first_name: 'Ada', last_name: 'Lovelace' }])
  })

  test('that was used is not resent', async () => {
    const { body } = await invite('used@elsewhere.test')
    const { id } = body.invitation
    await app().jobs.drain()
    await app()
      .database.db.updateTable('signupInvitations')
      .set({ status: invitationStatus.completed })
      .where('id', '=', id)
      .execute()
    const answer = await reseller.call(`POST /api/v4/invitations/${id}/resend`, { body: {} })
    expect({ status: answer.status, message: answer.body.message }).toEqual({
      status: 409,
      message: 'This invitation has already been used. It can’t be sent again.',
    })
    await app().jobs.drain()
    expect((await app().mails()).filter(({ text }) => text?.includes(id))).toHaveLength(1)
  })

  test('that is deleted is neither sent nor usable', async () => {
    const { body } = await invite('never@elsewhere.test')
    const { id } = body.invitation
    expect((await reseller.call(`DELETE /api/v4/invitations/${id}`)).status).toBe(200)
    expect((await app().mails()).some((mail) => mail.text?.includes(id))).toBe(false)
    expect((await reseller.call(`DELETE /api/v4/invitations/${id}`)).status).toBe(404)
  })

  test('of another tenant is not found', async () => {
    const { body } = await invite('ours@elsewhere.test')
    const { id } = body.invitation
    expect((await other.call(`POST /api/v4/invitations/${id}/resend`, { body: {} })).status).toBe(404)
    expect((await other.call(`DELETE /api/v4/invitations/${id}`)).status).toBe(404)
    expect((await other.call('GET /api/v4/invitations')).body.list).toEqual([])
  })
})

describe('a file', () => {
  const outcomes = (body: { rows: { row: number; outcome: string }[] }) =>
    body.rows.map(({ row, outcome }) => [row, outcome])

  test('reports the outcome of each line', async () => {
    const text =
      'address;name\r\na@file.test;A\r\n\r\nA@File.test;again\r\nnot@an address\r\nmember@example.test\r\nnobody;B\r\n'
    const preview = await upload(text, '?preview=1')
    const expected = [
      [2, 'created'],
      [4, 'repeated'],
      [5, 'invalid'],
      [6, 'member'],
      [7, 'invalid'],
    ]
    expect(outcomes(preview.body)).toEqual(expected)
    expect(preview.body).toMatchObject({ count: 1, message: '1 person will be invited.' })
    expect(await states('a@file.test')).toEqual([])
    const { body } = await upload(text)
    expect(outcomes(body)).toEqual(expected)
    expect(await states('a@file.test')).toMatchObject([{ isNew: true }])
    expect(outcomes((await upload(text)).body)[0]).toEqual([2, 'invited'])
  })

  test.each([
    ['without headings', 'x1@names.test,Ada,Lovelace\nx2@names.test,Grace,\n'],
    ['with headings', 'Nachname;Vorname;E-Mail\nLovelace;Ada;y1@names.test\n;Grace;y2@names.test\n'],
    ['with whole names', 'email\tname\nz1@names.test\tAda Lovelace\nz2@names.test\tGrace\n'],
  ])('gives the names of people %s', async (_, text) => {
    expect((await upload(text)).status).toBe(200)
    const [letter = ''] = text.match(/[xyz](?=1@)/) ?? []
    expect(await states(`${letter}1@names.test`)).toMatchObject([
      { first_name: 'Ada', last_name: 'Lovelace' },
    ])
    expect(await states(`${letter}2@names.test`)).toMatchObject([{ first_name: 'Grace', last_name: null }])
  })

  test.each<[string, (text: string) => Buffer]>([
    ['UTF-8', (text) => Buffer.from(text)],
    ['UTF-8 with a mark', (text) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['Latin-1', (text) => Buffer.from(text, 'latin1')],
  ])('is read in %s', async (name, encode) => {
    const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}@encoded.test`
    const { status, body } = await upload(encode(`${email},Müller\n`))
    expect({ status, rows: body.rows }).toMatchObject({
      status: 200,
      rows: [{ row: 1, email, outcome: 'created' }],
    })
  })

  test.each([
    ['', 'an empty file'],
    ['e-mail,name\n', 'a file of headings only'],
    ['"a@b.test', 'a broken file'],
  ])('%j is an error at file: %s', async (text) => {
    const { status, body } = await upload(text)
    expect({ status, keys: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, keys: ['file'] })
  })

  test('without any address has an error on each line', async () => {
    const { status, body } = await upload('Ada Lovelace\n\nGrace Hopper\n', '?preview=1')
    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 0, message: 'No one will be invited.' })
    expect(outcomes(body)).toEqual([
      [1, 'invalid'],
      [3, 'invalid'],
    ])
  })

  test('is limited to 5000 addresses and one megabyte', async () => {
    const many = Array.from({ length: 5001 }, (_, n) => `n${n}@many.test`).join('\n')
    expect((await upload(many)).status).toBe(422)
    expect((await upload('x'.repeat(1024 * 1024 + 1))).status).toBe(413)
  })
})

test('two concurrent invitations of one address create one invitation', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => invite('race@elsewhere.test')))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 422, 422])
})
