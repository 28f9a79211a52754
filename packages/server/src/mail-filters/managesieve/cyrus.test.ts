import type { FilterRule, OutOfOffice } from '@gatehouse/contract/mail/mail-filters'
import { simpleParser } from 'mailparser'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { actAs, CommandRefused, type SieveAccess } from '../../provisioning/managesieve/session.ts'
import { freePort } from '../../testing/free-port.ts'
import { cyrusPassword, hasCyrus, startTestCyrus, type TestCyrus } from '../../testing/servers/cyrus.ts'
import { readMessages, sendImap } from '../../testing/servers/cyrus-mail.ts'
import { noReply, testPeople, testReply, testRule } from '../sieve/filter.test-data.ts'
import { writeScript } from '../sieve/write-script.ts'
import { ScriptRefused } from '../sieve-server.ts'
import { ManageSieveServer } from './managesieve-server.ts'

interface Sent {
  readonly from: string
  readonly to: string
  readonly subject: string | undefined
  readonly text: string | undefined
}

describe.skipIf(!hasCyrus)('filters on Cyrus IMAP (needs root and cyrus-imapd)', () => {
  let cyrus: TestCyrus
  let access: SieveAccess
  let server: ManageSieveServer
  let relay: SMTPServer
  let sent: Sent[] = []
  let user = ''
  let counter = 0

  beforeAll(async () => {
    const port = await freePort()
    relay = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData: (stream, { envelope }, done) => {
        void simpleParser(stream).then(({ subject, text }) => {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
          sent.push({ from, to: envelope.rcptTo[0]?.address ?? '', subject, text })
          done()
        })
      },
    })
    await new Promise<void>((listening) => relay.listen(port, '127.0.0.1', listening))
    cyrus = await startTestCyrus({ relay: `127.0.0.1:${port}` })
    access = { host: '127.0.0.1', port: cyrus.ports.sieve, ...cyrus.admin }
    server = new ManageSieveServer(access)
  })

  afterAll(async () => {
    await cyrus?.[Symbol.asyncDispose]()
    relay?.close(() => undefined)
  })

  beforeEach(async () => {
    sent = []
    user = `user${++counter}@acme.test`
    await sendImap(cyrus, cyrus.admin.name, cyrus.admin.password, [`CREATE "user/${user}"`])
  })

  const upload = (rules: readonly FilterRule[], outOfOffice: OutOfOffice = noReply) => {
    const people = { ...testPeople, own: [user] }
    const script = writeScript({ rules, outOfOffice, people })
    return server.upload({ user, script, replacesOther: false })
  }

  const deliver = async (message: { from?: string; subject: string; to?: string }) => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: cyrus.ports.lmtp,
      lmtp: true,
      ignoreTLS: true,
    })
    const { from = 'bob@other.test', subject, to = user } = message
    const said = await transport.sendMail({ envelope: { from, to: user }, from, to, subject, text: 'Hello' })
    transport.close()
    return said
  }

  const subjects = async (folder: string) =>
    (await readMessages(cyrus, user, cyrusPassword, folder)).map(({ subject }) => subject)

  test('file messages into a new folder with flags, and leave others in the inbox', async () => {
    const folder = 'Löhne & mehr (2026)/März'
    const conditions = [{ field: 'subject', test: 'ends-with', value: 'Lohn*' }] as const
    const actions = [{ kind: 'file', folder }, { kind: 'mark-read' }, { kind: 'flag' }] as const
    await upload([testRule({ name: `A "rule" \${x}`, conditions: [...conditions], actions: [...actions] })])
    await deliver({ subject: 'Dein Lohn*' })
    await deliver({ subject: 'Dein Lohnx' })
    expect(await subjects('INBOX')).toEqual(['Dein Lohnx'])
    expect(await readMessages(cyrus, user, cyrusPassword, folder)).toEqual([
      { subject: 'Dein Lohn*', flags: expect.arrayContaining(['\\Seen', '\\Flagged']) },
    ])
  })

  test('keep values literal, whatever they contain', async () => {
    const value = `\${done} "x" \\ ; } #`
    const conditions = [{ field: 'subject', test: 'is', value }] as const
    await upload([
      testRule({ isLast: true, conditions: [{ field: 'subject', test: 'contains', value: 'first' }] }),
      testRule({ conditions: [...conditions], actions: [{ kind: 'file', folder: 'Found' }] }),
    ])
    await deliver({ subject: value })
    await deliver({ subject: ' "x" \\ ; } #' })
    expect(await subjects('Found')).toEqual([value])
  })

  test('forward, with and without a copy', async () => {
    const forward = (address: string, keepCopy: boolean, value: string) =>
      testRule({
        conditions: [{ field: 'subject', test: 'contains', value }],
        actions: [{ kind: 'forward', address, keepCopy }],
      })
    await upload([forward('a@b.test', true, 'copy'), forward('c@d.test', false, 'move')])
    await deliver({ subject: 'copy' })
    await deliver({ subject: 'move' })
    expect(await subjects('INBOX')).toEqual(['copy'])
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ['a@b.test', 'copy'],
      ['c@d.test', 'move'],
    ])
  })

  test('skip rules after the last one, delete, and refuse only what was not stored', async () => {
    const about = (value: string, changes: Partial<FilterRule>) =>
      testRule({ conditions: [{ field: 'subject', test: 'contains', value }], ...changes })
    await upload([
      about('last', { actions: [{ kind: 'file', folder: 'Last' }], isLast: true }),
      about('stored', { actions: [{ kind: 'file', folder: 'Stored' }] }),
      about('junk', { actions: [{ kind: 'discard' }] }),
      testRule({ conditions: [], actions: [{ kind: 'reject', text: `Not "here" \${dollar}` }] }),
    ])
    await deliver({ subject: 'last' })
    await deliver({ subject: 'stored' })
    await deliver({ subject: 'junk' })
    const { response, rejected } = await deliver({ subject: 'other' })
    expect([await subjects('Last'), await subjects('Stored'), await subjects('INBOX')]).toEqual([
      ['last'],
      ['stored'],
      [],
    ])
    expect(rejected).toEqual([user])
    expect(response).toContain(`Not "here" \${dollar}`)
  })

  test('reply once to each sender, within the days, and after a last rule', async () => {
    const day = (shift: number) => new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10)
    const reply = { subject: 'Away: ü', text: `Back \${soon}.\nJane`, from: day(-1), until: day(1) }
    await upload([testRule({ isLast: true, conditions: [] })], testReply(reply))
    await deliver({ subject: 'one' })
    await deliver({ subject: 'two' })
    await deliver({ subject: 'not to the user', to: 'list@acme.test', from: 'eve@other.test' })
    expect(await subjects('Invoices')).toHaveLength(3)
    expect(sent).toEqual([
      {
        from: '',
        to: 'bob@other.test',
        subject: 'Away: ü',
        text: expect.stringMatching(/^Back \$\{soon\}\.\nJane\s*$/),
      },
    ])
  })

  test.each([
    ['before the first day', { from: '2999-01-01', until: null }, 0],
    ['after the last day', { from: null, until: '2020-01-01' }, 0],
    ['to a known sender', { audience: 'known' }, 1],
    ['to somebody outside of the organisation', { audience: 'organisation' }, 0],
  ] as const)('decide whether to reply %s', async (_when, changes, replies) => {
    await upload([], testReply(changes))
    await deliver({ subject: 'hello' })
    expect(await subjects('INBOX')).toEqual(['hello'])
    expect(sent).toHaveLength(replies)
  })

  test('leave another active script alone until told to replace it, and are removed when empty', async () => {
    await actAs(access, user, async (session) => {
      await session.put('roundcube', 'keep;')
      await session.activate('roundcube')
    })
    const script = writeScript({ rules: [testRule()], outOfOffice: noReply, people: testPeople })
    const scripts = () => actAs(access, user, (session) => session.list())
    expect(await server.upload({ user, script, replacesOther: false })).toEqual({ otherScript: 'roundcube' })
    expect(await scripts()).toContainEqual({ name: 'gatehouse', isActive: false })
    expect(await server.upload({ user, script, replacesOther: true })).toEqual({ otherScript: null })
    expect(await scripts()).toContainEqual({ name: 'gatehouse', isActive: true })
    expect(await server.upload({ user, script: undefined, replacesOther: false })).toEqual({
      otherScript: null,
    })
    expect(await scripts()).toEqual([{ name: 'roundcube', isActive: false }])
  })

  test('are refused with the words of the server if they are invalid', async () => {
    const wrong = server.upload({ user, script: 'fileinto "without require";', replacesOther: false })
    await expect(wrong).rejects.toThrow(ScriptRefused)
    await expect(wrong).rejects.toThrow(/fileinto/i)
  })

  test('need the account that may act for users', async () => {
    const wrong = actAs({ ...access, password: 'wrong' }, user, (session) => session.list())
    await expect(wrong).rejects.toThrow(CommandRefused)
    const unreachable = { ...access, port: 1 }
    await expect(actAs(unreachable, user, (session) => session.list())).rejects.toThrow('ECONNREFUSED')
  })
})
