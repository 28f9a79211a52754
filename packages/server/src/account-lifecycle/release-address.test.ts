import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { makeObject } from '../testing/directory-fixture.ts'
import { makeAlias, makeDomain, makeUser, signInAs } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

type Who = 'owner' | 'controller' | 'member'

const holder = async (address: string, who: Who = 'owner') => {
  const path = `GET /api/v4/addresses/deleted?address=${encodeURIComponent(address)}`
  return (await account.as(who, path)).body.holder
}
const release = (address: string, who: Who = 'owner') =>
  account.as(who, 'POST /api/v4/addresses/release', { address })
const create = (email: string) => account.as('owner', 'POST /api/v4/users', account.newUser({ email }))

/** Deletes an object as the owner, and lets the back end remove it. */
async function remove(path: string): Promise<void> {
  expect((await account.as('owner', `DELETE ${path}`)).status).toBe(200)
  await app().jobs.drain()
}

describe('the address of a deleted user', () => {
  test('is rejected for a new user until it is released', async () => {
    const { id, email } = account.member
    await remove(`/api/v4/users/${id}`)
    expect((await create(email)).body.errors).toEqual({ email: 'This entry is already in use.' })
    expect(await holder(email.toUpperCase())).toEqual({
      ...{ type: 'user', id, name: email, isPrimary: true },
      deleted_at: expect.any(String),
    })
    expect((await release(email)).body.message).toBe('The address is available again.')
    expect(await holder(email)).toBeNull()
    const made = await create(email)
    expect(made.status).toBe(200)
    expect(made.body.id).not.toBe(id)
    // nothing is left to restore
    expect((await account.as('owner', `POST /api/v4/users/${id}/restore`, {})).status).toBe(404)
    const { body } = await account.as('owner', `GET /api/v4/users/${account.owner.id}/events`)
    expect(JSON.stringify(body)).toContain('user.address-released')
  })

  test('can be kept by restoring its user', async () => {
    const { id, email } = account.member
    await remove(`/api/v4/users/${id}`)
    expect((await account.as('owner', `POST /api/v4/users/${id}/restore`, {})).status).toBe(200)
    expect(await holder(email)).toBeNull()
    expect((await release(email)).status).toBe(404)
  })

  test("can't be released until the mailbox is removed", async () => {
    const email = `mailbox@${account.domain}`
    const { body } = await create(email)
    await app().jobs.drain()
    await account.as('owner', `DELETE /api/v4/users/${body.id}`)
    expect((await release(email)).body.errors).toEqual({
      address: 'The deleted mailbox is still being removed. Try again in a few minutes.',
    })
  })

  test('as an alias is removed from the user, who can still be restored', async () => {
    const { id } = account.member
    const alias = `second@${account.domain}`
    await makeAlias(app(), account.member, alias)
    await remove(`/api/v4/users/${id}`)
    expect(await holder(alias)).toMatchObject({ type: 'user', id, isPrimary: false })
    expect((await release(alias)).status).toBe(200)
    expect((await create(alias)).status).toBe(200)
    expect((await account.as('owner', `POST /api/v4/users/${id}/restore`, {})).status).toBe(200)
  })

  test('in a public domain is never reassigned', async () => {
    await makeDomain(app(), 'open-to-all.test')
    const { walletId } = account.owner
    const guest = await makeUser(app(), { email: 'guest@open-to-all.test', walletId })
    await remove(`/api/v4/users/${guest.id}`)
    expect(await holder(guest.email)).toBeNull()
    expect((await release(guest.email)).status).toBe(404)
  })
})

test.each(['groups', 'shared-folders'] as const)(
  '%s give up the address that they have',
  async (collection) => {
    const email = `team@${account.domain}`
    const id = await makeObject(
      account,
      collection,
      collection === 'groups' ? { email } : { aliases: [email] },
    )
    await remove(`/api/v4/${collection}/${id}`)
    expect(await holder(email)).toMatchObject({ id, isPrimary: collection === 'groups' })
    expect((await release(email)).status).toBe(200)
    expect(await makeObject(account, 'groups', { email })).toBeGreaterThan(0)
  },
)

describe('others', () => {
  test('can neither see the deleted user nor release the address', async () => {
    const { id, email } = account.member
    const other = await makeAccount(app())
    const stranger = (await signInAs(app(), other.owner)).access_token
    await remove(`/api/v4/users/${id}`)
    const path = `GET /api/v4/addresses/deleted?address=${encodeURIComponent(email)}`
    expect((await app().call(path, { token: stranger })).body.holder).toBeNull()
    const call = { token: stranger, body: { address: email } }
    expect((await app().call('POST /api/v4/addresses/release', call)).status).toBe(404)
    expect(await holder(email, 'controller')).toMatchObject({ id })
  })

  test("don't lose addresses of existing users", async () => {
    expect(await holder(account.member.email)).toBeNull()
    expect((await release(account.member.email)).status).toBe(404)
  })
})
