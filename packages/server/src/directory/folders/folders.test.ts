import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject, newObject, statusesOf } from '../../testing/directory-fixture.ts'
import { makeAlias, makeDomain } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

type Person = 'owner' | 'controller' | 'member'

const create = (facts: Record<string, unknown> = {}, who: Person = 'owner') =>
  account.as(who, 'POST /api/v4/shared-folders', newObject(account, 'shared-folders', facts))
const show = async (id: number) => (await account.as('owner', `GET /api/v4/shared-folders/${id}`)).body
const update = (id: number, body: Record<string, unknown>, who: Person = 'owner') =>
  account.as(who, `PUT /api/v4/shared-folders/${id}`, body)
const refused = async (facts: Record<string, unknown>) => {
  const { status, body } = await create(facts)
  expect(status).toBe(422)
  return body.errors
}
const inUse = 'This entry is already in use.'

describe('a new shared folder', () => {
  test.each(['mail', 'event', 'contact', 'task', 'note', 'file'])('may have the type %s', async (type) => {
    const { status, body } = await create({ type, name: 'Projects/2026' }, 'controller')
    expect({ status, message: body.message }).toEqual({
      status: 200,
      message: 'The shared folder has been created.',
    })
    const { id } = body
    expect(await skusOf(app(), id)).toEqual({ 'shared-folder': 1 })
    expect(await show(id)).toMatchObject({
      email: `${type}-${id}@${account.domain}`,
      name: 'Projects/2026',
      type,
      aliases: [],
      config: { acl: [] },
      isReady: false,
    })
    await app().jobs.drain()
    expect(app().backend.folders.get(id)).toEqual({
      id,
      address: `${type}-${id}@${account.domain}`,
      type,
      path: `shared/Projects/2026@${account.domain}`,
      previousPaths: [],
      name: 'Projects/2026',
      acl: [],
      everyone: [],
      aliases: [],
    })
    expect(await show(id)).toMatchObject({ isReady: true, isImapReady: true, statusInfo: { isDone: true } })
  })

  test('requires a type, a name without empty parts and a domain', async () => {
    expect(await refused({ type: null })).toEqual({ type: ['Fill in this field.'] })
    expect(await refused({ type: 'video' })).toEqual({ type: ['This entry isn’t valid.'] })
    expect(await refused({ type: 5 })).toEqual({ type: ['This must be text.'] })
    const invalid = { name: ['This name contains characters that aren’t allowed.'] }
    for (const name of [
      '/a',
      'a/',
      'a//b',
      'a/ /b',
      'a/../b',
      '.',
      'Resources',
      'resources/Car',
      'a+b',
      'a@b',
      'a/b;c',
    ]) {
      expect(await refused({ name }), name).toEqual(invalid)
    }
    expect(await refused({ name: null, domain: null, type: 'x' })).toEqual({
      name: ['Fill in this field.', 'This domain name isn’t valid.'],
      type: ['This entry isn’t valid.'],
    })
    await makeObject(account, 'shared-folders', { name: 'Team/A' })
    expect(await refused({ name: 'team/a', type: 'event' })).toEqual({
      name: ['This name is already in use in this domain.'],
    })
    // a resource with that name is in another namespace
    expect(
      (await account.as('owner', 'POST /api/v4/resources', { name: 'Same', domain: account.domain })).status,
    ).toBe(200)
    expect((await create({ name: 'Same' })).status).toBe(200)
  })

  test('of type mail gets its aliases, each validated at its position', async () => {
    const { domain, member } = account
    await makeAlias(app(), member, `taken@${domain}`)
    const other = await makeAccount(app())
    const name = 'Büro/Post'
    const byName = `shared+shared/${name}@${domain.toUpperCase()}`
    const { body } = await create({ name, aliases: [`Office@${domain}`, '', byName, `office@${domain}`] })
    const lmtp = `shared+shared/${name}@${domain}`
    expect((await show(body.id)).aliases).toEqual([`office@${domain}`, lmtp])
    await app().jobs.drain()
    expect(app().backend.folders.get(body.id)?.aliases).toEqual([`office@${domain}`, lmtp])
    const aliases = [
      `fine@${domain}`,
      `office@${domain}`,
      `taken@${domain}`,
      member.email,
      'plain',
      `a@${other.domain}`,
      `shared+shared/Other@${domain}`,
      `a@b@${domain}`,
      'x@nowhere.test',
    ]
    expect(await refused({ name: 'Else', aliases })).toEqual({
      aliases: {
        1: inUse,
        2: inUse,
        3: inUse,
        4: 'This entry isn’t valid.',
        5: 'This domain isn’t available.',
        6: 'This entry isn’t valid.',
        7: 'This entry isn’t valid.',
        8: 'This domain name isn’t valid.',
      },
    })
    expect(await refused({ name: 'Else', aliases: ['x'.repeat(2000)] })).toEqual({
      aliases: { 0: expect.any(String) },
    })
    expect(await refused({ name: 'Else', aliases: `a@${domain}` })).toEqual({
      aliases: ['This must be a list.'],
    })
  })

  test('of another type has no aliases', async () => {
    const { body } = await create({ type: 'event', aliases: [`cal@${account.domain}`, 'nonsense'] })
    expect((await show(body.id)).aliases).toEqual([])
    await update(body.id, { aliases: [`cal@${account.domain}`] })
    expect((await show(body.id)).aliases).toEqual([])
  })

  test('does not get an address that is claimed concurrently', async () => {
    const alias = `wanted@${account.domain}`
    const answers = await Promise.all([
      create({ aliases: [`first@${account.domain}`, alias] }),
      create({ aliases: [alias, `first@${account.domain}`] }),
      account.as('owner', 'POST /api/v4/users', account.newUser({ aliases: [alias] })),
    ])
    expect(statusesOf(answers)).toEqual([200, 422, 422])
  })
})

