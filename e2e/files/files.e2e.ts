import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { phone, useVisitor } from '../support/browser.ts'
import {
  actOn,
  box,
  fileDialog,
  filesCall,
  listOf,
  makeFile,
  makeFolderOf,
  namesIn,
  row,
  shownNames,
  table,
} from '../support/files.ts'
import { portal } from '../support/portal.ts'
import { uniqueWord } from '../support/signup.ts'
import { owner } from '../support/users.ts'

const { visitAs } = useVisitor()

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const button = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true })
const press = (page: Page, name: string) =>
  fileDialog(page).getByRole('button', { name, exact: true }).click()
const path = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search

/** A fresh folder per test attempt. */
const freshFolder = () => makeFolderOf(uniqueWord('box'))

describe('a folder', () => {
  test('is created, opened, and left by breadcrumb and back button', async () => {
    const top = await freshFolder()
    const page = await visitAs(owner, `/files/${top.id}`)
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    await button(page, 'New folder').click()
    await press(page, 'Create')
    await fileDialog(page).getByText('Fill in this field.').waitFor()
    await fileDialog(page).getByLabel('Name').fill('a/b')
    await press(page, 'Create')
    await fileDialog(page)
      .getByText(/characters that aren’t allowed/)
      .waitFor()
    await expectNoFindings(page, 'new folder with an error')
    await fileDialog(page).getByLabel('Name').fill('Inside')
    await press(page, 'Create')
    await table(page).getByRole('link', { name: 'Inside' }).click()
    await title(page, 'Inside').waitFor()
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: top.name }).click()
    await title(page, top.name).waitFor()
    await row(page, 'Inside').waitFor()
    await page.goBack()
    await title(page, 'Inside').waitFor()
  })

  test('is created once, even on repeated clicks', async () => {
    const top = await freshFolder()
    const page = await visitAs(owner, `/files/${top.id}`)
    await button(page, 'New folder').click()
    await fileDialog(page).getByLabel('Name').fill('Only')
    await fileDialog(page).getByRole('button', { name: 'Create', exact: true }).dblclick()
    await row(page, 'Only').waitFor()
    await fileDialog(page).waitFor({ state: 'detached' })
    expect(await namesIn(top.id)).toEqual(['Only'])
  })

  test('is opened once by a double click, which opens nothing inside it', async () => {
    const top = await freshFolder()
    let parent = top.id
    for (const name of ['One', 'Two', 'Three']) parent = (await makeFolderOf(name, parent)).id
    const page = await visitAs(owner, `/files/${top.id}`)
    await row(page, 'One').dblclick({ position: { x: 500, y: 20 } })
    await title(page, 'One').waitFor()
    await row(page, 'Two').waitFor()
    expect(await title(page, 'Two').count()).toBe(0)
  })

  test('is searched including subfolders, and keeps sort order and filters in the URL', async () => {
    const top = await freshFolder()
    const below = await makeFolderOf('Below', top.id)
    await makeFile('apple.txt', 'xx', { parent: top.id })
    await makeFile('Äpfel.txt', 'x', { parent: below.id })
    await makeFile('big.txt', 'x'.repeat(5000), { parent: top.id })
    const page = await visitAs(owner, `/files/${top.id}`)
    await row(page, 'apple.txt').waitFor()
    await table(page).getByRole('button', { name: 'Size' }).click()
    await page.waitForURL('**?sort=size')
    await expect.poll(() => shownNames(page)).toEqual(['Below', 'apple.txt', 'big.txt'])
    await table(page).getByRole('button', { name: 'Size' }).click()
    await expect.poll(() => shownNames(page)).toEqual(['Below', 'big.txt', 'apple.txt'])
    await page.getByLabel('Search files').fill('pfel')
    await page.getByText('Nothing in this folder matches. Try its subfolders.').waitFor()
    await button(page, 'Search subfolders').click()
    await row(page, 'Äpfel.txt').getByRole('link', { name: 'Below' }).waitFor()
    expect(path(page)).toContain('deep=1')
    await page.reload()
    await row(page, 'Äpfel.txt').getByRole('link', { name: 'Below' }).click()
    await title(page, 'Below').waitFor()
  })

  test("that doesn't exist or belongs to someone else is an error page", async () => {
    const own = await freshFolder()
    const stranger = await visitAs('jane@acme.test', `/files/${own.id}`)
    await title(stranger, 'Access denied').waitFor()
    await stranger.goto('/files/01a202ac-5b71-73c2-82cd-e49184c0f23b')
    await title(stranger, 'Not found').waitFor()
    await stranger.goto('/file/no-id-at-all')
    await title(stranger, 'Not found').waitFor()
    const elsewhere = await visitAs('degraded@example.test', '/dashboard')
    await elsewhere.goto('/files')
    await title(elsewhere, 'Access denied').waitFor()
  })

  test("can be retried if it doesn't load", async () => {
    const top = await freshFolder()
    await makeFile('there.txt', 'x', { parent: top.id })
    const page = await visitAs(owner, '/dashboard', { expectedErrors: ['status of 500'] })
    await page.route('**/api/v4/fs?*', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Files' }).click()
    await page.getByText('Failed to load data.').waitFor()
    await page.unroute('**/api/v4/fs?*')
    await button(page, 'Try again').click()
    await row(page, top.name).waitFor()
  })
})

