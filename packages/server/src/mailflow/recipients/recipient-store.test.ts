import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, expect, test } from 'vitest'
import {
  deleteUser,
  type MadeUser,
  makeAlias,
  makeDomain,
  makeUser,
  setStatus,
} from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { domainsOf, findRecipient } from './recipient-store.ts'

const app = useTestApp()
let owner: MadeUser
let jane: MadeUser

beforeAll(async () => {
  owner = await makeUser(app(), { email: 'owner@other.test' })
  await makeDomain(app(), 'acme.test', { walletId: owner.walletId })
  jane = await makeUser(app(), { email: 'jane@acme.test', walletId: owner.walletId })
  await makeAlias(app(), jane, 'j.doe@acme.test')
})

const find = (address: string) => findRecipient(app().database.db, address)

test.each([
  ['jane@acme.test', 'jane@acme.test'],
  [' Jane@ACME.test ', 'jane@acme.test'],
  ['j.doe@acme.test', 'jane@acme.test'],
  ['jane+news@acme.test', 'jane@acme.test'],
  ['nobody@acme.test', undefined],
  ['jane@elsewhere.test', undefined],
  ['catchall', undefined],
  ['', undefined],
])('mail to %j reaches %j', async (address, email) => {
  expect((await find(address))?.email).toBe(email)
})

test('an address with a tag that exists itself comes first', async () => {
  const tagged = await makeUser(app(), { email: 'jane+work@acme.test', walletId: owner.walletId })
  expect(await find('jane+work@acme.test')).toMatchObject({ id: tagged.id })
})

test('the catch-all of a domain gets the mail for unknown addresses', async () => {
  await makeDomain(app(), 'catch.test', { walletId: owner.walletId })
  await makeAlias(app(), jane, 'catchall@catch.test')
  expect(await find('anything@catch.test')).toMatchObject({ kind: 'user', id: jane.id })
})

test('settings of the user and of the account come with the recipient', async () => {
  const { db } = app().database
  await db
    .insertInto('userSettings')
    .values([
      { userId: jane.id, key: 'greylist_enabled', value: 'false' },
      { userId: owner.id, key: 'externalsender_policy', value: 'true' },
    ])
    .execute()
  expect(await find('jane@acme.test')).toMatchObject({
    settings: { greylist_enabled: 'false' },
    ownerSettings: { externalsender_policy: 'true' },
    walletId: owner.walletId,
  })
})

test('suspended users are found as such, deleted ones not at all', async () => {
  const tim = await makeUser(app(), { email: 'tim@acme.test', walletId: owner.walletId })
  await setStatus(app(), tim, userStatus.active | userStatus.suspended)
  expect(await find('tim@acme.test')).toMatchObject({ isSuspended: true })
  await deleteUser(app(), tim)
  expect(await find('tim@acme.test')).toBeUndefined()
})

test('the domains of an account are those that are not deleted', async () => {
  expect((await domainsOf(app().database.db, owner.walletId)).sort()).toEqual(['acme.test', 'catch.test'])
  expect(await domainsOf(app().database.db, null)).toEqual([])
})
