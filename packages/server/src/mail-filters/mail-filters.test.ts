import type { FilterAction } from '@gatehouse/contract/mail/mail-filters'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { commandLine } from '../testing/command-line.ts'
import { deleteUser, makeAlias } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'
import { noReply, testReply, testRule } from './sieve/filter.test-data.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

type Who = 'owner' | 'controller' | 'member'

const path = () => `/api/v4/users/${account.member.id}/mail-filters`
const read = (who: Who = 'member') => account.as(who, `GET ${path()}`)
const save = (body: object, who: Who = 'member') =>
  account.as(who, `PUT ${path()}`, { rules: [], outOfOffice: noReply, ...body })

const forward = (address: string) => testRule({ actions: [{ kind: 'forward', address, keepCopy: true }] })

const events = () =>
  app()
    .database.db.selectFrom('eventLog')
    .select(['event', 'data', 'actorEmail'])
    .where('objectType', '=', 'user')
    .where('objectId', '=', account.member.id)
    .where('event', 'like', 'mail-filters.%')
    .orderBy('id')
    .execute()

describe('mail filters', () => {
  test('are empty at first, and are stored as they were saved', async () => {
    expect((await read()).body).toMatchObject({
      ...{ rules: [], state: 'not-connected', otherScript: null, problem: null, uploaded_at: null },
      outOfOffice: { isEnabled: false, days: 7, audience: 'everyone' },
    })
    const sent = { rules: [testRule()], outOfOffice: testReply({ subject: 'Away', until: '2026-12-31' }) }
    const saved = await save(sent)
    expect(saved).toMatchObject({ status: 200, body: { message: 'The filters have been saved.' } })
    expect((await read()).body).toMatchObject({ ...sent, revision: saved.body.revision })
  })

  test('can be changed by the user and by controllers of the account, which is logged', async () => {
    expect((await save({ rules: [testRule()] }, 'owner')).status).toBe(200)
    expect((await read('controller')).body.rules).toHaveLength(1)
    const before = { rules: 0, forwardsTo: [], outOfOffice: false }
    expect(await events()).toEqual([
      {
        ...{ event: 'mail-filters.changed', actorEmail: account.owner.email },
        data: { before, after: { ...before, rules: 1 } },
      },
    ])
  })

  test('are not replaced by a change of an older version', async () => {
    const { revision } = (await read()).body
    expect((await save({ rules: [testRule()], revision })).status).toBe(200)
    expect((await save({ rules: [], revision })).status).toBe(409)
    expect((await read()).body.rules).toHaveLength(1)
  })

  const actions = (...list: FilterAction[]) => ({ rules: [testRule({ actions: list })] })

  test.each<[string, () => object, unknown]>([
    [
      'an invalid address',
      () => actions({ kind: 'forward', address: 'x', keepCopy: true }),
      { rules: { 0: /valid/ } },
    ],
    [
      'an own alias',
      () => ({ rules: [forward(`alias@${account.domain}`)] }),
      { rules: { 0: /same mailbox/ } },
    ],
    [
      'many addresses',
      () => ({ rules: [1, 2, 3, 4, 5].map((index) => forward(`a${index}@b.test`)) }),
      { rules: /at most 4/ },
    ],
    ['deleting and more', () => actions({ kind: 'discard' }, { kind: 'flag' }), { rules: { 0: /combined/ } }],
    ['an action twice', () => actions({ kind: 'flag' }, { kind: 'flag' }), { rules: { 0: /once/ } }],
    ['a folder without a name', () => actions({ kind: 'file', folder: 'A//B' }), { rules: { 0: /folder/ } }],
    [
      'a folder that Cyrus refuses',
      () => actions({ kind: 'file', folder: 'A"' }),
      { rules: { 0: /folder/ } },
    ],
    [
      'a reply without text',
      () => ({ outOfOffice: testReply({ text: null }) }),
      { outOfOffice: { text: /text/ } },
    ],
    [
      'days in the wrong order',
      () => ({ outOfOffice: testReply({ from: '2026-02-02', until: '2026-02-01' }) }),
      { outOfOffice: { until: /before/ } },
    ],
    [
      'an unknown time zone',
      () => ({ outOfOffice: testReply({ timeZone: 'Mars/Olympus' }) }),
      { outOfOffice: { timeZone: /zone/ } },
    ],
    [
      'other addresses',
      () => ({ outOfOffice: testReply({ addresses: ['x'] }) }),
      { outOfOffice: { addresses: /valid/ } },
    ],
    [
      'more than the server takes',
      () => ({
        rules: Array.from({ length: 10 }, () => actions({ kind: 'reject', text: 'a'.repeat(4000) }).rules[0]),
      }),
      { rules: /too long/ },
    ],
    [
      'no date',
      () => ({ outOfOffice: { ...noReply, from: '2026-13-01' } }),
      { outOfOffice: expect.anything() },
    ],
    [
      'a line break in a value',
      () => ({ rules: [testRule({ name: 'a\nb' })] }),
      { rules: expect.anything() },
    ],
  ])('refuse %s', async (_what, body, errors) => {
    await makeAlias(app(), account.member, `alias@${account.domain}`)
    const answer = await save(body())
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject(matchers(errors) as object) // the table has objects
  })

  test('tell the user about forwarding outside the account, no matter who set it up, and log the address', async () => {
    await save({ rules: [forward('spy@evil.test'), forward(account.owner.email)] }, 'owner')
    await save({ rules: [forward('Spy@Evil.test')] }, 'owner')
    const added = (await events()).filter(({ event }) => event === 'mail-filters.forwarding-added')
    expect(added.map(({ data }) => data)).toEqual([{ address: 'spy@evil.test' }])
    const mails = (await app().mails()).filter(({ subject }) => subject.includes('forwarded'))
    expect(mails).toHaveLength(1)
    expect(mails[0]?.to).toMatchObject([{ address: account.member.email }])
    expect(mails[0]?.text).toContain('spy@evil.test')
  })

  test('need a recent sign-in to forward to others, but not within the account', async () => {
    app().clock.advance(11 * 60)
    const refused = await save({ rules: [forward('spy@evil.test')] })
    expect(refused).toMatchObject({ status: 403, body: { stepUp: true } })
    expect((await save({ rules: [forward(account.owner.email)] })).status).toBe(200)
  })

  test('are deleted with the user', async () => {
    await save({ rules: [testRule()] })
    await deleteUser(app(), account.member)
    expect((await read('owner')).status).toBe(404)
  })
})

