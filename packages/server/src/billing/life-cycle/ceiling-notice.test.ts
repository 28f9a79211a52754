import { expect, test } from 'vitest'
import { day } from '../../platform/clock.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

/** Subjects of the owner's mails about the ceiling, newest first. */
async function toldTo({ owner }: TestAccount): Promise<string[]> {
  return (await app().mails())
    .filter(({ to }) => to.some(({ address }) => address === owner.email))
    .map(({ subject }) => subject)
    .filter((subject) => /ceiling|Obergrenze|plafond|limite/.test(subject))
}

const subjects = {
  en: 'An order was refused because it exceeds the ceiling of your Gatehouse account',
  de: 'Eine Bestellung wurde abgelehnt, weil sie die Obergrenze Ihres Kontos bei Gatehouse übersteigt',
  fr: 'Une commande a été refusée, car elle dépasse le plafond de votre compte Gatehouse',
  it: 'Un ordine è stato rifiutato perché supera il limite dell’account Gatehouse',
} as const

test.each(['en', 'de', 'fr', 'it'] as const)(
  'an order that the ceiling refuses is told once a day, in the language of the owner: %s',
  async (language) => {
    const account = await makeAccount(app())
    await account.as('owner', `PUT /api/v4/wallets/${account.owner.walletId}/settings`, {
      monthly_ceiling: 1,
    })
    await app()
      .database.db.updateTable('users')
      .set({ language })
      .where('id', '=', account.owner.id)
      .execute()
    const order = async () => {
      // tokens expire within days
      const { access_token: token } = await signInAs(app(), account.owner)
      const answer = await app().call('POST /api/v4/users', { token, body: account.newUser() })
      expect(answer.status).toBe(422)
    }
    await order()
    await order()
    expect(await toldTo(account)).toEqual([subjects[language]])
    app().clock.advance(day - 1)
    await order()
    expect(await toldTo(account)).toHaveLength(1)
    app().clock.advance(1)
    await order()
    expect(await toldTo(account)).toEqual([subjects[language], subjects[language]])
  },
)

test('previewing a price above the ceiling sends no mail', async () => {
  const account = await makeAccount(app())
  await account.as('owner', `PUT /api/v4/wallets/${account.owner.walletId}/settings`, { monthly_ceiling: 1 })
  const { package: packageId } = account.newUser()
  const price = await account.as('owner', 'POST /api/v4/users/preview', { package: packageId })
  expect(price.body.errors.package).toMatch(/ceiling/)
  expect(await toldTo(account)).toEqual([])
})

test('several batch rows rejected by the ceiling send one mail', async () => {
  const account = await makeAccount(app())
  const { owner, member, controller } = account
  await account.as('owner', `PUT /api/v4/wallets/${owner.walletId}/settings`, { monthly_ceiling: 1 })
  const { package: packageId } = account.newUser()
  const ids = [member.id, controller.id]
  await app().database.pool.query('update entitlements set deleted_at = now() where object_id = any($1)', [
    ids,
  ])
  const act = { objects: 'users', action: 'package', ids, package: packageId }
  const { batch } = (await account.as('owner', 'POST /api/v4/bulk', act)).body
  await app().jobs.drain()
  const { counts } = (await account.as('owner', `GET /api/v4/batches/${batch.id}`)).body
  expect(counts).toMatchObject({ failed: 2 })
  expect(await toldTo(account)).toEqual([subjects.en])
})
