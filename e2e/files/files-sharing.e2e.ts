import type { Download, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { phone, useVisitor } from '../support/browser.ts'
import {
  actOn,
  choose,
  fileDialog,
  filesCall,
  makeFile,
  makeFolderOf,
  namesIn,
  row,
  table,
} from '../support/files.ts'
import { portal } from '../support/portal.ts'
import { uniqueWord } from '../support/signup.ts'
import { owner } from '../support/users.ts'

const { visit, visitAs } = useVisitor()

const jane = 'jane@acme.test'
const title = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: typeof name === 'string' })
const press = (page: Page, name: string) =>
  fileDialog(page).getByRole('button', { name, exact: true }).click()
const freshFolder = () => makeFolderOf(uniqueWord('share'))
const pathOf = (url: string) => new URL(url).pathname

async function saved(page: Page, act: () => Promise<void>): Promise<{ name: string; content: Buffer }> {
  const waiting = page.waitForEvent('download')
  await act()
  const download: Download = await waiting
  const parts: Buffer[] = []
  for await (const part of await download.createReadStream()) parts.push(part)
  return { name: download.suggestedFilename(), content: Buffer.concat(parts) }
}

/** A link to an item, created without a browser. */
async function linkTo(id: string, limits: object = {}): Promise<string> {
  const { link } = await filesCall<{ link: string }>(`/${id}/links`, limits)
  return pathOf(link)
}

describe('sharing by address', () => {
  test('a file is shared with someone, who downloads it until access is revoked, and again when that is undone', async () => {
    const top = await freshFolder()
    const name = `${top.name}.txt`
    const { id } = await makeFile(name, 'for Jane', { parent: top.id })
    const page = await visitAs(owner, `/files/${top.id}`)
    await actOn(page, name, 'Share…')
    await fileDialog(page).getByText('Not shared with anyone yet.').waitFor()
    await fileDialog(page).getByLabel('E-mail address').fill('no address')
    await press(page, 'Share')
    await expect
      .poll(() => fileDialog(page).getByLabel('E-mail address').getAttribute('aria-invalid'))
      .toBe('true')
    await fileDialog(page).getByLabel('E-mail address').fill(jane)
    await page.getByRole('option', { name: jane }).click()
    await press(page, 'Share')
    await fileDialog(page).getByLabel(`Permission for ${jane}`).waitFor()
    await expectNoFindings(page, 'share by address')

    const other = await visitAs(jane, '/files/shared')
    const shared = table(other, 'Shared with me').getByRole('row').filter({ hasText: name })
    await shared.getByText('Can view').waitFor()
    await expectNoFindings(other, 'shared with me')
    await shared.getByRole('link', { name }).click()
    await title(other, name).waitFor()
    expect(await other.getByRole('button', { name: 'Delete…' }).count()).toBe(0)
    expect(await other.getByRole('tab', { name: 'Sharing' }).count()).toBe(0)
    const file = await saved(other, () => other.getByRole('button', { name: 'Download' }).click())
    expect([file.name, file.content.toString()]).toEqual([name, 'for Jane'])

    await fileDialog(page)
      .getByRole('button', { name: `Stop sharing with ${jane}` })
      .click()
    await fileDialog(page).getByText('Not shared with anyone yet.').waitFor()
    await other.goto(`/file/${id}`)
    await title(other, 'Access denied').waitFor()

    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await fileDialog(page).getByLabel(`Permission for ${jane}`).waitFor()
    await other.goto(`/file/${id}`)
    await title(other, name).waitFor()
  })

  test('a folder shared for editing accepts files from another user, through the share link', async () => {
    const top = await freshFolder()
    await makeFile('given.txt', 'x', { parent: top.id })
    const { link } = await filesCall<{ link: string }>(`/${top.id}/permissions`, {
      user: jane,
      permissions: 'read-write',
    })
    const page = await visitAs(jane, pathOf(link))
    await title(page, top.name).waitFor()
    expect(pathOf(page.url())).toBe(`/files/${top.id}`)
    await row(page, 'given.txt').waitFor()
    await choose(page, { name: 'from-jane.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
    await row(page, 'from-jane.txt').waitFor()
    await expect.poll(() => namesIn(top.id)).toEqual(['from-jane.txt', 'given.txt'])
    const page2 = await visitAs(owner, `/file/${top.id}?tab=sharing`)
    await page2.getByLabel(`Permission for ${jane}`).selectOption('Can view')
    await page2.getByText(jane).first().waitFor()
    await page.reload()
    await row(page, 'given.txt').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'New folder' }).count()).toBe(0)
    await expectNoFindings(page2, 'sharing tab')
  })
})

