import { userStatus } from '@gatehouse/contract/status'
import { expect, test } from 'vitest'
import { minute } from '../../platform/clock.ts'
import { deleteUser, giveMoney, makeUser, setStatus } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

/** Returns a metric's value; undefined if absent. */
async function metric(name: string): Promise<number | undefined> {
  const { body } = await app().call('GET /api/webhooks/metrics')
  const line = String(body)
    .split('\n')
    .find((one: string) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

test('exposes users by state, sign-ups, balances and debts as metrics', async () => {
  const rich = await makeUser(app())
  const poor = await makeUser(app())
  const gone = await makeUser(app())
  await makeUser(app(), { walletId: rich.walletId })
  await giveMoney(app(), rich.walletId, 1500)
  await giveMoney(app(), poor.walletId, -400)
  await setStatus(app(), poor, userStatus.active | userStatus.degraded)
  await deleteUser(app(), gone)
  app().clock.advance(2 * minute)
  expect(await metric('gatehouse_users{state="all"}')).toBe(3)
  expect(await metric('gatehouse_users{state="degraded"}')).toBe(1)
  expect(await metric('gatehouse_users{state="suspended"}')).toBe(0)
  expect(await metric('gatehouse_signups_day')).toBe(3)
  expect(await metric('gatehouse_wallet_credit{currency="CHF"}')).toBe(1500)
  expect(await metric('gatehouse_wallet_debt{currency="CHF"}')).toBe(400)
  expect(await metric('gatehouse_wallet_debtors{currency="CHF"}')).toBe(1)
})
