import { domainStatus, domainType } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeAccount } from '../testing/account-fixture.ts'
import {
  deleteUser,
  type MadeUser,
  makeAlias,
  makeController,
  makeDomain,
  makeUser,
  signInAs,
} from '../testing/factories.ts'
import { makeRoom, skuIds } from '../testing/meetings.ts'
import { useTestApp } from '../testing/test-app.ts'
import { writeSettings } from '../users/setting-store.ts'

const app = useTestApp({ APP_WITH_DISTLISTS: '1', APP_WITH_SHARED_FOLDERS: '1' })
let owner: MadeUser
let token = ''
let rosaId = 0

const search = async (q: string, as = token) => {
  const { status, body } = await app().call(`GET /api/v4/search?q=${encodeURIComponent(q)}`, { token: as })
  expect(status).toBe(200)
  return body.list as { type: string; id: number; title: string; detail: string | null }[]
}
const titles = async (q: string, as = token) =>
  (await search(q, as)).map(({ type, title }) => `${type} ${title}`)

async function makeObject(kind: string, name: string, email: string): Promise<void> {
  const now = app().clock.now()
  const id = Math.ceil(Math.random() * 4e9)
  const folderType = kind === 'shared-folder' ? 'mail' : null
  await sql`insert into directory_objects (id, kind, tenant_id, wallet_id, domain, email, name, status, folder_type,
      created_at, updated_at)
    values (${id}, ${kind}, 0, ${owner.walletId}, ${email.split('@')[1]}, ${email}, ${name}, 3, ${folderType},
      ${now}, ${now})`.execute(app().database.db)
}

beforeAll(async () => {
  owner = await makeUser(app(), {
    email: 'boss@acme.test',
    settings: { first_name: 'Olga', last_name: 'Boss' },
  })
  await makeDomain(app(), 'acme.test', { type: domainType.external, walletId: owner.walletId })
  await makeDomain(app(), 'anna.test', {
    type: domainType.external,
    status: domainStatus.new,
    walletId: owner.walletId,
  })
  const member = (email: string, first_name: string, last_name: string) =>
    makeUser(app(), { email, walletId: owner.walletId, settings: { first_name, last_name } })
  await member('anna@acme.test', 'Anna', 'Zorn')
  await member('joanna@acme.test', 'Joanna', 'Abel')
  await member('b.anna@acme.test', 'Berta', 'Annaberg')
  const carl = await member('carl@acme.test', 'Carl', '100%_Berg')
  const rosa = await makeUser(app(), {
    email: 'rosa@acme.test',
    walletId: owner.walletId,
    settings: { first_name: 'Rosé', last_name: 'Müller-Strauß', organization: 'Gärtnerei Łukasz & Söhne' },
  })
  rosaId = rosa.id
  await makeUser(app(), {
    email: 'post@xn--mnchen-3ya.test',
    walletId: owner.walletId,
    settings: { first_name: 'Wim' },
  })
  await makeDomain(app(), 'xn--mnchen-3ya.test', { type: domainType.external, walletId: owner.walletId })
  await makeAlias(app(), carl, 'chief@acme.test')
  await deleteUser(app(), await member('gone@acme.test', 'Anna', 'Gone'))
  await makeUser(app(), {
    email: 'anna@stranger.test',
    settings: { first_name: 'Anna', last_name: 'Stranger' },
  })
  await makeObject('group', 'Annas friends', 'friends@acme.test')
  await makeObject('shared-folder', 'Plans of Anna', 'plans@acme.test')
  token = (await signInAs(app(), owner)).access_token
})