describe('sharing by link', () => {
  test('a file is shared with a password and a download limit, which is enforced', async () => {
    const top = await freshFolder()
    await makeFile('secret.txt', 'the secret', { parent: top.id })
    const page = await visitAs(owner, `/files/${top.id}`)
    await actOn(page, 'secret.txt', 'Share…')
    await press(page, 'New link…')
    await fileDialog(page)
      .getByLabel(/^Password/)
      .fill('Lindenhof-42')
    await fileDialog(page).getByLabel('Download limit').fill('none')
    await press(page, 'Create link')
    await expect
      .poll(() => fileDialog(page).getByLabel('Download limit').getAttribute('aria-invalid'))
      .toBe('true')
    await fileDialog(page).getByLabel('Download limit').fill('1')
    await press(page, 'Create link')
    const links = fileDialog(page).getByRole('list', { name: 'Links' })
    await links.getByText('no expiry · with password · 0 of 1 downloads').waitFor()
    await expectNoFindings(page, 'links')
    const address = await links.locator('code').innerText()
    expect(address.startsWith(portal.appUrl)).toBe(true)

    const visitor = await visit(pathOf(address))
    await visitor.getByLabel('Link password').fill('wrong')
    await visitor.getByRole('button', { name: 'Open' }).click()
    await expect.poll(() => visitor.getByLabel('Link password').getAttribute('aria-invalid')).toBe('true')
    await expectNoFindings(visitor, 'password of a link')
    await visitor.getByLabel('Link password').fill('Lindenhof-42')
    await visitor.getByRole('button', { name: 'Open' }).click()
    await title(visitor, 'secret.txt').waitFor()
    await visitor.getByText(/1 download left/).waitFor()
    expect(await visitor.getByRole('button', { name: 'Preview' }).count()).toBe(0)
    await expectNoFindings(visitor, 'opened link')
    const file = await saved(visitor, () => visitor.getByRole('button', { name: 'Download' }).click())
    expect([file.name, file.content.toString()]).toEqual(['secret.txt', 'the secret'])
    await visitor.getByText(/no downloads left/).waitFor()
    const late = await visit(pathOf(address))
    await title(late, 'Link not found').waitFor()
    await page.reload()
  })

  test('anyone can browse, preview and download a folder until the link expires', async () => {
    const top = await freshFolder()
    const below = await makeFolderOf('Below', top.id)
    await makeFile('one.txt', 'number one', { parent: top.id })
    await makeFile('two.txt', 'number two', { parent: below.id })
    const link = await linkTo(top.id)
    const visitor = await visit(link, { viewport: phone })
    await title(visitor, top.name).waitFor()
    await visitor.getByRole('button', { name: 'one.txt', exact: true }).click()
    await fileDialog(visitor).getByText('number one').waitFor()
    await expectNoFindings(visitor, 'preview by link')
    const edge = await fileDialog(visitor).getByRole('button', { name: 'Close' }).boundingBox()
    expect((edge?.x ?? 0) + (edge?.width ?? 0)).toBeLessThanOrEqual(phone.width)
    await visitor.keyboard.press('Escape')
    await visitor.getByRole('link', { name: 'Below' }).click()
    await visitor.getByText('two.txt').waitFor()
    expect(await visitor.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    const deepLink = visitor.url()
    const file = await saved(visitor, () => visitor.getByRole('button', { name: 'Download two.txt' }).click())
    expect(file.content.toString()).toBe('number two')
    await visitor.goBack()
    await visitor.getByText('one.txt').waitFor()
    const all = await saved(visitor, () =>
      visitor.getByRole('button', { name: 'Download everything' }).click(),
    )
    expect(all.name).toMatch(/\.zip$/)
    await visitor.goto(deepLink)
    await visitor.getByText('two.txt').waitFor()

    const page = await visitAs(owner, `/file/${top.id}?tab=sharing`)
    await page.getByRole('button', { name: 'Delete link' }).click()
    await fileDialog(page).getByText(`This link to “${top.name}” stops working.`).waitFor()
    await expectNoFindings(page, 'end of a link')
    await press(page, 'Delete link')
    await expect.poll(() => page.getByRole('list', { name: 'Links' }).count()).toBe(0)
    await visitor.reload()
    await title(visitor, 'Link not found').waitFor()
    await expectNoFindings(visitor, 'ended link')
  })

  test('an expiry in the past is rejected, and a made-up link opens nothing', async () => {
    const page = await visit('/link/never-was-there')
    await title(page, 'Link not found').waitFor()
  })
})

describe('a preview', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const script = '<script>window.pwned = 1; parent.pwned = 1</script>'

  test('renders each file type without running its content, and arrow keys move on', async () => {
    const top = await freshFolder()
    const parent = top.id
    await makeFile('a.png', png, { parent, type: 'image/png' })
    await makeFile('b.txt', `plain <b>text</b> ${script}`, { parent })
    await makeFile('c.pdf', pdf(), { parent, type: 'application/pdf' })
    await makeFile('d.wav', wav(), { parent, type: 'audio/wav' })
    await makeFile('e.zip', 'PK', { parent, type: 'application/zip' })
    const last = await makeFile('f.html', `<h1>page</h1>${script}`, { parent, type: 'text/html' })
    const page = await visitAs(owner, `/files/${parent}`, { initScript: withViewer(true) })
    await actOn(page, 'a.png', 'Preview')
    const stage = fileDialog(page)
    await stage.getByRole('img', { name: 'a.png' }).waitFor()
    await expect
      .poll(() => stage.locator('img').evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
      .toBe(1)
    await expectNoFindings(page, 'preview of a picture')
    await page.keyboard.press('ArrowRight')
    await stage.locator('pre').getByText(`plain <b>text</b> ${script}`).waitFor()
    await page.keyboard.press('ArrowRight')
    await stage.getByRole('heading', { name: 'c.pdf' }).waitFor()
    const frame = stage.locator('iframe')
    await frame.waitFor()
    expect(await frame.getAttribute('src')).toMatch(/^\/api\/v4\/fs\/previews\//)
    await stage.getByRole('button', { name: 'Next file' }).click()
    await stage.locator('audio').waitFor()
    await stage.getByRole('button', { name: 'Next file' }).click()
    await stage.locator('pre').getByText(`<h1>page</h1>${script}`).waitFor()
    expect(await stage.getByRole('button', { name: 'Next file' }).isDisabled()).toBe(true)
    expect(page.url()).toContain(`preview=${last.id}`)
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    await page.goBack()
    await stage.waitFor({ state: 'detached' })
    await row(page, 'a.png').waitFor()
  })

  test('of a PDF is a download where the browser has no viewer', async () => {
    const top = await freshFolder()
    await makeFile('c.pdf', pdf(), { parent: top.id, type: 'application/pdf' })
    const page = await visitAs(owner, `/files/${top.id}`, { initScript: withViewer(false) })
    await actOn(page, 'c.pdf', 'Preview')
    await fileDialog(page).getByText('No preview').waitFor()
    expect(await fileDialog(page).locator('iframe').count()).toBe(0)
    const started = page.waitForEvent('download')
    await fileDialog(page).getByRole('status').getByRole('button', { name: 'Download' }).click()
    expect((await started).suggestedFilename()).toBe('c.pdf')
  })

  test('appears in the history once, however it is closed', async () => {
    const top = await freshFolder()
    await makeFile('a.txt', 'first', { parent: top.id })
    await makeFile('b.txt', 'second', { parent: top.id })
    const page = await visitAs(owner, '/files')
    await page.getByRole('link', { name: top.name, exact: true }).click()
    await actOn(page, 'a.txt', 'Preview')
    await fileDialog(page).getByText('first').waitFor()
    await page.keyboard.press('ArrowRight')
    await fileDialog(page).getByText('second').waitFor()
    await page.keyboard.press('Escape')
    await fileDialog(page).waitFor({ state: 'detached' })
    await title(page, top.name).waitFor()
    await page.goBack()
    await title(page, 'Files').waitFor()
    await page.goForward()
    await row(page, 'a.txt').waitFor()
    expect(await fileDialog(page).count()).toBe(0)
  })

  test('of an image that can contain scripts is not offered, and its URL runs nothing', async () => {
    const top = await freshFolder()
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1">${script}</svg>`
    const { id } = await makeFile('evil.svg', svg, { parent: top.id, type: 'image/svg+xml' })
    const page = await visitAs(owner, `/files/${top.id}?preview=${id}`)
    await fileDialog(page).getByText('No preview').waitFor()
    expect(await fileDialog(page).locator('img, iframe, object, embed').count()).toBe(0)
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    const { headers } = await downloadHeaders(id)
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    await expectNoFindings(page, 'no preview')
  })
})

async function downloadHeaders(id: string): Promise<Response> {
  const { downloadUrl } = await filesCall<{ downloadUrl: string }>(`/${id}?downloadUrl=1`)
  return fetch(downloadUrl)
}

/** The smallest PDF that viewers accept. */
/** Overrides PDF viewer support, which differs between browsers (Chromium's headless shell has none). */
function withViewer(isThere: boolean): string {
  return `Object.defineProperty(navigator, 'pdfViewerEnabled', { value: ${isThere} })`
}

function pdf(): string {
  return [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj',
    'trailer<</Root 1 0 R>>',
    '%%EOF',
  ].join('\n')
}

/** A tenth of a second of silence. */
function wav(): Buffer {
  const samples = 800
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples, 40)
  return Buffer.concat([head, Buffer.alloc(samples, 128)])
}
