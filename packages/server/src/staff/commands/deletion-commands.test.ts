import { beforeEach, expect, test } from 'vitest'
import { UsageError } from '../../platform/cli/command.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { commandLine } from '../../testing/command-line.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const run = commandLine(app)
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

const refused = async (name: string, ...args: string[]) => {
  await expect(run(name, ...args), `${name} ${args.join(' ')}`).rejects.toThrow(UsageError)
}

test('deletes, restores and erases a user, with reasons in the activity', async () => {
  const { email, id } = account.member
  await refused('user:delete', email, 'x')
  expect(await run('user:delete', email, 'sends', 'spam')).toEqual([`${email} was deleted.`])
  await refused('user:delete', email, 'sends', 'spam')
  await app().jobs.drain()
  await run('user:restore', email, 'was', 'wrong')
  await app().jobs.drain()
  await run('user:delete', email, 'sends', 'spam')
  await app().jobs.drain()
  await refused('user:erase', email, 'asked for it')
  expect(await run('user:erase', email, 'asked', 'for', 'it', `--confirm=${email}`)).toEqual([
    `${email} was erased.`,
  ])
  const events = await run('event:list', 'user', String(id))
  for (const text of ['user.erased  -  asked for it', 'user.deleted', 'user.restored']) {
    expect(events).toContainEqual(expect.stringContaining(text))
  }
})

test('deletes and erases a whole account once its owner is confirmed', async () => {
  const { email } = account.owner
  await refused('user:delete', email, 'sends spam')
  await run('user:delete', email, 'sends spam', `--confirm=${email}`)
  await app().jobs.drain()
  expect(await run('user:erase', email, 'asked for it', `--confirm=${email}`)).toEqual([
    `The account of ${email} is being erased.`,
  ])
  await app().jobs.drain()
  expect(await run('user:find', account.member.email)).toEqual([])
  expect(await run('ledger:verify')).toContain('The ledger is correct.')
})

test.each([
  ['groups', 'group'],
  ['resources', 'resource'],
  ['shared-folders', 'shared-folder'],
] as const)('%s are deleted, restored and erased', async (collection, noun) => {
  const id = String(await makeObject(account, collection))
  const { email } = (await account.as('owner', `GET /api/v4/${collection}/${id}`)).body
  expect(await run(`${noun}:delete`, id, 'not needed')).toEqual([`${email} was deleted.`])
  await app().jobs.drain()
  await run(`${noun}:restore`, id, 'is needed')
  await run(`${noun}:delete`, email, 'not needed')
  await app().jobs.drain()
  await refused(`${noun}:erase`, id, 'not needed')
  expect(await run(`${noun}:erase`, id, 'not needed', `--confirm=${email}`)).toEqual([`${email} was erased.`])
  await refused(`${noun}:restore`, id)
})

test('deletes and erases a domain that contains no addresses', async () => {
  const { domain, member, controller } = account
  await refused('domain:delete', domain, 'not needed')
  for (const { email } of [member, controller]) await run('user:delete', email, 'not needed')
  await run('domain:delete', domain, 'not needed')
  await app().jobs.drain()
  await refused('domain:erase', domain, 'not needed', `--confirm=${domain}`)
  for (const { email } of [member, controller]) await run('user:erase', email, 'x y', `--confirm=${email}`)
  expect(await run('domain:erase', domain, 'not needed', `--confirm=${domain}`)).toEqual([
    `${domain} was erased.`,
  ])
})