describe('aliases of a folder', () => {
  test('are replaced as a whole, even without a name, and may include current ones', async () => {
    const { domain } = account
    const id = await makeObject(account, 'shared-folders', { aliases: [`a@${domain}`, `b@${domain}`] })
    const { status, body } = await update(id, { aliases: [`B@${domain}`, `c@${domain}`] })
    expect({ status, message: body.message }).toEqual({
      status: 200,
      message: 'The shared folder has been updated.',
    })
    expect(await show(id)).toMatchObject({ aliases: [`b@${domain}`, `c@${domain}`], revision: body.revision })
    // a removed alias is available again
    expect((await create({ aliases: [`a@${domain}`] })).status).toBe(200)
    const taken = await update(id, { aliases: [`b@${domain}`, `a@${domain}`] })
    expect(taken.body.errors).toEqual({ aliases: { 1: inUse } })
    expect((await update(id, { aliases: [] })).status).toBe(200)
    expect((await show(id)).aliases).toEqual([])
    expect((await update(id, { name: 'Kept', aliases: null })).status).toBe(200)
  })

  test('derived from the name follow the name', async () => {
    const { domain } = account
    const by = (name: string) => `shared+shared/${name}@${domain}`
    const id = await makeObject(account, 'shared-folders', { name: 'One', aliases: [by('One')] })
    await update(id, { name: 'Two' })
    expect((await show(id)).aliases).toEqual([by('Two')])
    // a form sends back the alias it was shown, or the one for the new name
    await update(id, { name: 'Three', aliases: [by('Two')] })
    expect((await show(id)).aliases).toEqual([by('Three')])
    await update(id, { name: 'Four', aliases: [by('Four')] })
    expect((await show(id)).aliases).toEqual([by('Four')])
    expect((await update(id, { aliases: [by('One')] })).status).toBe(422)
    await app().jobs.drain()
    expect(app().backend.folders.get(id)).toMatchObject({
      path: `shared/Four@${domain}`,
      aliases: [by('Four')],
    })
    await update(id, { aliases: [] })
    expect((await show(id)).aliases).toEqual([])
  })

  test('conflict when two users change them concurrently', async () => {
    const { domain } = account
    const id = await makeObject(account, 'shared-folders')
    const { revision } = await show(id)
    const answers = await Promise.all([
      update(id, { aliases: [`a@${domain}`], revision }),
      update(id, { aliases: [`b@${domain}`], revision }, 'controller'),
    ])
    expect(statusesOf(answers)).toEqual([200, 409])
  })

  test('are allowed in a public domain and never passed on to anyone else', async () => {
    const open = `open${account.owner.id}.test`
    await makeDomain(app(), open)
    const id = await makeObject(account, 'shared-folders', { aliases: [`post@${open}`] })
    expect((await show(id)).aliases).toEqual([`post@${open}`])
    expect((await create({ aliases: [`post@${open}`] })).body.errors).toEqual({ aliases: { 0: inUse } })
  })
})

