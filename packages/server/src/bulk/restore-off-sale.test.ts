import { expect, test } from 'vitest'
import { makeAccount } from '../testing/account-fixture.ts'
import { signInAs } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()

test.each(['domains', 'groups'] as const)(
  'restoring many %s says beforehand what is not on sale any more, and refuses it',
  async (objects) => {
    const account = await makeAccount(app())
    const { access_token: token } = await signInAs(app(), account.owner)
    const call = (route: string, body?: unknown) =>
      app().call(route, { token, ...(body !== undefined && { body }) })
    const { body: packages } = await call('GET /api/v4/packages')
    const hosting = packages.find((one: { title: string }) => one.title === 'domain-hosting')
    const input = {
      domains: { namespace: `more.${account.domain}.org`, package: hosting?.id },
      groups: { email: `all@${account.domain}`, name: 'all', members: [account.member.email] },
    }
    const { id } = (await call(`POST /api/v4/${objects}`, input[objects])).body
    expect((await call(`DELETE /api/v4/${objects}/${id}`)).status).toBe(200)
    const sku = objects === 'domains' ? 'domain-hosting' : 'group'
    const sale = (active: boolean) =>
      app().database.pool.query(`update skus set active = $1 where title = $2`, [active, sku])
    const act = { objects, action: 'restore', ids: [id] }
    const preview = async () => (await call('POST /api/v4/bulk', { ...act, dryRun: true })).body.preview
    const possible = await preview()
    expect(possible).toMatchObject({ ok: 1, refused: 0 })

    await sale(false)
    const messages = [{ field: 'skus', text: 'This isn’t on sale.' }]
    const shown = await preview()
    expect(shown).toMatchObject({ ok: 0, refused: 1, rows: [{ objectId: id, messages }] })
    // nothing is restored, so the price doesn't change
    expect(shown.price.monthly.next).toBe(shown.price.monthly.now)
    await sale(true)
    expect(await preview()).toEqual(possible)
  },
)
