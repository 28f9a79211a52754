import { request } from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { jobsDue, signInAs } from '../../testing/factories.ts'
import { importDesk } from '../../testing/import-desk.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount
let token = ''

const { send, upload, see, start, users, emails } = importDesk(app, () => ({ account, token }))

beforeEach(async () => {
  account = await makeAccount(app())
  token = (await signInAs(app(), account.owner)).access_token
})

describe('a file from another program', () => {
  const table = (sign: string) => {
    const { domain } = account
    return (
      ['E-Mail', 'Vorname', 'Paket'].join(sign) +
      '\r\n' +
      [`zoe@${domain}`, 'Zoë', 'kolab'].join(sign) +
      '\r\n'
    )
  }
  const utf16 = (text: string, isBig: boolean) => {
    const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
    return isBig ? bytes.swap16() : bytes
  }
  test.each<[string, () => Buffer]>([
    ['UTF-8', () => Buffer.from(table(','))],
    ['UTF-8 with its mark', () => Buffer.from(`\uFEFF${table(';')}`)],
    ['UTF-16, little end first', () => utf16(table('\t'), false)],
    ['UTF-16, big end first', () => utf16(table(';'), true)],
    ['the letters of old spreadsheets', () => Buffer.from(table(';'), 'latin1')],
    ['bars', () => Buffer.from(table('|'))],
    ['a line that names the separator', () => Buffer.from(`sep=;\r\n${table(';')}`)],
    ['line feeds alone', () => Buffer.from(table(',').replaceAll('\r\n', '\n'))],
    ['empty lines and columns', () => Buffer.from(table(',').replaceAll('\r\n', ',,\r\n,,,,\r\n'))],
    ['quotes around everything', () => Buffer.from(table(',').replaceAll(/[^,\r\n]+/g, '"$&"'))],
  ])('in %s is read', async (_, file) => {
    const batch = await upload(file())
    expect(batch.counts).toMatchObject({ ok: 1, refused: 0 })
    const { rows } = await app().database.pool.query('select input from batch_rows where batch_id = $1', [
      batch.id,
    ])
    expect(rows[0].input.first_name).toBe('Zoë')
  })

  test.each([
    ['email,colour\nx,red', 'The column “colour” isn’t supported.'],
    ['email,E-Mail\nx,y', 'The column “email” appears twice.'],
    ['first_name,package\nx,y', 'The column “email” is missing.'],
    ['', 'This file is empty.'],
    ['\n\n\n', 'This file is empty.'],
    ['email,package\n', 'This file is empty.'],
    ['email,package\n"x,kolab\nno end', expect.stringContaining('can’t be read from line')],
    ['{"email": "x"}', expect.anything()],
    ['\0\0\0\0', expect.anything()],
  ])('%j is refused as a whole', async (file, text) => {
    const { status, body } = await send(file)
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors: { file: text } })
    const { rows } = await app().database.pool.query('select from batches where wallet_id = $1', [
      account.owner.walletId,
    ])
    expect(rows).toEqual([])
  })

  test('with invalid characters is rejected in that row', async () => {
    const batch = await upload(`email,package\na\0b@${account.domain},kolab\nann@${account.domain},kolab\n`)
    expect(batch.counts).toMatchObject({ ok: 1, refused: 1 })
  })

  test('with more than 5000 rows is rejected', async () => {
    const lines = Array.from({ length: 5001 }, (_, number) => `u${number}@${account.domain}`)
    const { status, body } = await send(`email\n${lines.join('\n')}`)
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { file: 'This file has more than 5000 rows. Split it into smaller files.' },
    })
  })

  test('with 5000 rows is checked within seconds', async () => {
    const lines = Array.from(
      { length: 5000 },
      (_, number) => `u${number}@${account.domain},Person ${number},kolab`,
    )
    const batch = await upload(`email,first_name,package\n${lines.join('\n')}`)
    expect(batch).toMatchObject({ state: 'ready', total: 5000, counts: { ok: 5000 } })
  }, 60_000)
})