describe('the command line', () => {
  test('shows the filters as the mail server gets them', async () => {
    await save({ rules: [testRule()] })
    const lines = await commandLine(app)('mail-filters:show', account.member.email)
    expect(lines[0]).toBe(`${account.member.email}: not-connected`)
    expect(lines).toContain('    fileinto :create "Invoices";')
    expect(await commandLine(app)('mail-filters:show', account.owner.email)).toContain('No filters.')
  })

  test('uploads filters again only to a connected server', async () => {
    await save({ rules: [testRule()] })
    const connected = {
      ...{ GROUPWARE_BACKEND: 'cyrus', CYRUS_ADMIN_PASSWORD: 'secret' },
      CYRUS_JWT_KEY_FILE: '/run/key.pem',
    }
    const run = commandLine(app, connected)
    expect(await run('mail-filters:upload', account.member.email)).toEqual([
      `${account.member.email}: upload started`,
    ])
    await expect(run('mail-filters:upload', account.owner.email)).rejects.toThrow('has no filters')
    await expect(commandLine(app)('mail-filters:upload', account.member.email)).rejects.toThrow(
      'No mail server',
    )
  })
})

/** Expressions become matchers at any depth. */
function matchers(errors: unknown): unknown {
  if (errors instanceof RegExp) return expect.stringMatching(errors)
  if (typeof errors !== 'object' || errors === null || 'asymmetricMatch' in errors) return errors
  return Object.fromEntries(Object.entries(errors).map(([key, value]) => [key, matchers(value)]))
}
