import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { phone, useVisitor } from '../support/browser.ts'
import { makeList } from '../support/directory.ts'
import { uniqueWord } from '../support/signup.ts'
import { owner } from '../support/users.ts'

const { visitAs } = useVisitor()

const button = (page: Page, name: string | RegExp) => page.locator('main').getByRole('button', { name })
const rows = (page: Page) => page.getByRole('table', { name: 'Rows' })

/** The file field, once it is enabled: it waits for the packages to load. */
const fileField = (page: Page) =>
  page.getByLabel('Drop a CSV file here or choose one').and(page.locator(':enabled'))

async function choose(page: Page, text: string, name = 'people.csv'): Promise<void> {
  await fileField(page).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

/**
 * Chooses a file one byte over the limit, by path, because a buffer is slow to send over the debugger
 * protocol.
 */
async function chooseLarger(page: Page, bytes: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-import-'))
  try {
    const path = join(folder, 'people.csv')
    await writeFile(path, 'x'.repeat(bytes + 1))
    await fileField(page).setInputFiles(path)
    await page.getByText('The file is larger than 10 MB. Split it and try again.').waitFor()
  } finally {
    await rm(folder, { recursive: true })
  }
}

function people(word: string, count: number): string {
  const lines = Array.from({ length: count }, (_, at) => `${word}${at}@acme.test;Row${at};${word}`)
  return `\ufeffE-Mail;Vorname;Nachname\r\n${lines.join('\r\n')}\r\n`
}

describe('a file of users', () => {
  test('is checked row by row, creates the valid users, and shows errors for the rest', async () => {
    const word = uniqueWord('file')
    const page = await visitAs(owner, '/users')
    await page.locator('main').getByRole('link', { name: 'Import' }).click()
    await page.waitForURL('**/import?kind=users')
    await page.getByText('Columns').waitFor()
    await expectNoFindings(page)
    const bad = `${word}0@acme.test;Twice;${word}\r\nnobody@not-ours.test;Far;Away\r\njane@acme.test;Taken;${word}\r\n`
    await choose(page, people(word, 30) + bad)
    await page.waitForURL(/\/import\/[0-9a-f-]{36}$/)
    await button(page, 'Import 30 users').waitFor()
    await page.getByText('Monthly cost after').waitFor()
    await expectNoFindings(page)

    await page.getByLabel('Result').selectOption('rejected (3)')
    await page.getByText('1–3 of 3').waitFor()
    await rows(page).getByText('nobody@not-ours.test').waitFor()
    await rows(page)
      .getByText(/is already in row 2\./)
      .waitFor()

    // the import can be resumed later
    await page.reload()
    await button(page, 'Import 30 users').click()
    await page.getByText('All rows have been processed.').waitFor({ timeout: 40_000 })
    await page.getByText('30 done', { exact: true }).waitFor()
    await page.goto(`/users?search=${word}`)
    await page.getByText('1–20 of 30').waitFor()
    await button(page, 'Export').click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV', exact: true }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^users-/)
    const text = await readText(await file.createReadStream())
    expect(text.match(new RegExp(`${word}\\d+@acme\\.test`, 'g'))?.length).toBeGreaterThanOrEqual(30)
  })

  test('creates no users if it is discarded', async () => {
    const word = uniqueWord('gone')
    const page = await visitAs(owner, '/import?kind=users')
    await choose(page, people(word, 2))
    await button(page, 'Import 2 users').waitFor()
    await button(page, 'Discard').click()
    await page.getByText(/^Cancelled/).waitFor()
    expect(await button(page, 'Import 2 users').count()).toBe(0)
    await page.goto(`/users?search=${word}`)
    await page.getByText(/^No matches/).waitFor()
  })

  test('is rejected with a message if a column is wrong, or if it is empty or too large', async () => {
    const page = await visitAs(owner, '/import?kind=users')
    await choose(page, 'email,shoe size\r\na@acme.test,43\r\n')
    await page.getByText('The column “shoe size” isn’t supported.').waitFor()
    await choose(page, '')
    await page.getByText('This file is empty.').waitFor()
    await choose(page, 'first_name\r\nJane\r\n')
    await page.getByText('The column “email” is missing.').waitFor()
    await chooseLarger(page, 10 * 1024 * 1024)
    await expectNoFindings(page)
  })
})

test('list members can be imported from a file, with a sample of the format', async () => {
  const list = await makeList(uniqueWord('Club'), ['jane@acme.test'])
  const page = await visitAs(owner, '/distlists')
  await page.locator('main').getByRole('link', { name: 'Import' }).click()
  await button(page, 'List members').click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Download a sample file').click(),
  ])
  expect(file.suggestedFilename()).toBe('list-members-sample.csv')
  await choose(page, `list,member\r\n${list.email},guest@example.org\r\n${list.email},second@example.org\r\n`)
  await button(page, 'Import 2 members').click()
  await page.getByText('All rows have been processed.').waitFor({ timeout: 30_000 })
  await page.goto(`/distlist/${list.id}`)
  await page.getByText(/3 members/).waitFor()
})

test('an unknown import is not found', async () => {
  const page = await visitAs(owner, '/import/11111111-1111-4111-8111-111111111111')
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
})

test('fits a phone in dark colours', async () => {
  const page = await visitAs(owner, '/import', { viewport: phone, colorScheme: 'dark' })
  await choose(page, people(uniqueWord('phone'), 3))
  await button(page, 'Import 3 users').waitFor()
  await expectNoFindings(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)
})