describe('items', () => {
  test('are renamed, with errors at the field, and moved in the folder tree, and back', async () => {
    const top = await freshFolder()
    const target = await makeFolderOf('Target', top.id)
    await makeFile('draft.txt', 'x', { parent: top.id })
    const page = await visitAs(owner, `/files/${top.id}`)
    await actOn(page, 'draft.txt', 'Rename')
    const name = fileDialog(page).getByLabel('Name')
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true)
    // only the name without the extension is selected
    await page.keyboard.type('final')
    expect(await name.inputValue()).toBe('final.txt')
    await press(page, 'Rename')
    await row(page, 'final.txt').waitFor()

    await actOn(page, 'final.txt', 'Move…')
    const tree = fileDialog(page).getByRole('tree')
    await tree.getByRole('treeitem', { name: top.name }).press('ArrowRight')
    await tree.getByRole('treeitem', { name: 'Target' }).click()
    await expectNoFindings(page, 'move')
    await press(page, 'Move here')
    await expect.poll(() => namesIn(target.id)).toEqual(['final.txt'])
    await expect.poll(() => shownNames(page)).toEqual(['Target'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'final.txt').waitFor()
    expect(await namesIn(target.id)).toEqual([])
  })

  test('are dragged onto a folder and onto the breadcrumb', async () => {
    const top = await freshFolder()
    const target = await makeFolderOf('Target', top.id)
    for (const name of ['one.txt', 'two.txt', 'three.txt']) await makeFile(name, 'x', { parent: top.id })
    const page = await visitAs(owner, `/files/${top.id}`)
    await box(page, 'one.txt').check()
    await box(page, 'two.txt').check()
    await row(page, 'one.txt').dragTo(row(page, 'Target'))
    await expect.poll(() => namesIn(target.id)).toEqual(['one.txt', 'two.txt'])
    await expect.poll(() => shownNames(page)).toEqual(['Target', 'three.txt'])
    await page.goto(`/files/${target.id}`)
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: top.name })
    await row(page, 'two.txt').dragTo(trail)
    await expect.poll(() => namesIn(target.id)).toEqual(['one.txt'])
    expect(await namesIn(top.id)).toContain('two.txt')
  })

  test('are selected with Shift, Ctrl and keys, deleted together, and restored', async () => {
    const top = await freshFolder()
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await makeFile(name, 'x', { parent: top.id })
    const page = await visitAs(owner, `/files/${top.id}`)
    await row(page, 'a.txt').click({ modifiers: ['Control'], position: { x: 500, y: 20 } })
    await row(page, 'c.txt').click({ modifiers: ['Shift'], position: { x: 500, y: 20 } })
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('3 selected').waitFor()
    await expectNoFindings(page, 'selection')
    await page.keyboard.press('Escape')
    await table(page).getByRole('link', { name: 'b.txt' }).focus()
    await page.keyboard.press('Shift+ArrowDown')
    await bar.getByText('2 selected').waitFor()
    await page.keyboard.press('Delete')
    await fileDialog(page)
      .getByText(/You can restore it from the trash for 30 days/)
      .waitFor()
    await press(page, 'Move to trash')
    await expect.poll(() => shownNames(page)).toEqual(['a.txt', 'd.txt'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => shownNames(page)).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt'])
    await table(page).getByRole('link', { name: 'a.txt' }).focus()
    await page.keyboard.press('Control+a')
    await bar.getByText('4 selected').waitFor()
  })

  test('in the trash are restored to their folder or deleted permanently', async () => {
    const top = await freshFolder()
    const mark = uniqueWord('gone')
    const folder = await makeFolderOf(`${mark}-folder`, top.id)
    await makeFile('inside.txt', 'x', { parent: folder.id })
    await makeFile(`${mark}.txt`, 'x', { parent: top.id })
    const page = await visitAs(owner, `/files/${top.id}`)
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await button(page, 'Delete…').click()
    await press(page, 'Move to trash')
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    await page
      .getByRole('navigation', { name: 'File locations' })
      .getByRole('link', { name: 'Trash' })
      .click()
    await page.getByLabel('Search files').fill(mark)
    const trash = table(page, 'Trash')
    const kept = trash.getByRole('row').filter({ hasText: `${mark}-folder` })
    await kept.getByText(`was in ${top.name} · with 1 item`).waitFor()
    await expectNoFindings(page, 'trash')
    await kept.getByRole('button', { name: /^Restore/ }).click()
    await expect.poll(() => namesIn(folder.id)).toEqual(['inside.txt'])
    await trash.getByRole('button', { name: `Delete ${mark}.txt permanently` }).click()
    await press(page, 'Delete permanently')
    await page.getByText(`No matches for “${mark}”`).waitFor()
    expect(await namesIn(top.id)).toEqual([`${mark}-folder`])
    await button(page, 'Show all').click()
  })

  test('removed in another tab are reported, and the list updates', async () => {
    const top = await freshFolder()
    const gone = await makeFile('gone.txt', 'x', { parent: top.id })
    await makeFile('stays.txt', 'x', { parent: top.id })
    const page = await visitAs(owner, `/files/${top.id}`)
    await row(page, 'gone.txt').waitFor()
    await filesCall('/trash', { ids: [gone.id] })
    await actOn(page, 'gone.txt', 'Rename')
    await fileDialog(page).getByLabel('Name').fill('new.txt')
    await press(page, 'Rename')
    await page
      .getByRole('alert')
      .getByText(/not found/i)
      .waitFor({ state: 'attached' })
    await fileDialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => shownNames(page)).toEqual(['stays.txt'])
  })

  test('renamed in two tabs have the later name in both', async () => {
    const top = await freshFolder()
    await makeFile('draft.txt', 'x', { parent: top.id })
    const first = await visitAs(owner, `/files/${top.id}`)
    const second = await visitAs(owner, `/files/${top.id}`)
    for (const page of [first, second]) await actOn(page, 'draft.txt', 'Rename')
    await fileDialog(first).getByLabel('Name').fill('first.txt')
    await press(first, 'Rename')
    await row(first, 'first.txt').waitFor()
    await fileDialog(second).getByLabel('Name').fill('second.txt')
    await press(second, 'Rename')
    await row(second, 'second.txt').waitFor()
    expect(await namesIn(top.id)).toEqual(['second.txt'])
    await first.reload()
    await row(first, 'second.txt').waitFor()
  })

  test('have names that are rendered as text, however hostile', async () => {
    const top = await freshFolder()
    const names = ['<img src=x onerror="window.pwned=1">'.replaceAll('"', "'"), 'Ü'.repeat(120), 'אבג.txt']
    for (const name of names) await makeFile(name, 'x', { parent: top.id, type: 'text/html' })
    const page = await visitAs(owner, `/files/${top.id}`)
    await expect.poll(() => shownNames(page).then((shown) => shown.sort())).toEqual([...names].sort())
    await table(page).getByRole('link', { name: names[0] }).click()
    await title(page, names[0] ?? '').waitFor()
    await page.getByRole('button', { name: 'Preview' }).click()
    await fileDialog(page).locator('pre').getByText('x', { exact: true }).waitFor()
    expect(await page.evaluate('window.pwned')).toBeUndefined()
  })

  test('are downloaded together as one archive', async () => {
    const top = await freshFolder()
    const folder = await makeFolderOf('Folder', top.id)
    await makeFile('inside.txt', 'inside', { parent: folder.id })
    await makeFile('beside.txt', 'beside', { parent: top.id })
    const page = await visitAs(owner, `/files/${top.id}`)
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    const saved = page.waitForEvent('download')
    await button(page, 'Download').click()
    const download = await saved
    expect(download.suggestedFilename()).toMatch(/\.zip$/)
    const parts: Buffer[] = []
    for await (const part of await download.createReadStream()) parts.push(part)
    const archive = Buffer.concat(parts)
    expect(archive.subarray(0, 2).toString()).toBe('PK')
    for (const name of ['Folder/inside.txt', 'beside.txt']) expect(archive.includes(name)).toBe(true)
  })
})

