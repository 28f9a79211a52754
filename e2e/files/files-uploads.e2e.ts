import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { cloneDatabase } from '../../packages/server/src/testing/database.ts'
import { expectNoFindings } from '../support/axe.ts'
import { phone, useVisitor } from '../support/browser.ts'
import { demoContent } from '../support/demo-content.ts'
import {
  checksumOf,
  choose,
  dropPaths,
  fileDialog,
  listOf,
  makeFile,
  makeFolderOf,
  namesIn,
  noise,
  row,
  sha256,
  uploads,
} from '../support/files.ts'
import { freePort, startServer } from '../support/server-process.ts'
import { signIn } from '../support/sign-in.ts'
import { uniqueWord } from '../support/signup.ts'
import { owner } from '../support/users.ts'

const { visitAs } = useVisitor()

const megabyte = 2 ** 20
const chunks = '**/api/v4/fs/tus/*'
const freshFolder = () => makeFolderOf(uniqueWord('up'))
const binary = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
const press = (page: Page, name: string) =>
  fileDialog(page).getByRole('button', { name, exact: true }).click()
const uploadRow = (page: Page, name: string) => uploads(page).getByRole('listitem').filter({ hasText: name })

/** Lets `count` chunks through and holds the next one until it is released. */
async function holdChunkAfter(page: Page, count: number) {
  let seen = 0
  const held: Route[] = []
  await page.route(chunks, async (route) => {
    // the request for the offset is not a chunk
    if (route.request().method() === 'PATCH') seen += 1
    if (seen <= count) await route.continue()
    else held.push(route)
  })
  return {
    isHeld: () => expect.poll(() => held.length).toBeGreaterThan(0),
    letGo: async () => {
      await page.unroute(chunks)
      // the page may have aborted one of them
      await Promise.allSettled(held.map((route) => route.continue()))
    },
  }
}

async function only(folder: string) {
  const [file] = await listOf(folder)
  if (file === undefined) throw new Error('there is a file')
  return file
}

let desktopFolder = ''

/** A local folder with subfolders, one of them empty. */
beforeAll(async () => {
  desktopFolder = await mkdtemp(join(tmpdir(), 'gatehouse-drop-'))
  await mkdir(join(desktopFolder, 'Trip', 'Day 1'), { recursive: true })
  await mkdir(join(desktopFolder, 'Trip', 'Nothing'), { recursive: true })
  await writeFile(join(desktopFolder, 'Trip', 'plan.txt'), 'the plan')
  await writeFile(join(desktopFolder, 'Trip', 'Day 1', 'Zürich.txt'), 'the day')
  await writeFile(join(desktopFolder, 'loose.txt'), 'loose')
})
afterAll(() => rm(desktopFolder, { recursive: true, force: true }))

