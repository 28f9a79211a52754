import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandLine, type RunCommand } from '../../testing/command-line.ts'
import { makeTenant } from '../../testing/factories.ts'
import { makeSku, makeSubscriber } from '../../testing/price-changes.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { readCatalogue } from '../catalogue/catalogue-file.ts'

const app = useTestApp()
const command = commandLine(app)

/** Prints lines with ordinary spaces. */
const run: RunCommand = async (...words) =>
  (await command(...words)).map((line) => line.replaceAll('\u00a0', ' '))

test('an operator previews, schedules, finds and cancels a change', async () => {
  const sku = await makeSku(app())
  const { email } = await makeSubscriber(app(), [
    { sku: sku.title, cost: 500, createdAt: app().clock.now() },
    { sku: sku.title, cost: 450, createdAt: app().clock.now() },
  ])
  expect(await run('price-change:preview', sku.title, '600')).toEqual([
    `${sku.title}: CHF 5.00 -> CHF 6.00 from 10 April 2026`,
    '1 subscriptions in 1 wallets',
    'Total per month: CHF 9.50 -> CHF 10.50',
    `${email}  1  CHF 9.50 -> CHF 10.50`,
    'individual price CHF 4.50: 1 subscriptions in 1 wallets',
  ])
  const [head = ''] = await run(
    'price-change:schedule',
    sku.title,
    '600',
    '--individual=450:550',
    '--date=2026-05-01',
  )
  const [id = ''] = head.split('  ')
  await app().jobs.drain()
  expect(await run('price-change:show', id)).toEqual([
    `${id}  announced`,
    expect.stringContaining(`${sku.title}, from 1 May 2026`),
    '  500 -> 600',
    '  450 -> 550',
    '2 subscriptions in 1 wallets; 1 notified, 0 at the new price',
  ])
  expect(await run('price-change:list', 'announced')).toEqual([expect.stringContaining(`${id}  announced`)])
  await run('price-change:cancel', id)
  await app().jobs.drain()
  expect(await run('price-change:list', 'announced')).toEqual([])
  await expect(run('price-change:cancel', id)).rejects.toThrow('can no longer be cancelled')
})

test('a catalogue also changes existing subscriptions from a date on', async () => {
  const file = join(app().dataDir, 'catalogue.json')
  const catalogue = await readCatalogue(new URL('../../../catalogue.json', import.meta.url).pathname)
  const mailbox = catalogue.skus.find(({ title }) => title === 'mailbox')
  const skus = catalogue.skus.map((one) => (one.title === 'mailbox' ? { ...one, cost: one.cost + 100 } : one))
  await writeFile(file, JSON.stringify({ ...catalogue, skus }))
  await expect(run('catalogue:load', file, '--existing-from=2026-03-20')).rejects.toThrow('10 April 2026')
  const lines = await run('catalogue:load', file, '--existing-from=2026-04-20')
  expect(lines[0]).toBe(`mailbox: ${mailbox?.cost} -> ${(mailbox?.cost ?? 0) + 100} from 20 April 2026`)
  expect(lines).toHaveLength(2)
  expect(await run('price-change:list')).toEqual(
    expect.arrayContaining([expect.stringContaining('  mailbox  ')]),
  )
  expect(await run('catalogue:load', file, '--existing-from=2026-04-20')).toHaveLength(1)
})

test('the service can allow a tenant to sell below the fee', async () => {
  const tenantId = await makeTenant(app(), 71)
  const sku = await makeSku(app(), { tenantId })
  const tenant = `--tenant=${tenantId}`
  await expect(run('price-change:schedule', sku.title, '100', tenant)).rejects.toThrow('lower than the fee')
  await run('tenant:limit', String(tenantId), 'belowFee', 'yes')
  expect(await run('price-change:schedule', sku.title, '100', tenant)).toHaveLength(4)
})
