import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { UsageError } from '../../platform/cli/command.ts'
import { NullBackend } from '../../provisioning/null-backend.ts'
import { commandLine } from '../../testing/command-line.ts'
import { makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { readSuspensionReason } from '../suspension.ts'

const backend = new NullBackend()
const app = useTestApp({}, backend)
const command = commandLine(app)
let printed: string[] = []

beforeEach(() => {
  backend.calls.length = 0
})

async function run(name: string, ...args: string[]): Promise<void> {
  printed = await command(name, ...args)
  await app().jobs.drain()
}

describe('the state of a user', () => {
  test.each([
    ['suspend', 35, 35 | userStatus.suspended],
    ['unsuspend', 35 | userStatus.suspended, 35],
    ['degrade', 35, 35 | userStatus.degraded],
    ['undegrade', 35 | userStatus.degraded, 35],
    ['unrestrict', 35 | userStatus.restricted, 35],
  ])('is changed by user:%s, recorded and synced to the back end', async (name, from, to) => {
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

  test("stores a suspension's reason if it is a known one", async () => {
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

  test('is not changed for an unknown user', async () => {
    await expect(run('user:suspend', 'nobody@example.test')).rejects.toThrow(UsageError)
    await expect(run('user:suspend', 'nobody')).rejects.toThrow(UsageError)
  })
})