describe('an upload', () => {
  test('requires permission to create users, and a kind', async () => {
    const csv = { 'content-type': 'text/csv' }
    const as = async (who: { email: string; password: string }) => (await signInAs(app(), who)).access_token
    const call = (bearer: string | undefined, query: string) =>
      app().call(`POST /api/v4/imports?${query}`, { token: bearer, body: 'email\nx', headers: csv })
    expect((await call(undefined, 'kind=users')).status).toBe(401)
    expect((await call(await as(account.member), 'kind=users')).status).toBe(403)
    expect((await call(await as(account.controller), 'kind=users')).status).toBe(200)
    expect((await call(token, 'kind=planets')).body.errors).toHaveProperty('kind')
    expect((await call(token, '')).body.errors).toHaveProperty('kind')
    expect((await call(token, 'kind=users&package=gold')).body.errors).toHaveProperty('package')
  })

  test('is limited to a number of concurrent files', async () => {
    for (let number = 0; number < 20; number++) expect((await send('email\nx')).status).toBe(200)
    expect((await send('email\nx')).status).toBe(422)
  })

  /** Uploads over a real connection, like a browser; returns the response and the number of bytes accepted. */
  async function stream(announce: boolean, megabytes: number) {
    await app()
      .fastify.listen({ port: 0, host: '127.0.0.1' })
      .catch(() => {})
    const address = app().fastify.server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    // a few long rows, so that only the size is too large
    const chunk = Buffer.alloc(1024 * 1024, `${'x'.repeat(100_000)},\n`)
    chunk.write('email,first_name\n')
    let sent = 0
    const status = await new Promise<number>((resolve, reject) => {
      const call = request(
        {
          port,
          host: '127.0.0.1',
          method: 'POST',
          path: '/api/v4/imports?kind=users',
          headers: {
            host: 'localhost:8000',
            authorization: `Bearer ${token}`,
            'content-type': 'text/csv',
            ...(announce && { 'content-length': String(megabytes * chunk.length) }),
          },
        },
        (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
          call.destroy()
        },
      )
      call.on('error', reject)
      const write = () => {
        while (sent < megabytes) {
          sent++
          if (!call.write(chunk)) {
            call.once('drain', write)
            return
          }
        }
        call.end()
      }
      write()
    })
    return { status, sent }
  }

  test.each([true, false])('of a gigabyte is aborted early, announced: %s', async (announce) => {
    const before = process.memoryUsage().rss
    const { status, sent } = await stream(announce, 1024)
    expect(status).toBe(413)
    expect(sent).toBeLessThan(200)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
    const { rows } = await app().database.pool.query('select from batches where wallet_id = $1', [
      account.owner.walletId,
    ])
    expect(rows).toEqual([])
  })
})

describe('a process that crashes during an import', () => {
  async function dieAt(email: string) {
    await app().database.pool.query(`create function die() returns trigger language plpgsql as $$
      begin
        if new.address = '${email}' then
          perform pg_terminate_backend(pg_backend_pid());
        end if;
        return new;
      end $$`)
    await app().database.pool.query(
      'create trigger die before insert on addresses for each row execute function die()',
    )
  }

  async function live() {
    await app().database.pool.query('drop trigger if exists die on addresses')
    await app().database.pool.query('drop function if exists die')
  }

  test.each([0, 7, 19, 20, 24])('at row %i leaves no row half done, and resumes', async (at) => {
    const { domain } = account
    const name = (number: number) => `u${String(number).padStart(2, '0')}@${domain}`
    const lines = Array.from(
      { length: 25 },
      (_, number) => `${name(number)},kolab,,x${number}@elsewhere.test`,
    )
    const { id } = await upload(`email,package,password,external_email\n${lines.join('\n')}`)
    await dieAt(name(at))
    await start(id)
    await app().jobs.drain()
    const half = await see(id)
    expect(half).toMatchObject({ state: 'running', counts: { done: at < 20 ? 0 : 20 } })
    expect(await emails()).toHaveLength(half.counts.done)
    await live()
    await jobsDue(app())
    await app().jobs.drain()
    expect(await see(id)).toMatchObject({ state: 'done', counts: { done: 25, failed: 0 } })
    expect(await emails()).toEqual(Array.from({ length: 25 }, (_, number) => name(number)))
    for (const user of await users()) {
      expect(await skusOf(app(), user.id)).toMatchObject({ mailbox: 1, storage: 5 })
    }
    const mails = (await app().mails()).filter((mail) => mail.text.includes(domain))
    expect(mails).toHaveLength(25)
  })

  test('resumes checking the remaining rows', async () => {
    const { domain } = account
    const { body } = await send(`email,package\nann@${domain},kolab\n`)
    await app().database.pool.query(`create function die() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`)
    await app().database.pool.query(
      'create trigger die before update on batch_rows for each row execute function die()',
    )
    await app().jobs.drain()
    expect(await see(body.batch.id)).toMatchObject({ state: 'checking', counts: { open: 1 } })
    await app().database.pool.query('drop trigger die on batch_rows; drop function die')
    await jobsDue(app())
    await app().jobs.drain()
    expect(await see(body.batch.id)).toMatchObject({ state: 'ready', counts: { ok: 1 } })
  })
})
