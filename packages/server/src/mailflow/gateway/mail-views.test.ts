import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { commandLine } from '../../testing/command-line.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import {
  deleteUser,
  makeAlias,
  makeDelegation,
  makeDomain,
  makeUser,
  setStatus,
} from '../../testing/factories.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { lookUp } from './address-maps.ts'

const role = `mail_reader_${process.pid}`
const secret = "a 'quoted' password"

let app: TestApp
let account: TestAccount
/** Connection of a mail server. */
let reader: pg.Client

beforeAll(async () => {
  app = await createTestApp()
  account = await makeAccount(app)
  await fill()
  await commandLine(() => app, {}, secret)('mail:database-role', role)
  const own = app.database.pool.options.connectionString ?? ''
  const url = own.replace(/\/\/(?:[^@/]*@)?/, `//${role}:${encodeURIComponent(secret)}@`)
  reader = new pg.Client({ connectionString: url })
  await reader.connect()
})
afterAll(async () => {
  await reader.end()
  await app.database.pool.query(`drop owned by ${role}; drop role ${role}`)
  await app.close()
})

/** Creates users, objects and domains in every state. */
async function fill(): Promise<void> {
  const { domain, owner, member, controller } = account
  const { walletId } = owner
  const user = (name: string) => makeUser(app, { email: `${name}@${domain}`, walletId })
  await setStatus(app, await user('suspended'), 6)
  await setStatus(app, await user('degraded'), 98)
  await deleteUser(app, await user('deleted'))
  await makeAlias(app, member, `alias@${domain}`)
  await makeAlias(app, member, `catchall@${domain}`)
  await makeDelegation(app, member, controller)
  const assistant = await user('assistant')
  await makeDelegation(app, member, assistant)
  await app.database.db
    .updateTable('delegations')
    .set({ options: JSON.stringify({ mail: 'read-only', send_as: false }) })
    .where('delegateeId', '=', assistant.id)
    .execute()
  await makeObject(account, 'groups', {
    email: `list@${domain}`,
    members: [member.email, 'ann@partner.test'],
  })
  const closed = await makeObject(account, 'groups', { email: `stopped@${domain}` })
  await app.database.db.updateTable('directoryObjects').set({ status: 6 }).where('id', '=', closed).execute()
  await makeObject(account, 'resources', { name: 'Beamer' })
  await makeObject(account, 'shared-folders', { name: 'Support' })
  await makeDomain(app, 'waiting.test', { type: 4, status: 2, walletId })
  await makeDomain(app, 'stopped.test', { type: 4, status: 54, walletId })
}

const queries: Readonly<Record<string, string>> = {
  domains: 'select namespace as value from mail.domains where namespace = $1',
  mailboxes: 'select email as value from mail.mailboxes where email = $1',
  aliases: 'select destination as value from mail.aliases where source = $1',
  senders: 'select login as value from mail.sender_logins where sender = $1 order by login',
}

/** What a `pgsql:` table of Postfix finds: the rows, joined by commas. */
async function inViews(map: string, key: string): Promise<string> {
  const { rows } = await reader.query<{ value: string }>(queries[map] ?? '', [key])
  return rows.map(({ value }) => value).join(',')
}

async function inSocketmap(map: string, key: string): Promise<string> {
  const answer = await lookUp(app.database.db, map, key)
  return answer.status === 'ok' ? answer.value : ''
}

const nothing = () => ''
const same = (key: string) => key
const member = (_key: string, domain: string) => `member@${domain}`

describe('the views and the socketmap give the same answer for', () => {
  test.each([
    ['domains', '', 'a verified domain', same],
    ['domains', 'waiting.test', 'an unverified domain', nothing],
    ['domains', 'stopped.test', 'a suspended domain', nothing],
    ['domains', 'elsewhere.test', 'a foreign domain', nothing],
    ['mailboxes', 'member', 'a user', same],
    ['mailboxes', 'degraded', 'a degraded user', same],
    ['mailboxes', 'suspended', 'a suspended user', nothing],
    ['mailboxes', 'deleted', 'a deleted user', nothing],
    ['mailboxes', 'alias', 'an alias', nothing],
    ['mailboxes', 'list', 'a list', nothing],
    ['aliases', 'member', 'a user', same],
    ['aliases', 'alias', 'an alias', member],
    ['aliases', 'suspended', 'a suspended user', nothing],
    ['aliases', 'deleted', 'a deleted user', nothing],
    ['aliases', '', 'the catch-all', member],
    ['aliases', 'list', 'a list', (_: string, domain: string) => `ann@partner.test,member@${domain}`],
    ['aliases', 'stopped', 'a suspended list', nothing],
    [
      'senders',
      'member',
      'an address with delegates',
      (_: string, domain: string) => `controller@${domain},member@${domain}`,
    ],
    [
      'senders',
      'alias',
      'an alias with delegates',
      (_: string, domain: string) => `controller@${domain},member@${domain}`,
    ],
    ['senders', 'assistant', 'a delegate', same],
    ['senders', 'suspended', 'a suspended user', nothing],
    ['senders', 'list', 'a list', nothing],
  ])('%s: %s (%s)', async (map, name, _case, expected) => {
    const { domain } = account
    const keys: Readonly<Record<string, string>> = { domains: domain, aliases: `@${domain}` }
    const key = name === '' ? (keys[map] ?? '') : name.includes('.') ? name : `${name}@${domain}`
    expect(await inViews(map, key)).toBe(expected(key, domain))
    expect(await inSocketmap(map, key)).toBe(expected(key, domain))
  })

  test('the address of a resource', async () => {
    const { email } = await objectOf('resource')
    for (const map of ['mailboxes', 'aliases']) {
      expect(await inViews(map, email)).toBe(email)
      expect(await inSocketmap(map, email)).toBe(email)
    }
  })

  test('the address of a shared folder, which leads to the technical user of its domain', async () => {
    const { id, email } = await objectOf('shared-folder')
    const technical = `shared@${account.domain}`
    for (const answer of [inViews, inSocketmap]) {
      expect(await answer('aliases', email)).toBe(`shared+sf${id}@${account.domain}`)
      expect(await answer('mailboxes', email)).toBe('')
      expect(await answer('aliases', technical)).toBe(technical)
      expect(await answer('mailboxes', technical)).toBe(technical)
    }
  })
})

async function objectOf(kind: 'resource' | 'shared-folder'): Promise<{ id: number; email: string }> {
  const { rows } = await app.database.pool.query<{ id: number; email: string }>(
    'select id, email from directory_objects where kind = $1',
    [kind],
  )
  const [found] = rows
  if (found === undefined) throw new Error(`no ${kind}`)
  return found
}

test('the role reads nothing but the views', async () => {
  await expect(reader.query('select from users')).rejects.toThrow('permission denied')
  await expect(reader.query('update mail.domains set namespace = namespace')).rejects.toThrow(
    'permission denied',
  )
})

test('the catch-all of a domain is found by an index', async () => {
  const client = await app.database.pool.connect()
  await client.query('begin; set local enable_seqscan = off')
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    "explain select destination from mail.aliases where source = '@acme.test'",
  )
  await client.query('rollback')
  client.release()
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('addresses_catch_all')
})

test('a second call changes the password of the role', async () => {
  const run = commandLine(() => app, {}, 'another password')
  expect(await run('mail:database-role', role)).toEqual([
    `${role}: password changed. It may read the schema mail.`,
  ])
  await expect(run('mail:database-role', 'Mail-Reader')).rejects.toThrow('The role must start with a letter')
})
