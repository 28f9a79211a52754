import { expect, test } from 'vitest'
import { makeAccount, packageOf } from '../../testing/account-fixture.ts'
import { signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

test('a yearly price counts a twelfth in an import, in a package price and in the costs', async () => {
  // yearly groupware
  await app().database.pool.query(`update skus set period = 'yearly', cost = 6005 where title = 'groupware'`)
  await app().database.pool.query(
    `update package_skus set cost = null where sku_id in (select id from skus where title = 'groupware')`,
  )
  const account = await makeAccount(app())
  const { access_token: token } = await signInAs(app(), account.owner)
  const call = (route: string, body?: unknown, headers?: Record<string, string>) =>
    app().call(route, { token, ...(body !== undefined && { body }), ...(headers && { headers }) })
  const kolab = await packageOf(app(), 'kolab')
  const packages = (await call('GET /api/v4/packages')).body
  expect(packages.find((one: { id: string }) => one.id === kolab)).toMatchObject({
    cost: 500 + 500,
    yearCost: 12 * 500 + 6005,
  })
  const path = `/api/v4/wallets/${account.owner.walletId}`
  const before = (await call(`GET ${path}/costs`)).body.monthly
  const file = `email,package,quota\na@${account.domain},kolab,\nb@${account.domain},kolab,7\n`
  const { body } = await call('POST /api/v4/imports?kind=users', file, { 'content-type': 'text/csv' })
  await app().jobs.drain()
  const batch = (await call(`GET /api/v4/batches/${body.batch.id}`)).body
  expect(batch.price.monthly).toEqual({ now: before, next: before + 2 * 1000 + 2 * 25 })
  await call(`POST /api/v4/batches/${body.batch.id}/start`, {})
  await app().jobs.drain()
  expect((await call(`GET ${path}/costs`)).body.monthly).toBe(batch.price.monthly.next)
})
