import { afterAll, beforeAll, expect, test } from 'vitest'
import { AuthenticatorApp } from '../support/authenticator-app.ts'
import { calendarsOf, propfind } from './support/dav.ts'
import { ImapClient } from './support/imap-client.ts'
import { newPerson, type Person } from './support/people.ts'
import { signInToSieve } from './support/sieve-client.ts'
import {
  callAs,
  callWith,
  describeSuite,
  jane,
  type Login,
  messageTo,
  newSubject,
  openMailbox,
  owner,
  query,
  sendFromOutside,
  submit,
  suite,
  suiteCommand,
  tokenOf,
} from './support/suite.ts'

async function newAppPassword(
  { user, password }: Login = { user: jane },
  scopes = ['imap', 'dav'],
): Promise<string> {
  const fields = { name: 'Phone', scopes }
  const { secret } = await callAs<{ secret: string }>(user, 'POST', '/api/v4/app-passwords', fields, password)
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
    expect(await propfind(calendarsOf(jane), { user: jane, password: secret })).toBe(207)
    expect(await propfind(calendarsOf(jane), { user: jane, password: 'wrong' })).toBe(403)
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
      expect(await propfind(calendarsOf(jane), { user: jane, password: secret })).toBe(403)
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

  test('reaches ManageSieve with an app password', async () => {
    expect(await signInToSieve(jane, secret)).toMatch(/^OK/)
    expect(await signInToSieve(jane, 'wrong')).toMatch(/^NO/)
  })
})

describeSuite('a user with a second factor', () => {
  test('signs in to mail, calendars and filters with app passwords only', async () => {
    const person = await newPerson()
    const secret = await newAppPassword(person, ['imap', 'smtp', 'dav'])
    const app = { user: person.user, password: secret }
    await enrol(person)
    await expect(openMailbox(person)).rejects.toThrow('LOGIN')
    const message = { from: person.user, to: person.user, subject: newSubject() }
    expect(await submit(person, message)).toContain('535')
    expect(await propfind(calendarsOf(person.user), person)).toBe(403)
    expect(await signInToSieve(person.user, person.password)).toMatch(/^NO/)

    expect(await submit(app, message)).toMatch(/^250/)
    await messageTo(app, message.subject)
    expect(await propfind(calendarsOf(person.user), app)).toBe(207)
    expect(await signInToSieve(person.user, secret)).toMatch(/^OK/)
  })

  /** Adds an authenticator app. */
  async function enrol({ user, password }: Person): Promise<void> {
    const token = await tokenOf(user, password)
    const { id, secret } = await callWith<{ id: string; secret: string }>(
      token,
      ...(['POST', '/api/v4/factors/totp', { label: 'Phone' }] as const),
    )
    const code = new AuthenticatorApp(secret).next()
    await callWith(token, 'POST', `/api/v4/factors/totp/${id}/confirm`, { code })
  }
})

/** Opens a mailbox and waits for new mail. Resolves with the reason when the server ends the connection. */
async function idle(login: Login): Promise<{ readonly ended: Promise<string> }> {
  const mailbox = await openMailbox(login)
  await mailbox.send('SELECT INBOX')
  const ended = mailbox.send('IDLE').then(
    () => 'answered',
    (error: unknown) => String(error),
  )
  return { ended }
}

describeSuite('an open IMAP connection', () => {
  test('is closed within 5 seconds after the user has changed their password', async () => {
    const person = await newPerson()
    const { ended } = await idle(person)
    const began = performance.now()
    await callAs(
      ...([person.user, 'PUT', `/api/v4/users/${person.id}`] as const),
      { password: 'another-anchor-43', password_confirmation: 'another-anchor-43' },
      person.password,
    )
    expect(await ended).toContain('closed')
    expect(performance.now() - began).toBeLessThan(5000)
  })
})

describeSuite('a suspended user', () => {
  let suspension: { readonly ended: Promise<string>; readonly at: number }
  beforeAll(async () => {
    const { ended } = await idle({ user: jane })
    await suiteCommand('command', 'user:suspend', jane)
    suspension = { ended, at: performance.now() }
  })
  afterAll(() => suiteCommand('command', 'user:unsuspend', jane))

  test('loses the open connection, neither signs in, sends nor receives, and is back within 5 seconds', async () => {
    expect(await suspension.ended).toContain('closed')
    expect(performance.now() - suspension.at).toBeLessThan(5000)
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
