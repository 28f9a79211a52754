import { beforeAll, describe, expect, test } from 'vitest'
import {
  type MadeUser,
  makeAlias,
  makeController,
  makeDomain,
  makeUser,
  signInAs,
} from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let owner: MadeUser
let token = ''

beforeAll(async () => {
  owner = await makeUser(app(), { plan: 'group' })
  const domain = (namespace: string, status: number) => {
    app().clock.advance(60)
    return makeDomain(app(), namespace, { type: 4, status, walletId: owner.walletId })
  }
  await domain('delta.test', 50)
  await domain('alpha.test', 1)
  await domain('charlie_x.test', 54 & ~2)
  await domain('xn--bcher-kva.test', 50)
  const gone = await domain('gone.test', 50)
  await app()
    .database.db.updateTable('domains')
    .set({ deletedAt: app().clock.now() })
    .where('id', '=', gone)
    .execute()
  const stranger = await makeUser(app(), { plan: 'group' })
  await makeDomain(app(), 'stranger.test', { type: 4, walletId: stranger.walletId })
  await makeDomain(app(), 'open.test')
  for (let number = 0; number < 3; number++) {
    const user = await makeUser(app(), { email: `u${number}@delta.test`, walletId: owner.walletId })
    await makeAlias(app(), user, `second${number}@delta.test`)
  }
  await makeAlias(app(), owner, 'boss@xn--bcher-kva.test')
  const left = await makeUser(app(), { email: 'left@delta.test', walletId: owner.walletId })
  await app()
    .database.db.updateTable('users')
    .set({ deletedAt: app().clock.now() })
    .where('id', '=', left.id)
    .execute()
  token = (await signInAs(app(), owner)).access_token
})

const list = async (query = '', as = token) =>
  (await app().call(`GET /api/v4/domains${query}`, { token: as })).body
const names = async (query: string) =>
  (await list(query)).list.map((row: { displayName: string }) => row.displayName.split('.')[0]).join(' ')

describe('the list of domains', () => {
  test("shows the account's domains by name, with state and users", async () => {
    const body = await list()
    expect(body).toMatchObject({ count: 4, total: 4, hasMore: false, message: '4 domains found.' })
    expect(body.list.map((row: { namespace: string; users: number }) => [row.namespace, row.users])).toEqual([
      ['alpha.test', 0],
      ['charlie_x.test', 0],
      ['delta.test', 3],
      ['xn--bcher-kva.test', 1],
    ])
    expect(body.list[2]).toEqual({
      id: body.list[2].id,
      namespace: 'delta.test',
      displayName: 'delta.test',
      type: 4,
      users: 3,
      created_at: '2026-03-10 12:01:00',
      deleted_at: null,
      restorable_until: null,
      isActive: true,
      isSuspended: false,
      isDeleted: false,
      isConfirmed: true,
      isVerified: true,
      isReady: true,
    })
  })

  test.each([
    ['?order=desc', 'bücher delta charlie_x alpha'],
    ['?sort=created', 'delta alpha charlie_x bücher'],
    ['?sort=created&order=desc&size=2', 'bücher charlie_x'],
    ['?size=3&page=2', 'bücher'],
    ['?size=3&page=3', ''],
    ['?status=active', 'delta bücher'],
    ['?status=pending', 'alpha'],
    ['?status=suspended', 'charlie_x'],
    ['?status=deleted', 'gone'],
    ['?search=LPH', 'alpha'],
    ['?search=b%C3%BCch', 'bücher'],
    ['?search=B%C3%9CCHER.test', 'bücher'],
    ['?search=xn--', 'bücher'],
    ['?search=_', 'charlie_x'],
    ['?search=%25', ''],
    ['?search=%5C', ''],
    ['?search=gone', ''],
    ['?search=stranger', ''],
    ['?search=a&status=active', 'delta'],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toBe(expected)
  })

  test.each([
    'page=0',
    'page=x',
    'size=101',
    'sort=token',
    'order=up',
    'status=dead',
    `search=${'x'.repeat(192)}`,
  ])('rejects %s at the field', async (query) => {
    const { status, body } = await app().call(`GET /api/v4/domains?${query}`, { token })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([query.split('=')[0]])
  })

  test('is empty for a user who controls nothing and complete for a controller', async () => {
    const member = await makeUser(app(), { walletId: owner.walletId })
    const as = (await signInAs(app(), member)).access_token
    expect(await list('', as)).toMatchObject({ list: [], total: 0, message: 'No domains found.' })
    await makeController(app(), member, owner.walletId)
    expect(await list('', as)).toMatchObject({ total: 4 })
  })

  test('shows until when a deleted domain can be restored', async () => {
    const [row] = (await list('?status=deleted')).list
    expect(row).toMatchObject({
      isDeleted: true,
      deleted_at: '2026-03-10 12:05:00',
      restorable_until: '2026-04-09 12:05:00',
    })
  })
})
