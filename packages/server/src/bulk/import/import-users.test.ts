import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, packageOf, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { makeUser, setStatus, signInAs } from '../../testing/factories.ts'
import { importDesk } from '../../testing/import-desk.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount
let token = ''

const { send, upload, see, start, emails } = importDesk(app, () => ({ account, token }))

beforeEach(async () => {
  account = await makeAccount(app())
  token = (await signInAs(app(), account.owner)).access_token
})

const rowsOf = async (id: string, query = '') =>
  (await app().call(`GET /api/v4/batches/${id}/rows${query}`, { token })).body.list

async function finish(id: string) {
  await start(id)
  await app().jobs.drain()
  return see(id)
}

const texts = (row: { messages: { field: string | null; text: string }[] }) =>
  row.messages.map((one) => (one.field === null ? one.text : `${one.field}: ${one.text}`))

describe('an import file of users', () => {
  test('is checked first, with its price, and creates no users', async () => {
    const file = `email,first_name,package\nann@${account.domain},Ann,kolab\nbob@${account.domain},Bob,kolab\n`
    const batch = await upload(file)
    expect(batch).toMatchObject({
      kind: 'import',
      objects: 'users',
      action: 'create',
      state: 'ready',
      total: 2,
      counts: { ok: 2, refused: 0 },
      canStart: true,
    })
    const packageId = await packageOf(app(), 'kolab')
    const single = (await account.as('owner', 'POST /api/v4/users/preview', { package: packageId })).body
    expect(batch.price.monthly.next - batch.price.monthly.now).toBe(2 * single.monthly.next)
    expect(batch.price.dueNow).toBe(0)
    expect(await emails()).toEqual([])
  })

  test('creates its users with all values in their rows', async () => {
    const { domain } = account
    const file = [
      'email;first_name;last_name;organization;phone;external_email;country;aliases;package;quota;password',
      `ann@${domain};Ann;"Smith; Jones";ACME;"'+41 44 123";ann@elsewhere.test;de;a@${domain} b@${domain};Groupware Account;7;secret-anchor`,
    ].join('\r\n')
    const { id, counts } = await upload(file)
    expect(counts).toMatchObject({ ok: 1 })
    expect(await finish(id)).toMatchObject({ state: 'done', counts: { done: 1 } })
    const [row] = await rowsOf(id)
    const { body } = await account.as('owner', `GET /api/v4/users/${row.objectId}`)
    expect(body).toMatchObject({
      email: `ann@${domain}`,
      aliases: [`a@${domain}`, `b@${domain}`],
      isReady: true,
      settings: {
        first_name: 'Ann',
        last_name: 'Smith; Jones',
        organization: 'ACME',
        phone: '+41 44 123',
        external_email: 'ann@elsewhere.test',
        country: 'DE',
      },
    })
    expect(await skusOf(app(), row.objectId)).toMatchObject({ storage: 7, groupware: 1 })
    const login = { email: `ann@${domain}`, password: 'secret-anchor' }
    expect((await signInAs(app(), login)).id).toBe(row.objectId)
  })

  test('costs what was previewed, including quotas', async () => {
    const { domain } = account
    const kolab = await packageOf(app(), 'kolab')
    const file = `email,package,quota\na@${domain},,\nb@${domain},lite,8\nc@${domain},kolab,20\nd@${domain},kolab,20\n`
    const { id, price } = await upload(file, `kind=users&package=${kolab}`)
    await finish(id)
    const { rows } = await app().database.pool.query(
      'select sum(cost)::int as sum from entitlements where wallet_id = $1 and deleted_at is null',
      [account.owner.walletId],
    )
    expect(rows[0].sum).toBe(price.monthly.next)
  })

  test('without passwords creates links and mails them to users with another address', async () => {
    const { domain } = account
    const file = `email,external_email,package\nann@${domain},ann@elsewhere.test,kolab\nbob@${domain},,kolab\n`
    const { id } = await upload(file)
    await finish(id)
    const mails = (await app().mails()).filter((mail) => JSON.stringify(mail).includes(domain))
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain(`ann@${domain}`)
    const link = /password-reset\/([A-Z0-9]+)-([\w-]+)/.exec(mails[0]?.text ?? '')
    const body = {
      short_code: link?.[1],
      code: link?.[2],
      password: 'chosen-anchor',
      password_confirmation: 'chosen-anchor',
    }
    app().clock.advance(6 * 24 * 3600)
    expect((await app().call('POST /api/auth/password-reset', { body })).status).toBe(200)
    token = (await signInAs(app(), account.owner)).access_token
    const [, bob] = await rowsOf(id)
    const page = await app().call(`GET /api/v4/users/${bob.objectId}`, { token })
    expect(page.body.passwordLinkCode).toMatch(/^[A-Z0-9]+-/)
  })

  test('keeps passwords encrypted, and only until they are used', async () => {
    const { domain } = account
    const file = `email,package,password\nann@${domain},kolab,hush hush 12\nbob@${domain},kolab,x\n`
    const { id } = await upload(file)
    const secrets = async () =>
      (await app().database.pool.query('select * from batch_rows where batch_id = $1 order by n', [id])).rows
    const before = await secrets()
    expect(JSON.stringify(before)).not.toContain('hush')
    expect(before.map((row) => row.secret === null)).toEqual([false, true])
    expect(texts((await rowsOf(id))[1])).toEqual(['password: This password doesn’t meet all the rules.'])
    await finish(id)
    expect((await secrets()).map((row) => row.secret)).toEqual([null, null])
    const { rows } = await app().database.pool.query(`select data from event_log where object_id = any($1)`, [
      before.map((row) => row.object_id),
    ])
    expect(JSON.stringify(rows)).not.toContain('hush')
  })

  test('reports all errors of each row at once', async () => {
    const { domain } = account
    const stranger = await makeAccount(app())
    await app().database.pool.query(`update domains set status = 1 where namespace = $1`, [stranger.domain])
    const file = [
      'email,first_name,aliases,package,quota,password,phone',
      `member@${domain},,,kolab,,,`,
      `not an address,,,kolab,,,`,
      `x@nowhere.test,,,kolab,,,`,
      `x@${stranger.domain},,,kolab,,,`,
      `new@${domain},,,gold,,,`,
      `new2@${domain},,,domain-hosting,,,`,
      `new3@${domain},,,,,,`,
      `new4@${domain},,,kolab,ten,,`,
      `new5@${domain},,,kolab,1000,,`,
      `new6@${domain},,,kolab,,abc,`,
      `new7@${domain},,bad controller@${domain},kolab,,,call me`,
      `,,,kolab,,,`,
      `twice@${domain},,,kolab,,,`,
      `TWICE@${domain},,,kolab,,,`,
      `new8@${domain},,twice@${domain},kolab,,,`,
      `too,few`,
    ].join('\n')
    const batch = await upload(file)
    const rows = await rowsOf(batch.id, '?size=50')
    expect(
      Object.fromEntries(rows.map((row: Parameters<typeof texts>[0] & { n: number }) => [row.n, texts(row)])),
    ).toEqual({
      2: ['email: This entry is already in use.'],
      3: ['email: This entry isn’t valid.'],
      4: ['email: This domain name isn’t valid.'],
      5: ['email: This domain isn’t available.'],
      6: ['package: The package “gold” doesn’t exist.'],
      7: ['package: This package can’t be used here. Choose another one.'],
      8: ['package: Choose a package.'],
      9: ['quota: Enter a whole number, 0 or more.'],
      10: [expect.stringMatching(/^quota: .*at most 100 GB/)],
      11: ['password: This password doesn’t meet all the rules.'],
      12: expect.arrayContaining([
        'aliases: This entry isn’t valid.',
        'aliases: This entry is already in use.',
        'phone: This text contains characters that aren’t allowed.',
      ]),
      13: ['email: Fill in this field.'],
      14: [],
      15: [`“twice@${domain}” is already in row 14.`],
      16: [`“twice@${domain}” is already in row 14.`],
      17: ['This row has more or fewer cells than the header.'],
    })
    expect(batch.counts).toMatchObject({ ok: 1, refused: 15 })
    const only = await rowsOf(batch.id, '?state=ok')
    expect(only).toHaveLength(1)
    expect(await finish(batch.id)).toMatchObject({ counts: { done: 1, refused: 15 } })
    expect(await emails()).toEqual([`twice@${domain}`])
  })

  test('reports an address that was taken after the check', async () => {
    const { domain } = account
    const { id } = await upload(`email,package\nann@${domain},kolab\nbob@${domain},kolab\n`)
    await account.as('owner', 'POST /api/v4/users', account.newUser({ email: `ann@${domain}` }))
    expect(await finish(id)).toMatchObject({ state: 'done', counts: { done: 1, failed: 1 } })
    const [failed] = await rowsOf(id, '?state=failed')
    expect(texts(failed)).toEqual(['email: This entry is already in use.'])
  })

  test('is started once, even from two tabs', async () => {
    const { domain } = account
    const { id } = await upload(`email,package\nann@${domain},kolab\n`)
    const answers = await Promise.all([start(id), start(id), start(id)])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    await app().jobs.drain()
    expect(await see(id)).toMatchObject({ state: 'done', counts: { done: 1, failed: 0 } })
    expect((await start(id)).body.batch.state).toBe('done')
    await app().jobs.drain()
    expect(await emails()).toEqual([`ann@${domain}`])
  })

  test('cannot be started before it was checked, or after it was cancelled', async () => {
    const { body } = await send(`email,package\nann@${account.domain},kolab\n`)
    expect((await start(body.batch.id)).status).toBe(409)
    await app().call(`POST /api/v4/batches/${body.batch.id}/cancel`, { token, body: {} })
    await app().jobs.drain()
    expect((await start(body.batch.id)).status).toBe(409)
    expect(await emails()).toEqual([])
  })

  test('creates no users if the account had to be paid in the meantime', async () => {
    const { id } = await upload(`email,package\nann@${account.domain},kolab\n`)
    await setStatus(app(), account.owner, userStatus.active | userStatus.imapReady | userStatus.degraded)
    expect(await finish(id)).toMatchObject({ state: 'done', counts: { failed: 1 } })
    expect((await send('email\nx')).status).toBe(403)
  })

  test('has results as a file', async () => {
    const { domain } = account
    const { id } = await upload(`email,package\nann@${domain},kolab\n"=cmd|' /C calc'!A0",kolab\n`)
    const answer = await app().call(`GET /api/v4/batches/${id}/export?bom=1`, { token })
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="outcome-\d{4}-\d\d-\d\d\.csv"$/,
    )
    expect(answer.body.replace('\uFEFF', '').split('\r\n')).toEqual([
      '"row","object","state","message","id"',
      `2,"ann@${domain}","ok",,`,
      `3,"'=cmd|' /C calc'!A0","refused","email: This entry isn’t valid.",`,
      '',
    ])
    expect((await app().call(`GET /api/v4/batches/${id}/export`)).status).toBe(401)
    const stranger = (await signInAs(app(), await makeUser(app()))).access_token
    expect((await app().call(`GET /api/v4/batches/${id}/export`, { token: stranger })).status).toBe(403)
    expect((await app().call('GET /api/v4/batches/x/export', { token })).status).toBe(404)
  })
})