describe('a file', () => {
  test('has versions that are downloaded, restored and deleted', async () => {
    const top = await freshFolder()
    const { id } = await makeFile('plan.txt', 'first', { parent: top.id })
    const page = await visitAs(owner, `/file/${id}?tab=versions`)
    const versions = table(page, 'Versions')
    await versions.getByRole('row').filter({ hasText: 'Version 1' }).waitFor()
    await page.locator('input[type="file"][aria-label="Upload new version"]').setInputFiles({
      name: 'other.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('second version'),
    })
    const first = versions.getByRole('row').filter({ hasText: 'Version 1' })
    await versions.getByRole('row').filter({ hasText: 'Version 2' }).getByText('current').waitFor()
    expect(await listOf(top.id)).toMatchObject([{ name: 'plan.txt', size: 14 }])
    await expectNoFindings(page, 'versions')
    const saved = page.waitForEvent('download')
    await first.getByRole('button', { name: 'Download version 1' }).click()
    expect((await saved).suggestedFilename()).toBe('plan.txt')
    await first.getByRole('button', { name: /^Restore/ }).click()
    await expect.poll(() => listOf(top.id)).toMatchObject([{ size: 5 }])
    await versions.getByRole('button', { name: 'Delete version 2' }).click()
    await press(page, 'Delete permanently')
    await expect.poll(() => versions.getByText('Version 2').count()).toBe(0)
  })

  test('has a page with its properties and history, and can be moved to the trash from there', async () => {
    const top = await freshFolder()
    const { id } = await makeFile('facts.txt', 'hello', { parent: top.id })
    const page = await visitAs(owner, `/file/${id}`)
    await page.getByText('text/plain').waitFor()
    await page.getByText('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824').waitFor()
    await expectNoFindings(page, 'a file')
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('table', { name: 'History' }).getByText(owner).first().waitFor()
    await expectNoFindings(page, 'history of a file')
    await page.getByRole('button', { name: 'Delete…' }).click()
    await press(page, 'Move to trash')
    await title(page, top.name).waitFor()
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
  })
})

