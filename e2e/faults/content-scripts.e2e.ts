import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useVisitor } from '../support/browser.ts'
import { actOn, choose, fileDialog, filesCall, makeFile, row } from '../support/files.ts'
import { portal, startPortal } from '../support/portal.ts'
import { freePort } from '../support/server-process.ts'
import { signIn } from '../support/sign-in.ts'
import { owner } from '../support/users.ts'

const { visit } = useVisitor()

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Messages of browsers that block a resource. */
const refusals = ['Content Security Policy', 'MIME type', 'ERR_ABORTED', 'Failed to load']

const port = await freePort()
/** The origin of content of the second portal. */
const files = `http://files.localhost:${port}`
const other = await startPortal({
  PORT: String(port),
  APP_URL: `http://localhost:${port}`,
  FILES_ORIGIN: files,
})

async function gadget(kind: 'downloadUrl' | 'previewUrl'): Promise<string> {
  const { id } = await makeFile('gadget.js', 'window.gadget = localStorage.length', {
    type: kind === 'downloadUrl' ? 'text/javascript' : 'text/plain',
  })
  const answer = await filesCall<Record<string, string>>(`/${id}?${kind}=1`, undefined, owner)
  return new URL(answer[kind] ?? '').pathname
}

/** Opens the sign-in page with injected markup and the server's own headers. */
async function visitInjected(markup: string) {
  const page = await visit('/support', { expectedErrors: refusals })
  await page.route('**/login', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('<div id="app">', `${markup}<div id="app">`)
    await route.fulfill({ response, body })
  })
  await page.goto('/login')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  return page
}

describe('an uploaded gadget.js does not run in a portal page', () => {
  test.each(['downloadUrl', 'previewUrl'] as const)('by injected tags, at its %s', async (kind) => {
    const paths = await Promise.all(Array.from({ length: 4 }, () => gadget(kind)))
    const page = await visitInjected(`
      <script src="${paths[0]}"></script>
      <script type="module" src="${paths[1]}"></script>
      <link rel="modulepreload" href="${paths[2]}"><script type="module" src="${paths[2]}"></script>
      <link rel="modulepreload" href="data:text/javascript,window.gadget=1">
      <script type="module" src="data:text/javascript,window.gadget=1"></script>
      <iframe srcdoc="<script src='${paths[3]}'></script>"></iframe>
      <script>window.gadget = 1</script>
      <img src="x" onerror="window.gadget = 1">`)
    expect(await page.evaluate('window.gadget')).toBeUndefined()
  })

  test('loaded by an injected script element', async () => {
    const [classic, module, worker] = await Promise.all([1, 2, 3].map(() => gadget('downloadUrl')))
    const page = await visit('/login', { expectedErrors: refusals })
    const outcomes = await page.evaluate(
      async ([classicPath, modulePath, workerPath]) => {
        const tried = (start: (done: (outcome: string) => void) => void) => new Promise<string>(start)
        return Promise.all([
          tried((done) => {
            const script = document.createElement('script')
            script.src = classicPath ?? ''
            script.onload = () => done('ran')
            script.onerror = () => done('refused')
            document.head.append(script)
          }),
          tried((done) => {
            const script = document.createElement('script')
            script.type = 'module'
            script.src = modulePath ?? ''
            script.onload = () => done('ran')
            script.onerror = () => done('refused')
            document.head.append(script)
          }),
          tried((done) => {
            const worker = new Worker(workerPath ?? '')
            worker.onmessage = () => done('ran')
            worker.onerror = () => done('refused')
          }),
        ])
      },
      [classic, module, worker],
    )
    expect(outcomes).toEqual(['refused', 'refused', 'refused'])
    expect(await page.evaluate('window.gadget')).toBeUndefined()
  })
})

