import { groupStatus } from '@gatehouse/contract/status'
import { beforeEach, expect, test } from 'vitest'
import { UsageError } from '../../platform/cli/command.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { commandLine } from '../../testing/command-line.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

const run = commandLine(app)

test('an operator suspends and unsuspends a list; deleting and restoring keep the suspension', async () => {
  const id = await makeObject(account, 'groups')
  await app().jobs.drain()
  const show = async () => (await account.as('owner', `GET /api/v4/groups/${id}`)).body
  const { email } = await show()
  expect(await run('group:suspend', email.toUpperCase())).toEqual([`${email}: suspend`])
  await app().jobs.drain()
  expect(app().backend.groups.get(id)?.isSuspended).toBe(true)
  expect(await show()).toMatchObject({ isSuspended: true, isReady: true })
  const listed = (state: string) => account.as('owner', `GET /api/v4/groups?status=${state}`)
  expect([(await listed('suspended')).body.total, (await listed('active')).body.total]).toEqual([1, 0])
  await account.as('owner', `DELETE /api/v4/groups/${id}`)
  await account.as('owner', `POST /api/v4/groups/${id}/restore`, {})
  await app().jobs.drain()
  expect(app().backend.groups.get(id)?.isSuspended).toBe(true)
  await run('group:unsuspend', email)
  await app().jobs.drain()
  expect(app().backend.groups.get(id)?.isSuspended).toBe(false)
  expect((await show()).status).toBe(groupStatus.new | groupStatus.active)
  const { list } = (await account.as('owner', `GET /api/v4/events?object=${id}&event=group.suspend`)).body
  expect(list).toMatchObject([{ title: 'Distribution list suspended', comment: 'command line' }])
})

test('a list that does not exist cannot be suspended', async () => {
  await expect(run('group:suspend', `nobody@${account.domain}`)).rejects.toThrow(UsageError)
  await expect(run('group:suspend', account.member.email)).rejects.toThrow(UsageError)
})
