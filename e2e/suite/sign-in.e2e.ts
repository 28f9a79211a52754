import { request } from 'node:https'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ImapClient } from './support/imap-client.ts'
import {
  callAs,
  describeSuite,
  jane,
  messageTo,
  newSubject,
  openMailbox,
  owner,
  query,
  sendFromOutside,
  submit,
  suite,
  suiteCommand,
} from './support/suite.ts'

const calendar = `/dav/calendars/user/${jane}/`

/** Asks the store for a collection through nginx. Returns the status. */
function propfind(path: string, user: string, password: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        ...{ host: '127.0.0.1', port: suite().ports.https, rejectUnauthorized: false },
        ...{ path, method: 'PROPFIND', auth: `${user}:${password}` },
        headers: { Depth: '0', 'Content-Type': 'application/xml', Host: 'localhost' },
      },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    call.once('error', reject)
    call.end('<propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>')
  })
}

async function newAppPassword(): Promise<string> {
  const fields = { name: 'Phone', scopes: ['imap', 'dav'] }
  const { secret } = await callAs<{ secret: string }>(jane, 'POST', '/api/v4/app-passwords', fields)
  return secret
}

describeSuite('sign-in of mail programs', () => {
  let secret: string
  beforeAll(async () => {
    secret = await newAppPassword()
  })

  test('works with an app password for what it is made for', async () => {
    await using mailbox = await openMailbox({ user: jane, password: secret })
    expect(await mailbox.send('SELECT INBOX')).toContain('EXISTS')
    expect(await propfind(calendar, jane, secret)).toBe(207)
    expect(await propfind(calendar, jane, 'wrong')).toBe(403)
    // it isn't for sending
    const message = { from: jane, to: owner, subject: newSubject() }
    expect(await submit({ user: jane, password: secret }, message)).toContain('535')
  })

  test('records the address of the client, which the proxy knows', async () => {
    // the portal keeps one use a minute
    const password = await newAppPassword()
    await using mailbox = await openMailbox({ user: jane, password }, '127.0.0.7')
    await mailbox.send('NOOP')
    const lastUse = async () => {
      const { list } = await callAs<{ list: { lastUse: { ipAddress: string } | null }[] }>(
        jane,
        'GET',
        '/api/v4/app-passwords',
      )
      return list[0]?.lastUse?.ipAddress
    }
    await expect.poll(lastUse).toBe('127.0.0.7')
  })

  test('is refused where the user has locked sign-in to countries', async () => {
    const lock = `insert into user_settings select id, 'limit_geo', '["CH"]' from users where email = $1`
    await query(lock, [jane])
    try {
      await expect(openMailbox({ user: jane })).rejects.toThrow(/LOGIN/)
      const message = { from: jane, to: owner, subject: newSubject() }
      expect(await submit({ user: jane }, message)).toContain('535')
      expect(await propfind(calendar, jane, secret)).toBe(403)
    } finally {
      await query(`delete from user_settings where key = 'limit_geo'`)
    }
  })

  test('offers STARTTLS on the plain port, and no sign-in to the store without the portal', async () => {
    await using plain = await ImapClient.connect({ port: suite().ports.imap })
    expect(await plain.send('CAPABILITY')).toContain('STARTTLS')
    await using store = await ImapClient.connect({ port: suite().ports.storeImap })
    await expect(store.login(jane, 'wrong')).rejects.toThrow('LOGIN')
  })

  test('reaches ManageSieve', async () => {
    const greeting = await new Promise<string>((resolve, reject) => {
      const socket = connect(suite().ports.sieve, '127.0.0.1')
      socket.once('error', reject)
      socket.once('data', (bytes) => {
        // the server doesn't like to be left without a word
        socket.end('LOGOUT\r\n')
        resolve(bytes.toString())
      })
    })
    expect(greeting).toContain('"SIEVE"')
  })
})

describeSuite('a suspended user', () => {
  beforeAll(() => suiteCommand('command', 'user:suspend', jane))
  afterAll(() => suiteCommand('command', 'user:unsuspend', jane))

  test('neither signs in, sends nor receives, and is back within 5 seconds', async () => {
    await expect(openMailbox({ user: jane })).rejects.toThrow('LOGIN')
    expect(await submit({ user: jane }, { from: jane, to: owner, subject: newSubject() })).toContain('535')
    const incoming = { from: 'ann@supplier.test', to: jane, subject: newSubject() }
    expect(await sendFromOutside(incoming)).toContain('550 5.1.1')

    await suiteCommand('command', 'user:unsuspend', jane)
    const subject = newSubject()
    const sent = () => submit({ user: jane }, { from: jane, to: jane, subject })
    await expect.poll(sent, { timeout: 5000 }).toMatch(/^250/)
    await messageTo({ user: jane }, subject)
  })
})
