import { beforeAll, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { makeAlias, makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp({ APP_WITH_USER_SEARCH: '1' })
const withoutSearch = useTestApp()
let account: TestAccount
let token = ''
let domain = ''

beforeAll(async () => {
  account = await makeAccount(app())
  domain = account.domain
  const member = (name: string, first_name: string, last_name: string) =>
    makeUser(app(), {
      email: `${name}@${domain}`,
      walletId: account.owner.walletId,
      settings: { first_name, last_name },
    })
  const zoe = await member('a.zoe', 'Zoë', 'Abel')
  await makeAlias(app(), zoe, `muller@${domain}`)
  await member('b.jurg', 'Jürg', 'Müller')
  await makeObject(account, 'groups', { email: `team@${domain}`, name: 'Müller & Team' })
  await makeObject(account, 'resources', { name: 'Beamer' })
  await makeObject(account, 'shared-folders', { name: 'Müller archive' })
  await makeUser(app(), { email: 'stranger@example.test', settings: { last_name: 'Müller' } })
  token = (await signInAs(app(), zoe)).access_token
})

const find = async (path: string) => {
  const { status, body } = await app().call(`GET /api/v4/search/${path}`, { token })
  expect(status).toBe(200)
  expect(body.count).toBe(body.list.length)
  return body.list.map(({ email, name }: { email: string; name: string }) => `${name} <${email}>`)
}

describe('a search for', () => {
  test('own addresses finds aliases only on request', async () => {
    expect(await find('self')).toEqual([`Zoë Abel <a.zoe@${domain}>`])
    expect(await find('self?search=muller')).toEqual([])
    expect(await find('self?search=muller&alias=1')).toEqual([`Zoë Abel <muller@${domain}>`])
    expect(await find('self?alias=true')).toHaveLength(2)
    expect(await find('self?alias=0')).toHaveLength(1)
  })

  test('users of the account ignores case and accents, and finds nobody else', async () => {
    expect(await find('user?search=MULLER')).toEqual([`Jürg Müller <b.jurg@${domain}>`])
    expect(await find('user?search=zoe')).toEqual([`Zoë Abel <a.zoe@${domain}>`])
    expect(await find('user?search=stranger')).toEqual([])
    expect(await find(`user?search=${encodeURIComponent('%')}`)).toEqual([])
  })

  test('users takes the first by address, then sorts them by name', async () => {
    const [, , ...rest] = await find('user?limit=100')
    expect(await find('user?limit=2')).toEqual([
      `Jürg Müller <b.jurg@${domain}>`,
      `Zoë Abel <a.zoe@${domain}>`,
    ])
    expect(rest.length).toBeGreaterThan(0)
  })

  test.each(['limit=0', 'limit=-3', 'limit=many', ''])('users with %j returns at most 15', async (query) => {
    expect((await find(`user?${query}`)).length).toBeLessThanOrEqual(15)
  })

  test('contacts finds users, lists and resources, but no folders', async () => {
    expect(await find('contacts?search=muller')).toEqual([
      `Jürg Müller <b.jurg@${domain}>`,
      `Müller & Team <team@${domain}>`,
    ])
    expect((await find('contacts?search=beamer'))[0]).toMatch(/^Beamer </)
  })
})

describe('an installation without the search of users', () => {
  test('hides it, and shows no users among the contacts', async () => {
    const other = await makeAccount(withoutSearch())
    await makeObject(other, 'groups', { name: 'Everyone' })
    const { access_token: as } = await signInAs(withoutSearch(), other.member)
    const call = (path: string) => withoutSearch().call(`GET /api/v4/search/${path}`, { token: as })
    expect((await call('user')).status).toBe(404)
    expect((await call('contacts')).body.list.map(({ name }: { name: string }) => name)).toEqual(['Everyone'])
  })

  test('has no address book for mail programs', async () => {
    expect((await withoutSearch().call('GET /carddav/')).status).toBe(404)
  })
})

test('the webmail is told which features a user has', async () => {
  const { body } = await app().call('GET /api/v4/config/webmail', {
    token: (await signInAs(app(), account.owner)).access_token,
  })
  expect(body).toEqual({ 'kolab-configuration-overlays': ['kolab4', 'groupware'] })
  const light = await makeUser(app(), { plan: null })
  const answer = await app().call('GET /api/v4/config/webmail', {
    token: (await signInAs(app(), light)).access_token,
  })
  expect(answer.body).toEqual({ 'kolab-configuration-overlays': ['kolab4'] })
})
