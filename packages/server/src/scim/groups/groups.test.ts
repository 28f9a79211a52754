import { maxMembers } from '@gatehouse/contract/directory/groups'
import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '../../testing/test-app.ts'
import { groupUrn, listUrn } from '../schemas/group-schema.ts'
import { makeScimAccount, patchBody, type ScimAccount } from '../testing/scim-account.ts'

const app = useTestApp({ API_KEY_RATE: '100000' })
let account: ScimAccount
const ids: string[] = []

beforeAll(async () => {
  account = await makeScimAccount(app())
  for (const name of ['ann', 'bob', 'carl']) ids.push((await account.add(name)).id)
})

const body = (displayName: string, members: readonly string[] = [], more: Record<string, unknown> = {}) => ({
  schemas: [groupUrn],
  displayName,
  members: members.map((value) => ({ value })),
  ...more,
})

async function make(
  displayName: string,
  members: readonly string[] = [],
  more: Record<string, unknown> = {},
) {
  const made = await account.scim('POST /Groups', body(displayName, members, more))
  if (made.status !== 201) throw new Error(`no group: ${JSON.stringify(made.body)}`)
  return made.body
}

const patch = (id: string, ...operations: Record<string, unknown>[]) =>
  account.scim(`PATCH /Groups/${id}`, patchBody(...operations))
const membersOf = ({ members = [] }: { members?: { value: string }[] }) =>
  members.map(({ value }) => value).sort()
const places = (...indexes: number[]) => indexes.map((index) => ids[index] ?? '').sort()

