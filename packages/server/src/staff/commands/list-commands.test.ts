import { userStatus } from '@gatehouse/contract/status'
import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { UsageError } from '../../platform/cli/command.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { commandLine } from '../../testing/command-line.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { deleteUser, giveMoney, makeTenant, makeUser, setStatus } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const run = commandLine(app)
let account: TestAccount

beforeAll(async () => {
  account = await makeAccount(app())
})

/** Returns the addresses in a list. */
const found = async (...args: string[]) =>
  (await run('user:list', ...args)).map((line) => line.split('  ')[1] ?? '')

test('users are listed by tenant, state, owner, role and creation date', async () => {
  const tenantId = await makeTenant(app(), 12)
  const reseller = await makeUser(app(), { tenantId, role: 'reseller' })
  const gone = await makeUser(app(), { tenantId })
  const debtor = await makeUser(app(), { tenantId })
  await deleteUser(app(), gone)
  await setStatus(app(), debtor, userStatus.new | userStatus.active | userStatus.degraded)
  expect((await found('--tenant=12')).sort()).toEqual([debtor.email, reseller.email].sort())
  expect(await found('--tenant=12', '--status=deleted')).toEqual([gone.email])
  expect(await found('--tenant=12', '--status=degraded')).toEqual([debtor.email])
  expect(await found('--tenant=12', '--role=reseller')).toEqual([reseller.email])
  expect((await found(`--owner=${account.owner.email}`)).sort()).toEqual(
    [account.owner.email, account.controller.email, account.member.email].sort(),
  )
  const today = app().clock.now().toISOString().slice(0, 10)
  expect(await found('--tenant=12', `--to=${today}`)).toEqual([])
  expect(await found('--tenant=12', `--from=${today}`)).toHaveLength(2)
  for (const wrong of ['--status=lost', '--role=boss', '--from=yesterday', '--tenant', 'word']) {
    await expect(run('user:list', wrong), wrong).rejects.toThrow(UsageError)
  }
})

test('a list can be opened in a spreadsheet', async () => {
  const lines = await run('user:list', `--owner=${account.owner.email}`, '--csv')
  const rows: Record<string, string>[] = parse(lines.join('\n'), { columns: true })
  expect(rows).toHaveLength(3)
  expect(rows.find(({ email }) => email === account.member.email)).toMatchObject({
    id: String(account.member.id),
    tenant: '0',
    owner: account.owner.email,
    status: 'active',
    deleted_at: '',
  })
})

test('domains, lists, resources, folders and wallets are listed as well', async () => {
  const id = await makeObject(account, 'groups', { email: `all@${account.domain}` })
  const owner = `--owner=${account.owner.email}`
  expect(await run('domain:list', owner)).toEqual([expect.stringContaining(account.domain)])
  expect(await run('group:list', owner)).toEqual([expect.stringContaining(`${id}  all@${account.domain}`)])
  expect(await run('resource:list', owner)).toEqual([])
  expect(await run('shared-folder:list', owner, '--csv')).toHaveLength(1)
  await giveMoney(app(), account.owner.walletId, -250)
  const rows: Record<string, string>[] = parse(
    (await run('wallet:list', '--status=debt', '--csv')).join('\n'),
    {
      columns: true,
    },
  )
  expect(rows).toEqual([
    expect.objectContaining({ wallet: account.owner.walletId, owner: account.owner.email, balance: '-2.50' }),
  ])
  expect(await run('wallet:list', '--status=credit')).toEqual([])
})
