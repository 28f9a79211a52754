import { expect, test } from 'vitest'
import { UsageError } from '../../platform/cli/command.ts'
import { commandLine } from '../../testing/command-line.ts'
import { makeDiscount, makeTenant, makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

const run = commandLine(app)

test('a discount is created, given to a wallet and removed, and each step is recorded', async () => {
  const user = await makeUser(app())
  await run('discount:create', '40', 'Friends of the house', 'friends')
  await run('wallet:set-discount', user.email, 'FRIENDS')
  const { access_token: token } = await signInAs(app(), user)
  const wallet = async () => (await app().call(`GET /api/v4/users/${user.id}`, { token })).body.wallet
  expect(await wallet()).toMatchObject({ discount: 40, discount_description: 'Friends of the house' })
  expect((await run('discount:list')).join('\n')).toMatch(/40 % {2}FRIENDS {2}active {2}1 wallets/)
  await run('wallet:set-discount', user.walletId, 'friends')
  await run('wallet:set-discount', user.email, 'none')
  expect(await wallet()).toMatchObject({ discount: null, discount_id: null })
  const { body } = await app().call('GET /api/v4/events?event=wallet.', { token })
  expect(body.list.map((event: { title: string; data: unknown }) => [event.title, event.data])).toEqual([
    ['Wallet discount changed', { before: { discount: 40 }, after: { discount: null } }],
    ['Wallet discount changed', { before: { discount: null }, after: { discount: 40 } }],
  ])
})

test('an inactive discount is kept by those who have it', async () => {
  const user = await makeUser(app())
  const [id = ''] = await run('discount:create', '15', 'Early', 'EARLY')
  await run('wallet:set-discount', user.email, id)
  await run('discount:deactivate', 'early')
  expect((await run('discount:list')).join('\n')).toMatch(/15 % {2}EARLY {2}inactive {2}1 wallets/)
})

test('a tenant has its own discounts, for its own customers only', async () => {
  await makeTenant(app(), 12)
  const customer = await makeUser(app(), { tenantId: 12 })
  await run('discount:create', '25', 'Of the house', 'HOUSE25')
  await run('discount:create', '30', 'Of the partner', 'PARTNER30', '--tenant=12')
  await run('wallet:set-discount', customer.email, 'PARTNER30')
  expect((await run('discount:list', '--tenant=12')).join('\n')).toMatch(
    /^\S+ {2}30 % {2}PARTNER30 {2}active {2}1 wallets$/,
  )
  await expect(run('wallet:set-discount', customer.email, 'HOUSE25')).rejects.toThrow(UsageError)
  await expect(run('discount:deactivate', 'PARTNER30')).rejects.toThrow(UsageError)
  await run('discount:deactivate', 'PARTNER30', '--tenant=12')
  expect((await run('discount:list', '--tenant=12')).join('\n')).toContain('PARTNER30  inactive')
})

test('invalid input is rejected with a message', async () => {
  await makeTenant(app(), 8)
  const foreign = await makeDiscount(app(), { discount: 10, code: 'THEIRS', tenantId: 8 })
  const user = await makeUser(app())
  const refused: readonly (readonly [string, ...string[]])[] = [
    ['discount:create', '101', 'Too much'],
    ['discount:create', 'ten', 'No number'],
    ['discount:create', '10', 'Bad code', 'a b'],
    ['discount:create', '10', 'Taken', 'friends'],
    ['wallet:set-discount', user.email, 'THEIRS'],
    ['wallet:set-discount', user.email, foreign],
    ['wallet:set-discount', 'nobody@example.test', 'none'],
    ['discount:deactivate', 'NOTHING'],
    ['discount:list', '--tenant=77'],
  ]
  for (const [name, ...args] of refused) await expect(run(name, ...args)).rejects.toThrow(UsageError)
})
