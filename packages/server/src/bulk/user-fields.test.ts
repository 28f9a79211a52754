import {
  fieldsWith,
  type UserFieldKind,
  type UserFieldName,
  userFieldNames,
  userFields,
} from '@gatehouse/contract/directory/user-fields'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { signInAs } from '../testing/factories.ts'
import { importDesk } from '../testing/import-desk.ts'
import { type MadeStaff, makeStaff } from '../testing/staff.ts'
import { useTestApp } from '../testing/test-app.ts'
import { readHeadings } from './csv/columns.ts'
import { readCsv } from './csv/read-csv.ts'
import { userColumns } from './import/user-columns.ts'

const app = useTestApp()
let account: TestAccount
let admin: MadeStaff
let token = ''
const { upload, start, see } = importDesk(app, () => ({ account, token }))

/** Two values of each kind, as displayed. */
const values: Readonly<Record<UserFieldKind, readonly [string, string]>> = {
  line: ['First välue', 'Second value'],
  lines: ['Street 1\nTown', 'Street 2\nCity'],
  phone: ['+41 44 111', '(044) 222-2'],
  email: ['first@elsewhere.test', 'second@elsewhere.test'],
  country: ['CH', 'DE'],
  currency: ['CHF', 'EUR'],
}
const valuesOf = (name: UserFieldName) => values[userFields[name].kind]

beforeAll(async () => {
  account = await makeAccount(app())
  admin = await makeStaff(app(), 'admin')
  token = (await signInAs(app(), account.owner)).access_token
})

/** Creates a user of the account with a field's first value. */
async function create(name: UserFieldName): Promise<{ id: number; email: string }> {
  const input = account.newUser({ email: `${name}@${account.domain}`, [name]: valuesOf(name)[0] })
  const { status, body } = await app().call('POST /api/v4/users', { token, body: input })
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
  return { id: body.id, email: `${name}@${account.domain}` }
}

const settingsOf = async (id: number) =>
  (await app().call(`GET /api/v4/users/${id}`, { token })).body.settings

async function exported(email: string): Promise<Record<string, string | undefined>> {
  const { body } = await app().call(`GET /api/v4/users/export?search=${email}`, { token })
  const rows: string[][] = []
  for await (const cells of readCsv(bytesOf(body), 1_000_000)) rows.push(cells)
  const [headings = [], row = []] = rows
  return Object.fromEntries(headings.map((heading, index) => [heading, row[index]]))
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

describe.each(userFieldNames)('the personal field %s', (name) => {
  const [first, second] = valuesOf(name)
  let made: { id: number; email: string }

  beforeAll(async () => {
    made = await create(name)
  })

  test('is stored when a user is created, and visible to staff too', async () => {
    expect(await settingsOf(made.id)).toMatchObject({ [name]: first })
    const { body } = await admin.call(`GET /api/v4/users/${made.id}`)
    expect(body.settings).toMatchObject({ [name]: first })
  })

  test('can be changed and removed, and both are in the activity', async () => {
    for (const value of [second, null]) {
      const { body } = await app().call(`PUT /api/v4/users/${made.id}`, { token, body: { [name]: value } })
      expect(body.status).toBe('success')
      expect((await settingsOf(made.id))[name] ?? null).toBe(value)
    }
    const { body } = await admin.call(`GET /api/v4/eventlog/user/${made.id}`)
    const told = body.list.flatMap(({ kind, data }: { kind: string; data: unknown }) =>
      kind === 'user.updated' ? [data] : [],
    )
    expect(told).toEqual([
      { before: { [name]: second }, after: { [name]: null } },
      { before: { [name]: first }, after: { [name]: second } },
    ])
  })

  test('is rejected if it is too long', async () => {
    const body = { [name]: 'x'.repeat(userFields[name].max + 1) }
    const answer = await app().call(`PUT /api/v4/users/${made.id}`, { token, body })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([name])
  })
})

test.each(fieldsWith('headings'))('a file with %s is imported, and the export has it again', async (name) => {
  const [value] = valuesOf(name)
  const email = `imported-${name}@${account.domain}`.replaceAll('_', '-')
  for (const heading of userFields[name].headings) {
    expect(readHeadings(['email', heading], userColumns)[1]?.name, heading).toBe(name)
  }
  const { id } = await upload(`email,package,${name}\n${email},kolab,${value}\n`)
  await start(id)
  await app().jobs.drain()
  expect(await see(id)).toMatchObject({ counts: { done: 1 } })
  expect((await exported(email))[name]?.replace(/^'/, '')).toBe(value)
})

test.each(fieldsWith('backend'))('the back end is told of %s', async (name) => {
  const { id } = account.member
  await app().call(`PUT /api/v4/users/${id}`, { token, body: { [name]: valuesOf(name)[1] } })
  await app().jobs.drain()
  expect(app().backend.users.get(id)).toMatchObject({ [userFields[name].backend]: valuesOf(name)[1] })
})

test.each(fieldsWith('isListed'))('the list of users has %s', async (name) => {
  const { id, email } = account.controller
  await app().call(`PUT /api/v4/users/${id}`, { token, body: { [name]: 'Listed' } })
  const { body } = await app().call(`GET /api/v4/users?search=${email}`, { token })
  expect(body.list).toMatchObject([{ [name]: 'Listed' }])
})

test.each(fieldsWith('isAskedFirst'))('staff who create a user can give %s', async (name) => {
  const { body: offer } = await admin.call(`GET /api/v4/accounts/${account.owner.id}/creation`)
  const { id: chosen } = offer.packages.find((one: { title: string }) => one.title === 'kolab')
  const email = `staff-${name}@${account.domain}`
  const body = { email, package: chosen, reason: 'asked for', [name]: valuesOf(name)[0] }
  const made = await admin.call(`POST /api/v4/accounts/${account.owner.id}/users`, { body })
  expect(made.status).toBe(200)
  expect(await settingsOf(made.body.id)).toMatchObject({ [name]: valuesOf(name)[0] })
})
