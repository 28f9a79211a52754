import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { NullBackend } from '../../provisioning/null-backend.ts'
import { makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { readSuspensionReason } from '../../users/suspension.ts'
import { loadConfig } from '../settings/config.ts'
import { UsageError } from './command.ts'
import { commands } from './commands.ts'

const backend = new NullBackend()
const app = useTestApp({}, backend)
let printed: string[] = []
let entered = ''

beforeEach(() => {
  printed = []
  backend.calls.length = 0
})

async function run(name: string, ...args: string[]): Promise<void> {
  const command = commands.find((candidate) => candidate.name === name)
  if (command === undefined) throw new Error(`no command ${name}`)
  const { database, clock, hasher, secrets } = app()
  await command.run({
    args,
    config: loadConfig({ NODE_ENV: 'test' }),
    database,
    db: database.db,
    clock,
    hasher,
    secrets,
    root: '.',
    print: (line) => printed.push(line),
    readSecret: async () => entered,
  })
  await app().jobs.drain()
}

describe('the state of a user', () => {
  test.each([
    ['suspend', 35, 35 | userStatus.suspended],
    ['unsuspend', 35 | userStatus.suspended, 35],
    ['degrade', 35, 35 | userStatus.degraded],
    ['undegrade', 35 | userStatus.degraded, 35],
    ['unrestrict', 35 | userStatus.restricted, 35],
  ])('is changed by user:%s, recorded, and told to the back end', async (name, from, to) => {
    const user = await makeUser(app(), { status: from })
    await run(`user:${name}`, user.email.toUpperCase())
    expect(printed).toEqual([`${user.email}: ${name}`])
    expect(backend.users.get(user.id)?.status).toBe(to)
    const { rows } = await app().database.pool.query(
      `select event, comment from event_log where object_id = $1`,
      [user.id],
    )
    expect(rows).toEqual([{ event: `user.${name}`, comment: 'command line' }])
  })

  test('keeps why somebody is suspended, if it is a reason that there is', async () => {
    const user = await makeUser(app())
    await run('user:suspend', user.email, 'abuse', 'spam', 'since Monday')
    expect(await readSuspensionReason(app().database.db, user.id)).toBe('abuse')
    const { rows } = await app().database.pool.query(
      `select comment, data from event_log where object_id = $1`,
      [user.id],
    )
    expect(rows).toEqual([{ comment: 'spam since Monday', data: { after: { suspensionReason: 'abuse' } } }])
    await run('user:unsuspend', user.email)
    expect(await readSuspensionReason(app().database.db, user.id)).toBeUndefined()
    await expect(run('user:suspend', user.email, 'mood')).rejects.toThrow(UsageError)
  })

  test('of nobody is not changed', async () => {
    await expect(run('user:suspend', 'nobody@example.test')).rejects.toThrow(UsageError)
    await expect(run('user:suspend', 'nobody')).rejects.toThrow(UsageError)
  })
})

test('a password that an operator sets is told to the back end', async () => {
  const user = await makeUser(app())
  entered = 'brand-new-1'
  await run('user:password', user.email)
  expect(backend.calls).toEqual([{ name: 'updateUser', userId: user.id }])
  const { status } = await app().call('POST /api/auth/login', {
    body: { email: user.email, password: entered },
  })
  expect(status).toBe(200)
})

test('a password on the command line, where others read it, is refused', async () => {
  const user = await makeUser(app())
  const refused = run('user:password', user.email, 'brand-new-1')
  await expect(refused).rejects.toThrow('user:password takes no password as an argument')
  expect((await app().call('POST /api/auth/login', { body: user })).status).toBe(200)
})

test('a public domain is told to the back end, and exists once', async () => {
  await run('domain:create-public', 'Everybody.test')
  expect([...backend.domains.values()]).toMatchObject([{ namespace: 'everybody.test' }])
  await expect(run('domain:create-public', 'everybody.test')).rejects.toThrow(UsageError)
})