test.each([
  ['dark', { colorScheme: 'dark' as const }],
  ['on a phone', { viewport: phone }],
])('the list, the pictures and the shares have no findings %s', async (_, options) => {
  const top = await freshFolder()
  await makeFolderOf('Folder', top.id)
  await makeFile('notes.txt', 'hello', { parent: top.id })
  const page = await visitAs(owner, `/files/${top.id}`, options)
  await row(page, 'notes.txt').waitFor()
  await expectNoFindings(page, 'list')
  await page.getByRole('button', { name: 'Grid view' }).click()
  await page.getByRole('list', { name: 'Files' }).waitFor()
  await expectNoFindings(page, 'pictures')
  await actOn(page, 'notes.txt', 'Share…')
  await fileDialog(page).getByRole('button', { name: 'New link…' }).click()
  await expectNoFindings(page, 'share')
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
})

test('the German list contains no English', async () => {
  const page = await visitAs(owner, '/files', { locale: 'de-DE' })
  await page.getByRole('button', { name: 'Hochladen' }).first().waitFor()
  await page
    .getByRole('navigation', { name: 'Speicherorte' })
    .getByRole('link', { name: 'Papierkorb' })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Papierkorb' }).waitFor()
  expect(new URL(page.url()).origin).toBe(new URL(portal.appUrl).origin)
})