describe('a group', () => {
  test('is a distribution list with an address made from its name', async () => {
    const made = await account.scim('POST /Groups', body('Équipe Süd', places(0), { externalId: 'g-1' }))
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      schemas: [groupUrn, listUrn],
      externalId: 'g-1',
      displayName: 'Équipe Süd',
      [listUrn]: { email: `equipe-sud@${account.domain}` },
      members: [
        {
          value: ids[0],
          type: 'User',
          display: `ann@${account.domain}`,
          $ref: expect.stringContaining('/Users/'),
        },
      ],
      meta: { resourceType: 'Group', location: expect.stringMatching(/\/Groups\/\d+$/) },
    })
    expect((await make('Équipe-Süd'))[listUrn].email).toBe(`equipe-sud-2@${account.domain}`)
    const user = await account.scim(`GET /Users/${ids[0]}`)
    expect(user.body.groups).toEqual([
      expect.objectContaining({ value: made.body.id, display: 'Équipe Süd' }),
    ])
  })

  test('can be given an address, which stays the same', async () => {
    const email = `sales@${account.domain}`
    const { id } = await make('Sales', [], { [listUrn]: { email } })
    expect((await patch(id, { op: 'replace', path: 'displayName', value: 'Sales EMEA' })).body).toMatchObject(
      {
        displayName: 'Sales EMEA',
        [listUrn]: { email },
      },
    )
    const moved = await patch(id, { op: 'replace', path: `${listUrn}:email`, value: `x@${account.domain}` })
    expect(moved).toMatchObject({ status: 400, body: { scimType: 'mutability' } })
  })

  test('has a unique name and external id', async () => {
    await make('Unique', [], { externalId: 'g-2' })
    for (const wanted of [body('UNIQUE'), body('Another', [], { externalId: 'g-2' })]) {
      const made = await account.scim('POST /Groups', wanted)
      expect(made).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    }
  })

  test.each([
    ['add', 'members', [{ value: 1 }, { value: 2 }], [0, 1, 2]],
    ['Add', 'members', { value: 1 }, [0, 1]],
    ['replace', 'members', [{ value: 2 }], [2]],
    ['remove', 'members[value eq "0"]', undefined, []],
    ['Remove', 'members', [{ value: 0 }], []],
    ['remove', 'members[value eq "1"]', undefined, [0]],
    ['remove', 'members', undefined, []],
    ['replace', 'members', [], []],
  ] as const)('%s %s %j leaves the members %j', async (op, path, value, expected) => {
    const { id } = await make(`Patched ${op} ${path} ${JSON.stringify(value)}`, places(0))
    const idOf = (index: number) => ({ value: ids[index] })
    const sent = value && ('value' in value ? idOf(value.value) : value.map((one) => idOf(one.value)))
    const named = path.replace(/"(\d)"/, (_, index: string) => `"${ids[Number(index)]}"`)
    const answer = await patch(id, { op, path: named, ...(sent !== undefined && { value: sent }) })
    expect(answer.status).toBe(200)
    expect(membersOf(answer.body)).toEqual(places(...expected))
  })

  test('can contain groups, but no loop, and no members of other accounts', async () => {
    const inner = await make('Inner', places(0))
    const outer = await make('Outer', [inner.id, ...places(1)])
    expect(outer.members).toContainEqual(expect.objectContaining({ value: inner.id, type: 'Group' }))
    const loop = await patch(inner.id, { op: 'add', path: 'members', value: [{ value: outer.id }] })
    expect(loop).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    const foreign = await (await makeScimAccount(app())).add('foreign')
    for (const value of [foreign.id, 'none', '0']) {
      const added = await patch(inner.id, { op: 'add', path: 'members', value: [{ value }] })
      expect(added).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    }
  })

  test('keeps external recipients, which directories don’t see', async () => {
    const { id } = await make('Mixed', places(0))
    const { db } = app().database
    await db
      .insertInto('groupMembers')
      .values({ groupId: Number(id), address: 'x@elsewhere.test' })
      .execute()
    const put = await account.scim(`PUT /Groups/${id}`, body('Mixed', places(1)))
    expect(membersOf(put.body)).toEqual(places(1))
    const kept = await db
      .selectFrom('groupMembers')
      .select('address')
      .where('groupId', '=', Number(id))
      .execute()
    expect(kept.map(({ address }) => address).sort()).toEqual([`bob@${account.domain}`, 'x@elsewhere.test'])
  })

  test('is searched by name and members, without members if they’re excluded, and deleted', async () => {
    const { id } = await make('Searched', places(2))
    const search = async (filter: string, more = '') =>
      (await account.scim(`GET /Groups?filter=${encodeURIComponent(filter)}${more}`)).body
    expect((await search(`id eq "${id}" and members[value eq "${ids[2]}"]`)).totalResults).toBe(1)
    expect((await search(`id eq "${id}" and members eq "${ids[1]}"`)).totalResults).toBe(0)
    const [found] = (await search('displayName eq "searched"', '&excludedAttributes=members')).Resources
    expect(found).toMatchObject({ id, displayName: 'Searched' })
    expect(found.members).toBeUndefined()
    expect((await account.scim(`DELETE /Groups/${id}`)).status).toBe(204)
    expect((await search(`id eq "${id}"`)).totalResults).toBe(0)
    expect((await account.scim(`DELETE /Groups/${id}`)).status).toBe(404)
  })

  test('changes for one of two changes based on the same version', async () => {
    const { id, meta } = await make('Raced')
    const add = (index: number) =>
      account.scim(
        `PATCH /Groups/${id}`,
        patchBody({ op: 'add', path: 'members', value: [{ value: ids[index] }] }),
        {
          'if-match': meta.version,
        },
      )
    const answers = await Promise.all([add(0), add(1)])
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412])
  })

  test(`can have ${maxMembers} members`, async () => {
    const { rows } = await app().database.pool.query<{ id: string }>(
      `with added as (
        insert into users (id, tenant_id, email, status, wallet_id, created_at, updated_at)
        select 1000000 + n, 0, 'many' || n || '@' || $2, 35, $1, now(), now() from generate_series(1, 9999) n
        returning id, email
      ), claimed as (
        insert into addresses (address, kind, object_id, tenant_id) select email, 'user', id, 0 from added
      ) select id::text from added`,
      [account.owner.walletId, account.domain],
    )
    const many = rows.map((row) => row.id)
    const { id } = await make('Everyone', many)
    const last = await patch(id, { op: 'add', path: 'members', value: [{ value: ids[0] }] })
    expect(last.body.members).toHaveLength(maxMembers)
    const more = await patch(id, { op: 'add', path: 'members', value: [{ value: ids[1] }] })
    expect(more).toMatchObject({ status: 400, body: { detail: 'A list can have at most 10000 members.' } })
    const removed = many.slice(0, 1000).map((one) => ({ op: 'remove', path: `members[value eq "${one}"]` }))
    expect((await patch(id, ...removed)).body.members).toHaveLength(maxMembers - 1000)
  })
})
