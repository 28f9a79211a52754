import { expect, test } from 'vitest'
import { NullBackend } from '../../provisioning/null-backend.ts'
import { makeAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { makeUser } from '../../testing/factories.ts'
import { createTestApp } from '../../testing/test-app.ts'

/** A back end that knows users but not accounts, like a mail store. */
class StoreOfUsers extends NullBackend {
  override readonly needsMembers = true
}

test('what is open to an account is synced for each of its users, and for those who join', async () => {
  const backend = new StoreOfUsers()
  await using app = await createTestApp({}, backend)
  const account = await makeAccount(app)
  await makeUser(app, { email: 'stranger@example.test' })
  const open = await makeObject(account, 'shared-folders')
  const acl = ['anyone, read-only']
  expect((await account.as('owner', `POST /api/v4/shared-folders/${open}/config`, { acl })).status).toBe(200)
  const closed = await makeObject(account, 'shared-folders')
  const room = await makeObject(account, 'resources')
  await app.jobs.drain()
  const everyone = backend.folders.get(open)?.everyone ?? []
  expect(everyone).toEqual(expect.arrayContaining([account.owner.email, account.member.email]))
  expect(everyone).not.toContain('stranger@example.test')
  expect(backend.folders.get(closed)?.everyone).toEqual([])
  expect(backend.resources.get(room)?.everyone).toEqual(everyone)

  const email = `new@${account.domain}`
  expect((await account.as('owner', 'POST /api/v4/users', account.newUser({ email }))).status).toBe(200)
  await app.jobs.drain()
  expect(backend.folders.get(open)?.everyone).toContain(email)
  expect(backend.resources.get(room)?.everyone).toContain(email)
})
