import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { portal } from './portal.ts'
import { retire } from './profiles.ts'
import { passwordOf } from './sign-in.ts'
import { owner, send } from './users.ts'

/** An item in a user's files, created without a browser. */
export interface MadeItem {
  readonly id: string
  readonly name: string
}

/** A file that a test passes to the browser's file picker. */
export interface GivenFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

const tokens = new Map<string, Promise<string>>()

function tokenOf(email: string): Promise<string> {
  const body = { email, password: passwordOf(email) }
  const known =
    tokens.get(email) ??
    send<{ access_token: string }>('/api/auth/login', { body }).then(({ access_token }) => access_token)
  tokens.set(email, known)
  return known
}

/** Calls the files API as a user. */
export async function filesCall<T>(path: string, body?: object, email = owner): Promise<T> {
  return send<T>(`/api/v4/fs${path}`, { token: await tokenOf(email), body })
}

/** Creates a folder in the owner's files. */
export async function makeFolderOf(name: string, parent?: string): Promise<MadeItem> {
  const { id } = await filesCall<{ id: string }>('', { type: 'collection', name, parent })
  return { id, name }
}

/** Creates a file in the owner's files. */
export async function makeFile(
  name: string,
  content: string | Buffer,
  { parent = '', type = 'text/plain' } = {},
): Promise<MadeItem> {
  const query = new URLSearchParams({ name, media: 'content', ...(parent && { parent }) })
  const response = await fetch(new URL(`/api/v4/fs?${query}`, portal.appUrl), {
    method: 'POST',
    headers: { 'Content-Type': type, Authorization: `Bearer ${await tokenOf(owner)}` },
    body: typeof content === 'string' ? content : new Uint8Array(content),
  })
  if (!response.ok) throw new Error(`no file: ${response.status} ${await response.text()}`)
  const { id }: { id: string } = await response.json()
  return { id, name }
}

interface ListedItem extends MadeItem {
  readonly type: string
  readonly size: number
}

/** Items in a folder of the owner. */
export async function listOf(parent: string): Promise<ListedItem[]> {
  const { list } = await filesCall<{ list: ListedItem[] }>(
    `?parent=${parent}&size=500&sort=name&collections_first=1`,
  )
  return list
}

/** Names of the items in a folder of the owner. */
export async function namesIn(parent: string): Promise<string[]> {
  return (await listOf(parent)).map(({ name }) => name)
}

/** SHA-256 of one of the owner's files, from the server. */
export async function checksumOf(id: string): Promise<string> {
  const { sha256 } = await filesCall<{ sha256: string }>(`/${id}`)
  return sha256
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Content without a repeating pattern, so that a missing part is noticed. */
export function noise(bytes: number, seed = 1): Buffer {
  const content = Buffer.alloc(bytes)
  let state = seed
  for (let at = 0; at + 4 <= bytes; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    content.writeUInt32LE(state, at)
  }
  return content
}

export const table = (page: Page, name = 'Files') => page.getByRole('table', { name, exact: true })
export const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name })
export const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
export const fileDialog = (page: Page) => page.getByRole('dialog')
export const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' })
export const shownNames = (page: Page) => table(page).locator('[data-item-link]').allInnerTexts()

/** Selects an action in an item's menu. */
export async function actOn(page: Page, name: string, act: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: act, exact: true }).click()
}

/** Passes files to the file picker. */
export async function choose(page: Page, ...files: GivenFile[]): Promise<void> {
  await page.locator('input[type="file"][aria-label="Choose files"]').setInputFiles(files)
}

/** Drops local files or folders in the middle of the page, as a desktop would. */
export async function dropPaths(page: Page, ...paths: string[]): Promise<void> {
  const devtools = await retire(page).context().newCDPSession(page)
  const { width, height } = page.viewportSize() ?? { width: 1000, height: 800 }
  const place = { x: Math.round(width / 2), y: Math.round(height / 2) }
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, ...place, data })
  }
  await devtools.detach()
}