describe('a search', () => {
  test('finds objects of all kinds in the account, best matches first', async () => {
    expect(await titles('anna')).toEqual([
      // prefix match
      'distlist Annas friends',
      'domain anna.test',
      'user Anna Zorn',
      // prefix of a later word
      'folder Plans of Anna',
      'user Berta Annaberg',
      // substring match
      'user Joanna Abel',
    ])
  })

  test('returns the type, id, name and address of each', async () => {
    expect(await search('anna@acme.test')).toMatchObject([
      { type: 'user', title: 'Anna Zorn', detail: 'anna@acme.test' },
      { type: 'user', title: 'Joanna Abel', detail: 'joanna@acme.test' },
      { type: 'user', title: 'Berta Annaberg', detail: 'b.anna@acme.test' },
    ])
    expect(await search('acme.test')).toContainEqual({
      type: 'domain',
      id: expect.any(Number),
      title: 'acme.test',
      detail: null,
    })
  })

  test.each([
    ['ANNA ZORN', ['user Anna Zorn']],
    ['chief', ['user Carl 100%_Berg']],
    ['%', ['user Carl 100%_Berg']],
    ['_', ['user Carl 100%_Berg']],
    ['\\', []],
    ["'; drop table users", []],
    ['gone', []],
    ['stranger', []],
    ['', []],
    ['   ', []],
  ])('for %j finds %j', async (q, expected) => {
    expect(await titles(q)).toEqual(expected)
  })

  test.each([
    ['muller', 'user Rosé Müller-Strauß'],
    ['MÜLLER', 'user Rosé Müller-Strauß'],
    ['mu\u0308ller-strauss', 'user Rosé Müller-Strauß'],
    ['rose mul', 'user Rosé Müller-Strauß'],
    ['lukasz & soh', 'user Rosé Müller-Strauß'],
    ['sa@acm', 'user Rosé Müller-Strauß'],
    ['st@munch', 'user Wim'],
    ['ünchen.te', 'user Wim'],
    ['xn--mn', 'user Wim'],
    ['unchen.te', 'domain münchen.test'],
    ['ends@ac', 'distlist Annas friends'],
    ['lans of an', 'folder Plans of Anna'],
  ])('for %j, a part of a name, organisation, address or domain, finds %s', async (q, expected) => {
    expect(await titles(q)).toContain(expected)
  })

  test('reflects a change of the organisation', async () => {
    await writeSettings(app().database.db, rosaId, { organization: 'Nouvelle École' })
    expect(await titles('lle ecole')).toEqual(['user Rosé Müller-Strauß'])
    expect(await titles('gartnerei')).toEqual([])
    await writeSettings(app().database.db, rosaId, { organization: null })
    expect(await titles('lle ecole')).toEqual([])
  })

  test('ranks exact matches before prefixes', async () => {
    const short = await makeUser(app(), {
      email: 'zz@acme.test',
      walletId: owner.walletId,
      settings: { first_name: 'Bert' },
    })
    const long = await makeUser(app(), {
      email: 'yy@acme.test',
      walletId: owner.walletId,
      settings: { first_name: 'Bertha' },
    })
    expect(await titles('bert')).toEqual(['user Bert', 'user Berta Annaberg', 'user Bertha'])
    await deleteUser(app(), short)
    await deleteUser(app(), long)
  })

  test('returns at most twenty, and limits each kind so that others are not hidden', async () => {
    for (let number = 0; number < 30; number += 1) {
      await makeUser(app(), { email: `crowd${number}@acme.test`, walletId: owner.walletId })
    }
    await makeObject('group', 'Crowd', 'all@acme.test')
    const found = await titles('crowd')
    expect(found[0]).toBe('distlist Crowd')
    expect(found).toHaveLength(9)
  })

  test('rejects a text longer than any name', async () => {
    const { status, body } = await app().call(`GET /api/v4/search?q=${'x'.repeat(192)}`, { token })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['q'])
  })
})

describe('a user who searches', () => {
  test('and controls the account finds the same as its owner', async () => {
    const controller = await makeUser(app(), { email: 'second@acme.test', walletId: owner.walletId })
    await makeController(app(), controller, owner.walletId)
    const as = (await signInAs(app(), controller)).access_token
    expect(await titles('anna', as)).toEqual(await titles('anna'))
  })

  test('without controlling anything finds only their own account', async () => {
    const plain = await makeUser(app(), { email: 'anna.plain@acme.test', walletId: owner.walletId })
    const as = (await signInAs(app(), plain)).access_token
    expect(await titles('anna', as)).toEqual(['user anna.plain@acme.test'])
    expect(await titles('acme', as)).toEqual(['user anna.plain@acme.test'])
    await deleteUser(app(), plain)
  })
})

test('user searches use a single index that includes the account', async () => {
  const plan = await app()
    .database.db.transaction()
    .execute(async (trx) => {
      // otherwise a table of a few dozen rows would be scanned sequentially
      await sql`set local enable_seqscan = off`.execute(trx)
      await sql`set local enable_bitmapscan = off`.execute(trx)
      return sql`explain select id, sort_name, search_text from users
        where wallet_id = any(array[${owner.walletId}]::uuid[]) and deleted_at is null
          and search_text like '%x%'`.execute(trx)
    })
  expect(JSON.stringify(plan.rows)).toContain('Index Only Scan using users_wallet')
})

describe('rooms', () => {
  const rooms = async (q: string, as: string) =>
    (await search(q, as))
      .filter(({ type }) => type === 'room')
      .map(({ title, detail }) => ({ title, detail }))

  test('are found by name and description by those who control them or have access, and by no one else', async () => {
    const account = await makeAccount(app())
    const skus = await skuIds(app())
    const shared = await makeRoom(
      account,
      {},
      { description: 'Weekly talk', skus: { [skus['group-room'] ?? '']: 1 } },
    )
    const own = await makeRoom(account)
    const guest = await makeUser(app(), { email: 'moderator@acme.test', walletId: owner.walletId })
    await account.as('owner', `POST /api/v4/rooms/${shared.id}/config`, { acl: [`${guest.email}, full`] })
    const asOwner = (await signInAs(app(), account.owner)).access_token
    const asGuest = (await signInAs(app(), guest)).access_token
    const found = { title: 'Weekly talk', detail: shared.name }
    expect(await rooms('weekly', asOwner)).toEqual([found])
    expect(await rooms(shared.name.slice(0, 7).toUpperCase(), asOwner)).toEqual([found])
    expect(await rooms(own.name, asOwner)).toEqual([{ title: own.name, detail: null }])
    expect(await rooms('talk', asGuest)).toEqual([found])
    expect(await rooms(own.name, asGuest)).toEqual([])
    expect(await rooms('weekly', token)).toEqual([])
    await account.as('owner', `DELETE /api/v4/rooms/${shared.id}`)
    expect(await rooms('weekly', asOwner)).toEqual([])
    expect(await rooms('weekly', asGuest)).toEqual([])
  })
})
