import { describe, expect, test } from 'vitest'
import { CommandFailed, UsageError } from '../../platform/cli/command.ts'
import { day } from '../../platform/clock.ts'
import { commandLine } from '../../testing/command-line.ts'
import { giveMoney, makeUser } from '../../testing/factories.ts'
import { balanceOf, makeUnits } from '../../testing/payments/billing.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { nightlyVerifyJob } from '../billing-jobs.ts'
import { checkNames } from '../ledger/verify.ts'

const app = useTestApp()

const command = commandLine(app)

/** Runs a command line and returns its output. */
function run(line: string): Promise<string[]> {
  const [name = '', ...args] = line.split(' ')
  return command(name, ...args)
}

const payer = async () => {
  const user = await makeUser(app(), { plan: null })
  const createdAt = new Date(app().clock.now().getTime() - 40 * day * 1000)
  await makeUnits(app(), user.walletId, [{ cost: 700, fee: 100, createdAt }])
  return user
}

describe('wallet:charge', () => {
  test('shows what is due, then charges it, then has nothing to do', async () => {
    const { email, walletId } = await payer()
    expect(await run(`wallet:charge ${email} --dry-run`)).toEqual([
      'due: 1 wallets, 1 units, 700 cents, fees 100 cents',
    ])
    expect(await balanceOf(app(), walletId)).toBe(0)
    expect(await run(`wallet:charge ${walletId}`)).toEqual([
      'charged: 1 wallets, 1 units, 700 cents, fees 100 cents',
    ])
    expect(await run(`wallet:charge ${walletId}`)).toEqual(['nothing is due'])
    expect(await balanceOf(app(), walletId)).toBe(-700)
  })

  test('charges all wallets', async () => {
    await Promise.all([payer(), payer()])
    expect(await run('wallet:charge --dry-run')).toEqual([
      'due: 2 wallets, 2 units, 1400 cents, fees 200 cents',
    ])
    expect(await run('wallet:charge')).toEqual(['charged: 2 wallets, 2 units, 1400 cents, fees 200 cents'])
  })

  test.each(['nobody@example.test', 'x', '01890a5d-ac96-774b-bcce-b302099a8057'])(
    'knows no wallet %s',
    async (name) => {
      await expect(run(`wallet:charge ${name}`)).rejects.toThrow(UsageError)
    },
  )
})

describe('manual commands', () => {
  test('book money only once per key', async () => {
    const { email, walletId } = await makeUser(app())
    expect(await run(`wallet:add-transaction ${email} 500 invoice-1`)).toEqual(['Balance: 500'])
    expect(await run(`wallet:add-transaction ${email} 500 invoice-1`)).toEqual([
      'This key was already booked.',
    ])
    expect(await run(`wallet:add-transaction ${email} -120`)).toEqual(['Balance: 380'])
    expect(await run(`wallet:set-balance ${email} -7`)).toEqual(['Balance: -7'])
    expect(await run(`wallet:set-balance ${email} -7`)).toEqual(['Nothing to book.'])
    expect(await run('wallet:balances --negative')).toContain(`${walletId}  ${email}  -7 CHF`)
    for (const wrong of ['1.5', 'x', '1e3']) {
      await expect(run(`wallet:add-transaction ${email} ${wrong}`)).rejects.toThrow(UsageError)
    }
  })

  test("create a wallet for a tenant's profits", async () => {
    const { email, walletId } = await makeUser(app())
    await app().database.db.insertInto('tenants').values({ id: 77, title: 'Seven', settings: '{}' }).execute()
    expect(await run(`tenant:wallet 77 ${email}`)).toEqual([`Profits of Seven go to the wallet of ${email}.`])
    const tenant = await app()
      .database.db.selectFrom('tenants')
      .select('walletId')
      .where('id', '=', 77)
      .executeTakeFirstOrThrow()
    expect(tenant.walletId).toBe(walletId)
    await expect(run(`tenant:wallet 78 ${email}`)).rejects.toThrow(UsageError)
  })
})

describe('ledger verification', () => {
  test('succeeds for a valid ledger, and reports its progress', async () => {
    const lines = await run('ledger:verify')
    expect(lines.at(-1)).toBe('The ledger is correct.')
    expect(lines.slice(0, -1)).toEqual(
      checkNames.map((check, index) => `${index + 1}/${checkNames.length} ${check}?`),
    )
  })

  test('fails for a modified ledger, both as a command and in the nightly job', async () => {
    const { walletId } = await makeUser(app())
    await giveMoney(app(), walletId, 100)
    const client = await app().database.pool.connect()
    await client.query('set session_replication_role = replica')
    await client.query('update wallets set balance = 99 where id = $1', [walletId])
    await client.query('reset session_replication_role')
    client.release()
    await expect(run('ledger:verify')).rejects.toThrow(CommandFailed)
    await app().jobs.enqueue(app().database.db, nightlyVerifyJob, {})
    await app().jobs.drain()
    expect(await app().jobs.failed()).toMatchObject([
      { name: 'ledger:verify', dead: true, error: expect.stringContaining(`wallet ${walletId}`) },
    ])
  })
})
