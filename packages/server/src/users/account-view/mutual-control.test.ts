import { expect, test } from 'vitest'
import { skusOf } from '../../testing/account-fixture.ts'
import { type MadeUser, makeController, makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

/** Returns the complete requested state of a user with a number of storage units. */
async function wanted(storage: number): Promise<Record<string, number>> {
  const skus = await app().database.db.selectFrom('skus').select(['id', 'title']).execute()
  const units: Record<string, number> = { mailbox: 1, groupware: 1, storage }
  return Object.fromEntries(
    skus.flatMap((sku) => {
      const count = units[sku.title]
      return count === undefined ? [] : [[sku.id, count]]
    }),
  )
}

// rejected requests are retried until they succeed, which takes a while on a busy machine
test('concurrent changes of everything by two people who control each other all succeed', {
  timeout: 60_000,
}, async () => {
  const owners = [await makeUser(app(), { plan: 'group' }), await makeUser(app(), { plan: 'group' })] as const
  const [one, other] = owners
  await makeController(app(), one, other.walletId)
  await makeController(app(), other, one.walletId)
  const tokens = new Map<MadeUser, string>()
  for (const owner of owners) tokens.set(owner, (await signInAs(app(), owner)).access_token)
  const members = [
    await makeUser(app(), { walletId: one.walletId }),
    await makeUser(app(), { walletId: other.walletId }),
  ]
  const skus = [await wanted(6), await wanted(7)]
  const change = async (by: MadeUser, of: MadeUser, body: Record<string, unknown>, path = '') => {
    const route = `${path === '' ? 'PUT' : 'POST'} /api/v4/users/${of.id}${path}`
    for (;;) {
      const answer = await app().call(route, { token: tokens.get(by) ?? '', body })
      // a busy machine has no free connection for so many requests and says so; clients retry
      if (answer.status !== 503) return answer
    }
  }

  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, turn) => [
      change(one, one, { skus: skus[turn % 2], first_name: `A${turn}` }),
      change(other, other, { skus: skus[turn % 2], first_name: `B${turn}` }),
      change(turn % 2 === 0 ? one : other, members[turn % 2] ?? one, { skus: skus[(turn + 1) % 2] }),
      change(turn % 2 === 0 ? other : one, members[turn % 2] ?? one, { skus: skus[turn % 2] }, '/preview'),
    ]).flat(),
  )
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
  for (const user of [...owners, ...members]) {
    expect(await skusOf(app(), user.id)).toMatchObject({ mailbox: 1, groupware: 1 })
    expect([6, 7]).toContain((await skusOf(app(), user.id)).storage)
  }
})