describe('files are uploaded', () => {
  test('in parallel from an empty folder with the file picker, with their checksums', async () => {
    const top = await freshFolder()
    const page = await visitAs(owner, `/files/${top.id}`)
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    const large = noise(3.3 * megabyte)
    await choose(
      page,
      binary('large.bin', large),
      binary('small.bin', noise(2000)),
      binary('empty.bin', noise(0)),
    )
    await uploads(page).getByText('3 of 3 files uploaded').first().waitFor()
    await uploadRow(page, 'large.bin').getByText('checksum matches').waitFor()
    await expectNoFindings(page, 'uploads')
    await row(page, 'large.bin').waitFor()
    const found = (await listOf(top.id)).find(({ name }) => name === 'large.bin')
    expect(await checksumOf(found?.id ?? '')).toBe(sha256(large))
    await uploads(page).getByRole('button', { name: 'Close' }).click()
    await uploads(page).waitFor({ state: 'detached' })
  })

  test('by dropping files and folders, including their contents', async () => {
    const top = await freshFolder()
    const page = await visitAs(owner, `/files/${top.id}`)
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    await dropPaths(page, join(desktopFolder, 'Trip'), join(desktopFolder, 'loose.txt'))
    await expect.poll(() => namesIn(top.id)).toEqual(['Trip', 'loose.txt'])
    const [trip] = await listOf(top.id)
    await expect.poll(() => namesIn(trip?.id ?? '')).toEqual(['Day 1', 'Nothing', 'plan.txt'])
    const [day] = await listOf(trip?.id ?? '')
    await expect.poll(() => namesIn(day?.id ?? '')).toEqual(['Zürich.txt'])

    // dropping the folder again merges it into the existing one
    await dropPaths(page, join(desktopFolder, 'Trip'))
    await fileDialog(page).getByText('already exists').waitFor()
    await fileDialog(page).getByLabel('Skip').check()
    await fileDialog(page)
      .getByLabel(/^Do the same for/)
      .check()
    await press(page, 'Continue')
    await fileDialog(page).waitFor({ state: 'detached' })
    expect(await namesIn(top.id)).toEqual(['Trip', 'loose.txt'])
  })

  test('as a folder with the folder picker', async () => {
    const top = await freshFolder()
    const page = await visitAs(owner, `/files/${top.id}`)
    await page.getByRole('button', { name: 'Upload' }).first().waitFor()
    await page
      .locator('input[type="file"][aria-label="Choose a folder"]')
      .first()
      .setInputFiles(join(desktopFolder, 'Trip'))
    await expect.poll(() => namesIn(top.id)).toEqual(['Trip'])
    const [trip] = await listOf(top.id)
    await expect.poll(() => namesIn(trip?.id ?? '')).toEqual(['Day 1', 'plan.txt'])
  })

  test('with a name that is taken: replaced as a version, or kept under both names', async () => {
    const top = await freshFolder()
    const { id } = await makeFile('same.txt', 'old', { parent: top.id })
    const page = await visitAs(owner, `/files/${top.id}`)
    await row(page, 'same.txt').waitFor()
    await choose(page, { name: 'same.txt', mimeType: 'text/plain', buffer: Buffer.from('newer') })
    await fileDialog(page).getByText('same.txt already exists').waitFor()
    await expectNoFindings(page, 'conflict')
    await press(page, 'Continue')
    await expect.poll(() => listOf(top.id)).toMatchObject([{ id, size: 5 }])
    await choose(page, { name: 'same.txt', mimeType: 'text/plain', buffer: Buffer.from('newest') })
    await fileDialog(page).getByLabel('Keep both').check()
    await press(page, 'Continue')
    await expect.poll(() => namesIn(top.id)).toEqual(['same (2).txt', 'same.txt'])
  })

  test('with an invalid name only after renaming', async () => {
    const top = await freshFolder()
    const page = await visitAs(owner, `/files/${top.id}`)
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    await choose(page, { name: 'a\u202etxt.exe', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await uploads(page)
      .getByText(/characters that aren’t allowed/)
      .waitFor()
    // not rendered as "aexe.txt"
    await uploads(page).getByText('a\ufffdtxt.exe').waitFor()
    expect(await namesIn(top.id)).toEqual([])
    await uploads(page).getByRole('button', { name: 'Try again', exact: true }).click()
    await expect.poll(() => namesIn(top.id)).toEqual(['a_txt.exe'])
  })
})

describe('an upload', () => {
  test('is hashed in a worker, so that the page stays responsive', async () => {
    const top = await freshFolder()
    const content = noise(3.5 * megabyte, 5)
    const page = await visitAs(owner, `/files/${top.id}`)
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    await page.evaluate(`
      window.bytesRead = 0
      const read = Blob.prototype.arrayBuffer
      Blob.prototype.arrayBuffer = function () {
        window.bytesRead += this.size
        return read.call(this)
      }
    `)
    const worker = page.waitForEvent('worker')
    await choose(page, binary('awake.bin', content))
    await worker
    await uploadRow(page, 'awake.bin').getByText('checksum matches').waitFor()
    expect(await checksumOf((await only(top.id)).id)).toBe(sha256(content))
    expect(await page.evaluate('window.bytesRead')).toBe(0)
    await expect.poll(() => page.workers().length).toBe(0)
  })

  test('is paused and resumed, and arrives intact', async () => {
    const top = await freshFolder()
    const content = noise(4.2 * megabyte, 2)
    const page = await visitAs(owner, `/files/${top.id}`)
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    const hold = await holdChunkAfter(page, 2)
    await choose(page, binary('pause.bin', content))
    await hold.isHeld()
    await uploads(page).getByRole('button', { name: 'Pause pause.bin' }).click()
    await uploadRow(page, 'pause.bin')
      .getByText(/^Paused at 2\sMB of 4.2\sMB$/)
      .waitFor()
    await expectNoFindings(page, 'paused upload')
    await hold.letGo()
    await uploads(page).getByRole('button', { name: 'Resume pause.bin' }).click()
    await uploadRow(page, 'pause.bin').getByText('checksum matches').waitFor()
    expect(await checksumOf((await only(top.id)).id)).toBe(sha256(content))
  })

  test('waits while the network is down and resumes automatically, with the same content', async () => {
    const top = await freshFolder()
    const content = noise(4.7 * megabyte, 3)
    const page = await visitAs(owner, `/files/${top.id}`, { expectedErrors: ['ERR_'] })
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    const hold = await holdChunkAfter(page, 1)
    await choose(page, binary('lost.bin', content))
    await hold.isHeld()
    await page.context().setOffline(true)
    await page.unroute(chunks)
    await page.evaluate('dispatchEvent(new Event("offline"))')
    await hold.letGo()
    await uploadRow(page, 'lost.bin').getByText('Waiting for a connection').waitFor()
    await page.context().setOffline(false)
    await uploadRow(page, 'lost.bin').getByText('checksum matches').waitFor({ timeout: 45_000 })
    expect(await checksumOf((await only(top.id)).id)).toBe(sha256(content))
  })

  test('resumes automatically after the server was killed and restarted, with the same content', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-killed-'))
    await using database = await cloneDatabase()
    const port = String(await freePort())
    const APP_URL = `http://localhost:${port}`
    const settings = {
      ...{ PORT: port, APP_URL, DATA_DIR: dataDir, DATABASE_URL: database.url, FILES_CHUNK_MIB: '1' },
      ...demoContent(inject('demoFolder')),
    }
    let server = await startServer(settings)
    try {
      const content = noise(4.3 * megabyte, 6)
      const page = await visitAs(owner, `${APP_URL}/files`, { expectedErrors: ['ERR_'] })
      await page.getByRole('button', { name: 'Upload' }).first().waitFor()
      const hold = await holdChunkAfter(page, 2)
      await choose(page, binary('killed.bin', content))
      await hold.isHeld()
      await server.kill()
      await hold.letGo()
      await uploadRow(page, 'killed.bin').getByText('Waiting for a connection').waitFor()
      server = await startServer(settings)
      // compares the server's hash with the hash of the local file
      await uploadRow(page, 'killed.bin').getByText('checksum matches').waitFor({ timeout: 45_000 })
      await row(page, 'killed.bin').waitFor()
    } finally {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  test('with an expired session leads to the sign-in page and resumes afterwards', async () => {
    const top = await freshFolder()
    const content = noise(3.3 * megabyte, 7)
    const page = await visitAs(owner, `/files/${top.id}`)
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    const hold = await holdChunkAfter(page, 1)
    await choose(page, binary('expired.bin', content))
    await hold.isHeld()
    await page.evaluate(() => {
      for (const name of ['token', 'refreshToken']) localStorage.setItem(name, `worthless-${name}`)
    })
    await page
      .getByRole('navigation', { name: 'File locations' })
      .getByRole('link', { name: 'Trash' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await hold.letGo()
    expect(await uploads(page).count()).toBe(0)
    await signIn(page, owner)
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor()
    await page.goto(`/files/${top.id}`)
    const rest = page.getByRole('listitem').filter({ hasText: 'expired.bin' })
    await rest.locator('input[type="file"]').setInputFiles(binary('expired.bin', content))
    await uploadRow(page, 'expired.bin').getByText('checksum matches').waitFor()
    expect(await checksumOf((await only(top.id)).id)).toBe(sha256(content))
  })

  test('resumes after a page reload, once the same file is chosen again', async () => {
    const top = await freshFolder()
    const content = noise(3.7 * megabyte, 4)
    const page = await visitAs(owner, `/files/${top.id}`, { expectedErrors: ['ERR_'] })
    page.on('dialog', (question) => question.accept())
    let beginnings = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname.endsWith('/fs')) beginnings += 1
    })
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    const hold = await holdChunkAfter(page, 2)
    await choose(page, binary('again.bin', content))
    await hold.isHeld()
    expect(beginnings).toBe(1)
    await page.reload()
    await hold.letGo()
    const rest = page.getByRole('listitem').filter({ hasText: 'again.bin' })
    await rest.getByText('2 MB of 3.7 MB').waitFor()
    await expectNoFindings(page, 'unfinished upload')
    await rest.locator('input[type="file"]').setInputFiles(binary('wrong.bin', noise(10)))
    await page.getByText('This is a different file. again.bin is 3.7 MB.').first().waitFor()
    await rest.locator('input[type="file"]').setInputFiles(binary('again.bin', content))
    await uploadRow(page, 'again.bin').getByText('checksum matches').waitFor()
    expect(beginnings).toBe(1)
    expect(await checksumOf((await only(top.id)).id)).toBe(sha256(content))
  })

  test('leaves nothing behind when it is cancelled', async () => {
    const top = await freshFolder()
    const page = await visitAs(owner, `/files/${top.id}`)
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    const hold = await holdChunkAfter(page, 1)
    await choose(page, binary('never.bin', noise(3 * megabyte)))
    await hold.isHeld()
    const discarded = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
    await uploads(page).getByRole('button', { name: 'Cancel never.bin' }).click()
    expect((await discarded).ok()).toBe(true)
    await hold.letGo()
    await uploads(page).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    expect(await page.getByText('never.bin').count()).toBe(0)
  })

  test('continues on another screen, which shows its progress', async () => {
    const top = await freshFolder()
    const page = await visitAs(owner, `/files/${top.id}`)
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    const hold = await holdChunkAfter(page, 1)
    await choose(page, binary('away.bin', noise(3 * megabyte)))
    await hold.isHeld()
    const sections = page.getByRole('navigation', { name: 'Sections' })
    await sections.getByRole('link', { name: 'Users' }).click()
    const toasts = page.getByRole('region', { name: 'Notifications' })
    await toasts.getByText(/ of 3\sMB$/).waitFor()
    await hold.letGo()
    await toasts.getByText(/ of 3\sMB$/).waitFor({ state: 'detached' })
    expect(await namesIn(top.id)).toEqual(['away.bin'])
  })

  test('that exceeds the storage shows an error with the reason', async () => {
    const top = await freshFolder()
    const page = await visitAs(owner, `/files/${top.id}`)
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    const gigabyte = 1024 ** 3
    await page.route('**/api/v4/fs/quota', (route) =>
      route.fulfill({
        json: {
          ...{ limit: 5 * gigabyte, used: 5 * gigabyte, trash: 2 * gigabyte, versions: gigabyte, uploads: 0 },
          ...{ trash_days: 30, versions_kept: 10, version_days: 90 },
        },
      }),
    )
    await page.reload()
    const note = page.getByText('Your storage is full.')
    await note.waitFor()
    await page.getByText(/The trash uses 2\sGB. Old versions use 1\sGB./).waitFor()
    await expectNoFindings(page, 'full storage')
  })
})

test('uploads fit a phone', async () => {
  const top = await freshFolder()
  const page = await visitAs(owner, `/files/${top.id}`, { viewport: phone, colorScheme: 'dark' })
  await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
  await choose(page, binary('phone.bin', noise(3000)))
  await uploadRow(page, 'phone.bin').getByText('checksum matches').waitFor()
  await expectNoFindings(page, 'uploads on a phone')
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
})
