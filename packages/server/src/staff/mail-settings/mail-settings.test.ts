import { beforeAll, describe, expect, test } from 'vitest'
import { commandLine } from '../../testing/command-line.ts'
import { type MadeUser, makeDomain, makeTenant, makeUser } from '../../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const command = commandLine(app)
let admin: MadeStaff
let reseller: MadeStaff
let owner: MadeUser
let member: MadeUser

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  admin = await makeStaff(app(), 'admin')
  reseller = await makeStaff(app(), 'reseller', await makeTenant(app(), 9))
  owner = await makeUser(app())
  member = await makeUser(app(), { walletId: owner.walletId })
})

const change = (by: MadeStaff, user: MadeUser, body: Record<string, unknown>) =>
  by.call(`POST /api/v4/users/${user.id}/mail-settings`, { body })

async function configOf(user: MadeUser) {
  const { body } = await admin.call(`GET /api/v4/users/${user.id}`)
  return body.config
}

test('support staff change the mail settings of a user, with a comment in the activity', async () => {
  const { status } = await change(admin, member, { greylist_enabled: false, comment: 'Ticket 7' })
  expect(status).toBe(200)
  expect(await configOf(member)).toMatchObject({ greylist_enabled: false })
  const { body } = await admin.call(`GET /api/v4/eventlog/user/${member.id}`)
  expect(body.list).toContainEqual(expect.objectContaining({ kind: 'user.configured', comment: 'Ticket 7' }))
  await change(admin, member, { greylist_enabled: null })
  expect(await configOf(member)).toMatchObject({ greylist_enabled: null })
})

test('support staff change the mail policies of an account at its owner', async () => {
  const body = { externalsender_policy: true, externalsender_policy_domains: ['partner.example'] }
  expect((await change(admin, owner, body)).status).toBe(200)
  expect(await configOf(owner)).toMatchObject(body)
})

test.each([
  ['a policy of the account at a member', () => member, { greylist_policy: false }, 'greylist_policy'],
  ['a value of another type', () => owner, { itip_policy: 'perhaps' }, 'itip_policy'],
  [
    'a domain that is none',
    () => owner,
    { externalsender_policy_domains: ['not a domain'] },
    'externalsender_policy_domains',
  ],
])('%s is rejected at its field', async (_, user, body, field) => {
  const answer = await change(admin, user(), body)
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.body.errors)).toEqual([field])
})

test('settings about sign-in are not changed with them', async () => {
  await change(admin, owner, { password_policy: 'min:1', limit_geo: ['CH'], max_password_age: 1 })
  expect(await configOf(owner)).toMatchObject({ limit_geo: [], max_password_age: null })
})

test('a reseller of another tenant finds no such user', async () => {
  expect((await change(reseller, member, { greylist_enabled: false })).status).toBe(404)
})

describe('user:mail-settings', () => {
  const run = (...args: string[]) => command('user:mail-settings', ...args)

  test('changes settings by name and shows them', async () => {
    expect(await run(member.email, 'greylist=off,external-sender=on', 'Ticket 8')).toEqual([
      `${member.email}: greylist=off external-sender=on`,
    ])
    expect(await configOf(member)).toMatchObject({ greylist_enabled: false, externalsender_config: true })
    await run(member.email, 'greylist=default,external-sender=default')
    expect(await configOf(member)).toMatchObject({ greylist_enabled: null, externalsender_config: null })
  })

  test.each(['greylist', 'greylist=maybe', 'colour=on', 'account-greylist=default'])(
    'refuses %s',
    async (text) => {
      await expect(run(member.email, text)).rejects.toThrow(/name=on/)
    },
  )
})
