import { expect, test } from 'vitest'
import { makeAccount } from '../testing/account-fixture.ts'
import { makeObject, newObject } from '../testing/directory-fixture.ts'
import { makeDomain, makeUser, signInAs } from '../testing/factories.ts'
import { createTestApp, useTestApp } from '../testing/test-app.ts'

const app = useTestApp()
const collections = ['groups', 'resources', 'shared-folders'] as const

test('kinds that the installation does not offer do not exist', async () => {
  const off = { APP_WITH_DISTLISTS: '0', APP_WITH_RESOURCES: '0', APP_WITH_SHARED_FOLDERS: '0' }
  await using bare = await createTestApp(off)
  const account = await makeAccount(bare)
  for (const collection of collections) {
    const path = `/api/v4/${collection}`
    for (const route of [
      `GET ${path}`,
      `POST ${path}`,
      `GET ${path}/1`,
      `PUT ${path}/1`,
      `DELETE ${path}/1`,
      `GET ${path}/1/status`,
      `GET ${path}/1/skus`,
      `POST ${path}/1/config`,
      `POST ${path}/1/restore`,
    ]) {
      const body = route.startsWith('GET') ? undefined : {}
      expect((await account.as('owner', route, body)).status, route).toBe(404)
    }
  }
})

test("a user without a custom domain can't create any of them, as the flags say", async () => {
  await makeDomain(app(), 'example.test')
  const solo = await makeUser(app())
  const { access_token: token } = await signInAs(app(), solo)
  const { statusInfo } = (await app().call('GET /api/auth/info', { token })).body
  expect(statusInfo).toMatchObject({ enableDistlists: false, enableResources: false, enableFolders: false })
  for (const collection of collections) {
    expect((await app().call(`POST /api/v4/${collection}`, { token, body: {} })).status).toBe(403)
    expect((await app().call(`GET /api/v4/${collection}`, { token })).body.total).toBe(0)
  }
})

test('with resources restricted to beta features, other users can only view and delete them', async () => {
  const account = await makeAccount(app())
  const { db } = app().database
  const id = await makeObject(account, 'resources')
  const second = await makeObject(account, 'resources')
  const [beta] = await db.selectFrom('skus').selectAll().where('title', '=', 'activesync').execute()
  if (beta === undefined) throw new Error('in the catalogue')
  const title = (from: string, to: string) =>
    db.updateTable('skus').set({ title: to }).where('title', '=', from).execute()
  await title('activesync', 'beta')
  // the SKUs a tenant sells are cached for a few seconds
  app().clock.advance(31)
  try {
    const status = async (route: string, body?: unknown) => (await account.as('owner', route, body)).status
    expect(await status('POST /api/v4/resources', newObject(account, 'resources'))).toBe(403)
    expect(await status(`PUT /api/v4/resources/${id}`, { name: 'Other' })).toBe(403)
    expect(await status(`POST /api/v4/resources/${id}/config`, {})).toBe(403)
    expect((await account.as('owner', `GET /api/v4/resources/${id}`)).body).toMatchObject({
      canUpdate: false,
      canConfigure: false,
      canDelete: true,
    })
    expect(await status(`DELETE /api/v4/resources/${second}`)).toBe(200)
    expect(await status(`POST /api/v4/resources/${second}/restore`, {})).toBe(403)
    expect(await status('POST /api/v4/groups', newObject(account, 'groups'))).toBe(200)
  } finally {
    await title('beta', 'activesync')
    app().clock.advance(31)
  }
  expect((await account.as('owner', `PUT /api/v4/resources/${id}`, { name: 'Other' })).status).toBe(200)
})

test('with a directory server, objects wait for their domain and have a set-up step for it', async () => {
  await using ldap = await createTestApp({ APP_LDAP: '1' })
  const account = await makeAccount(ldap)
  for (const collection of collections) {
    const id = await makeObject(account, collection)
    const status = async () => (await account.as('owner', `GET /api/v4/${collection}/${id}/status`)).body
    const before = await status()
    expect(before).toMatchObject({ isLdapReady: false, isReady: false })
    const own = before.process.filter((step: { label: string }) => !step.label.startsWith('domain-'))
    expect(own.map((step: { label: string }) => step.label.replace(/^.*-(new|ldap|imap)/, '$1'))).toEqual(
      collection === 'groups' ? ['new', 'ldap-ready'] : ['new', 'ldap-ready', 'imap-ready'],
    )
    await ldap.jobs.drain()
    expect(await status()).toMatchObject({ isLdapReady: true, isReady: true, processState: 'done' })
  }
})
