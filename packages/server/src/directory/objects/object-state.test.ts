import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { IllegalObjectTransition, transitionGroup, transitionMailbox } from './object-state.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

const set = (id: number, status: number) =>
  app().database.db.updateTable('directoryObjects').set({ status }).where('id', '=', id).execute()
const statusOf = async (id: number) =>
  (
    await app()
      .database.db.selectFrom('directoryObjects')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status

describe('a state change', () => {
  test.each([
    ['ready', 1, 3],
    ['ldapReady', 5, 23],
    ['suspend', 3, 7],
    ['suspend', 7, 7],
    ['unsuspend', 7, 3],
    ['unsuspend', 3, 3],
  ] as const)('of a list: %s changes %i to %i', async (name, from, to) => {
    const id = await makeObject(account, 'groups')
    await set(id, from)
    await transitionGroup(app().database.db, app().clock, id, name)
    expect(await statusOf(id)).toBe(to)
  })

  test.each([
    ['ready', 1, 259],
    ['ldapReady', 1, 275],
  ] as const)('of a resource or folder: %s changes %i to %i', async (name, from, to) => {
    for (const collection of ['resources', 'shared-folders'] as const) {
      const id = await makeObject(account, collection)
      await set(id, from)
      await transitionMailbox(app().database.db, app().clock, id, name)
      expect(await statusOf(id)).toBe(to)
    }
  })

  test("of a deleted object can only be removal from the back end, which active objects don't allow", async () => {
    const { db } = app().database
    const group = await makeObject(account, 'groups')
    const folder = await makeObject(account, 'shared-folders')
    const { clock } = app()
    await expect(transitionGroup(db, clock, group, 'removed')).rejects.toThrow(IllegalObjectTransition)
    await expect(transitionMailbox(db, clock, group, 'ready')).rejects.toThrow(IllegalObjectTransition)
    await expect(transitionGroup(db, clock, folder, 'suspend')).rejects.toThrow(IllegalObjectTransition)
    await account.as('owner', `DELETE /api/v4/groups/${group}`)
    await account.as('owner', `DELETE /api/v4/shared-folders/${folder}`)
    await expect(transitionGroup(db, clock, group, 'ready')).rejects.toThrow(IllegalObjectTransition)
    await expect(transitionMailbox(db, clock, folder, 'ready')).rejects.toThrow(IllegalObjectTransition)
    await set(folder, 275)
    await transitionMailbox(db, clock, folder, 'removed')
    expect(await statusOf(folder)).toBe(9)
    await expect(transitionMailbox(db, clock, folder, 'removed')).rejects.toThrow(IllegalObjectTransition)
  })

  test('is not lost when several happen concurrently', async () => {
    const id = await makeObject(account, 'groups')
    const { db } = app().database
    await Promise.all(
      (['suspend', 'ready'] as const).map((name) => transitionGroup(db, app().clock, id, name)),
    )
    expect(await statusOf(id)).toBe(7)
  })
})
