import { describe, expect, test } from 'vitest'
import { UsageError } from '../../platform/cli/command.ts'
import { commandLine } from '../../testing/command-line.ts'
import { giveMoney } from '../../testing/factories.ts'
import { beginMandate, chargesOf, makeMandate } from '../../testing/payments/mandates.ts'
import { makePayer, sandboxOf } from '../../testing/payments/sandbox.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

const command = commandLine(app)

/** Runs a command line and returns its output. */
function run(line: string): Promise<string[]> {
  const [name = '', ...args] = line.split(' ')
  return command(name, ...args)
}

const makeDue = async () => {
  const payer = await makePayer(app())
  await giveMoney(app(), payer.walletId, 1500)
  const id = await makeMandate(app(), payer, { amount: 20, balance: 10 })
  await giveMoney(app(), payer.walletId, -600)
  return { payer, id, email: payer.user.email }
}

describe('wallet:topup', () => {
  test('tops up one wallet, or all that are due', async () => {
    const one = await makeDue()
    const other = await makeDue()
    expect(await run(`wallet:topup ${one.email}`)).toEqual([`${one.email}: top-up requested`])
    await app().jobs.drain()
    expect(await chargesOf(app(), one.payer.walletId)).toHaveLength(1)
    expect(await chargesOf(app(), other.payer.walletId)).toHaveLength(0)
    await run('wallet:topup')
    await app().jobs.drain()
    expect(await chargesOf(app(), one.payer.walletId)).toHaveLength(1)
    expect(await chargesOf(app(), other.payer.walletId)).toHaveLength(1)
  })

  test('is rejected for an unknown wallet', async () => {
    await expect(run('wallet:topup nobody@example.test')).rejects.toThrow(UsageError)
  })
})

describe('mandate', () => {
  test('disable stops charges, and enable resumes them', async () => {
    const { payer, email } = await makeDue()
    expect(await run(`mandate:disable ${email}`)).toEqual([`${email}: disabled`])
    expect(await run(`mandate:disable ${email}`)).toEqual([`${email}: nothing to disable`])
    await run(`wallet:topup ${email}`)
    await app().jobs.drain()
    expect(await chargesOf(app(), payer.walletId)).toEqual([])
    expect((await payer.call('GET /api/v4/payments/mandate')).body).toMatchObject({
      isDisabled: true,
      notice: 'Our support staff paused auto-payment.',
    })
    expect(await run(`mandate:enable ${email}`)).toEqual([`${email}: enabled`])
    expect(await run(`mandate:enable ${email}`)).toEqual([`${email}: not disabled`])
    await run(`wallet:topup ${email}`)
    await app().jobs.drain()
    expect(await chargesOf(app(), payer.walletId)).toHaveLength(1)
  })

  test('show prints the details, and reset removes the mandate', async () => {
    const { id, email } = await makeDue()
    const shown = (await run(`mandate:show ${email}`)).join('\n')
    expect(shown).toContain(email)
    expect(shown).toContain(`sandbox ${id}`)
    expect(shown).toContain('valid')
    await run(`mandate:disable ${email}`)
    expect((await run(`mandate:show ${email}`)).at(-1)).toMatch(
      /^disabled on \d+ [A-Z][a-z]+ \d{4} at \d\d:\d\d UTC: staff$/,
    )
    expect(await run(`mandate:reset ${email}`)).toEqual([`${email}: deleted`])
    expect((await run(`mandate:show ${email}`)).at(-1)).toBe('no mandate')
    await app().jobs.drain()
    expect(await sandboxOf(app()).readMandate(id)).toBeUndefined()
  })

  test('show prints a set-up in progress', async () => {
    const payer = await makePayer(app())
    await beginMandate(app(), payer)
    expect((await run(`mandate:show ${payer.walletId}`)).at(-1)).toBe('being set up')
  })
})