describe('with a separate origin for content', () => {
  test('previews and downloads come from that origin, which has no pages and no session', async () => {
    const page = await visit(other.appUrl, { expectedErrors: refusals })
    await signIn(page, owner)
    await page.goto(`${other.appUrl}/files`)
    await choose(
      page,
      { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('plain text') },
      { name: 'b.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') },
      { name: 'c.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') },
      { name: 'gadget.js', mimeType: 'text/javascript', buffer: Buffer.from('window.gadget = 1') },
    )
    await row(page, 'gadget.js').waitFor()
    const stage = fileDialog(page)
    await actOn(page, 'a.txt', 'Preview')
    await stage.locator('pre').getByText('plain text').waitFor()
    await page.keyboard.press('Escape')
    await actOn(page, 'b.png', 'Preview')
    const picture = stage.getByRole('img', { name: 'b.png' })
    await picture.waitFor()
    expect(await picture.getAttribute('src')).toContain(`${files}/api/v4/fs/previews/`)
    await expect
      .poll(() => stage.locator('img').evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
      .toBe(1)
    await page.keyboard.press('Escape')
    const started = page.waitForEvent('download')
    await actOn(page, 'gadget.js', 'Download')
    const download = await started
    expect(download.url()).toContain(`${files}/api/v4/fs/downloads/`)
    expect(download.suggestedFilename()).toBe('gadget.js')
    expect(page.url()).toContain(`${other.appUrl}/files`)
    const answer = await page.goto(`${files}/login`)
    expect(answer?.status()).toBe(404)
    expect(await page.evaluate('localStorage.length')).toBe(0)
  })
})

describe('under the content security policy', () => {
  test('lazy chunks, the companion page and the API reference work', async () => {
    const page = await visit('/login')
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
    await page.getByRole('heading', { level: 1, name: 'Privacy' }).waitFor()
    await page.goto('/companion-app')
    await page.getByRole('heading').first().waitFor()
    await page.goto('/api/docs')
    // the reference is large, and the viewer slow
    await page.locator('#operations-tag-Users').click({ timeout: 60_000 })
    await page.getByText('List users in the accounts that the caller owns or controls').waitFor()
  })

  test('WebAssembly is allowed only in the worker that hashes uploads', async () => {
    const page = await visit('/login', { expectedErrors: refusals })
    const refused = await page.evaluate(() =>
      // the smallest module: magic number and version
      WebAssembly.compile(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])).then(
        () => 'compiled',
        (error: unknown) => String(error),
      ),
    )
    expect(refused).toMatch(/^CompileError: .*Content Security Policy/i)
    const folder = join(import.meta.dirname, '../../packages/web/dist/assets')
    const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'))
    const policies: string[] = []
    // sequential, because many parallel requests from one address are rate-limited
    for (const name of scripts) {
      const answer = await fetch(`${portal.appUrl}/assets/${name}`, { method: 'HEAD' })
      policies.push(`${name} ${answer.headers.get('content-security-policy')}`)
    }
    const allowed = policies.filter((policy) => policy.includes('wasm'))
    const others = policies.filter((policy) => !policy.includes('wasm'))
    expect(
      others.every((policy) => policy.endsWith("default-src 'none'; style-src 'unsafe-inline'; sandbox")),
    ).toBe(true)
    const worker = /^hash-worker-[\w-]+\.js default-src 'none'; script-src 'wasm-unsafe-eval'$/
    expect(allowed).toEqual([expect.stringMatching(worker)])
  })

  test('browsers cache application files indefinitely and theme images for an hour', async () => {
    const page = await visit('/login')
    const headersOf = async (path: string | null) =>
      (await page.request.get(new URL(path ?? '', portal.appUrl).href)).headers()
    const script = await headersOf(await page.locator('script[src]').first().getAttribute('src'))
    expect(script['cache-control']).toBe('public, max-age=31536000, immutable')
    const picture = await headersOf(await page.locator('link[rel="icon"]').getAttribute('href'))
    expect(picture['cache-control']).toBe('public, max-age=3600')
    expect(picture['content-security-policy']).toMatch(/sandbox$/)
    expect((await headersOf('/assets/nothing.js'))['cache-control']).toBe('no-store')
  })

  test("a page's scripts have its nonce, which is not readable in the page", async () => {
    const page = await visit('/login')
    const policy = (await page.request.get(`${portal.appUrl}/login`)).headers()['content-security-policy']
    expect(policy).toMatch(/script-src 'nonce-[\w+/=]{24}' 'strict-dynamic'/)
    const nonces = await page.evaluate(() =>
      [...document.querySelectorAll('[nonce]')].map((element) => element.getAttribute('nonce')),
    )
    expect(nonces.length).toBeGreaterThan(1)
    expect(new Set(nonces)).toEqual(new Set(['']))
    expect(await page.locator('meta[name="csp-nonce"]').getAttribute('content')).not.toBe(
      await page.evaluate(() => document.querySelector<HTMLElement>('script[nonce]')?.nonce),
    )
  })
})
