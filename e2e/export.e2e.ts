import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { expectNoFindings } from './support/axe.ts'
import { useVisitor } from './support/browser.ts'
import { owner } from './support/users.ts'

const visitor = useVisitor()

test('an owner exports the account, downloads the archive and deletes it', async () => {
  const page = await visitor.visitAs(owner, '/settings')
  await page.getByRole('link', { name: 'Export data' }).click()
  await page.getByRole('heading', { level: 1, name: 'Export data' }).waitFor()
  await page.getByRole('button', { name: 'Export account' }).click()
  const download = page.getByRole('button', { name: 'Download' })
  await download.waitFor({ timeout: 30_000 })
  await expectNoFindings(page)
  const [saved] = await Promise.all([page.waitForEvent('download'), download.click()])
  expect(saved.suggestedFilename()).toMatch(/^export-account-\d{4}-\d{2}-\d{2}\.zip$/)
  const archive = await buffer(await saved.createReadStream())
  expect(archive.subarray(0, 2).toString()).toBe('PK')
  expect(archive.toString('latin1')).toContain('manifest.jws')
  await page.getByRole('button', { name: 'Delete archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete archive' }).click()
  await download.waitFor({ state: 'detached' })
})