describe('access rights of a folder', () => {
  const set = (id: number, acl: unknown, who: Person = 'owner') =>
    account.as(who, `POST /api/v4/shared-folders/${id}/config`, { acl })
  const acl = async (id: number) => (await show(id)).config.acl

  test('are for anyone or users of the account and are normalised', async () => {
    const id = await makeObject(account, 'shared-folders')
    const { controller, member } = account
    const sent = [
      `${member.email.toUpperCase()} ,Read-Write`,
      '',
      ' ANYONE,read-only',
      `${controller.email}, full`,
    ]
    const { status, body } = await set(id, sent, 'controller')
    expect({ status, message: body.message }).toEqual({
      status: 200,
      message: 'The settings of the shared folder have been saved.',
    })
    const rules = ['anyone, read-only', `${controller.email}, full`, `${member.email}, read-write`]
    expect(await acl(id)).toEqual(rules)
    await app().jobs.drain()
    expect(app().backend.folders.get(id)?.acl).toEqual([
      { identifier: 'anyone', right: 'read-only' },
      { identifier: controller.email, right: 'full' },
      { identifier: member.email, right: 'read-write' },
    ])
    expect((await set(id, 'anyone, full')).status).toBe(200)
    expect(await acl(id)).toEqual(['anyone, full'])
    expect((await set(id, [])).status).toBe(200)
    expect(await acl(id)).toEqual([])
  })

  test('are rejected as a whole if one names an unknown user, a duplicate or no right', async () => {
    const other = await makeAccount(app())
    const id = await makeObject(account, 'shared-folders')
    await set(id, ['anyone, full'])
    const { member, domain } = account
    await makeAlias(app(), member, `alias@${domain}`)
    const entry = 'This permission isn’t valid or lists the same address twice.'
    const cases: [unknown, string | undefined][] = [
      [`${member.email}, full`, undefined],
      [`${member.email.toUpperCase()}, read-only`, entry],
      ['anyone, read', entry],
      ['anyone', entry],
      ['anyone, full, full', entry],
      [', full', entry],
      [5, entry],
      [['anyone, full'], entry],
      ['everybody, full', 'This e-mail address can’t be used.'],
      [`nobody@${domain}, full`, 'This address doesn’t exist in this account.'],
      [`${other.member.email}, full`, 'This address doesn’t exist in this account.'],
      [`alias@${domain}, full`, 'This address doesn’t exist in this account.'],
    ]
    const { status, body } = await set(
      id,
      cases.map(([sent]) => sent),
    )
    expect(status).toBe(422)
    expect(body.errors).toEqual({
      acl: Object.fromEntries(
        cases.flatMap(([, text], index) => (text === undefined ? [] : [[index, text]])),
      ),
    })
    expect((await set(id, { a: 1 })).body.errors).toEqual({ acl: entry })
    expect(await acl(id)).toEqual(['anyone, full'])
  })

  test('are removed with the user and provisioned in the back end', async () => {
    const id = await makeObject(account, 'shared-folders')
    await set(id, [`${account.member.email}, full`, 'anyone, read-only'])
    await app().jobs.drain()
    await account.as('owner', `DELETE /api/v4/users/${account.member.id}`)
    expect(await acl(id)).toEqual(['anyone, read-only'])
    await app().jobs.drain()
    expect(app().backend.folders.get(id)?.acl).toEqual([{ identifier: 'anyone', right: 'read-only' }])
  })
})
