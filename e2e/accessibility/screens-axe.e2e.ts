import { readFileSync } from 'node:fs'
import type { Page, Request } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { findingsInAnyColour } from '../support/axe.ts'
import { useVisitor } from '../support/browser.ts'
import { portal } from '../support/portal.ts'
import { variantUrl } from '../support/sign-in.ts'
import { owner, ownerToken, send } from '../support/users.ts'
import { screens, shownElsewhere, type Variant } from './screens.ts'

const { visitAs } = useVisitor()

// many screens, and CI machines are busy
vi.setConfig({ testTimeout: 600_000 })

const people: Record<Variant, string> = {
  user: owner,
  admin: 'admin@example.test',
  reseller: 'reseller@partner.test',
}

/** Goes from screen to screen as a link does, without reloading the page, and collects what axe finds on each. */
class Walk {
  readonly #page: Page
  readonly #hrefs: Set<string>
  readonly #findings: string[] = []
  /** Requests in flight. */
  readonly #calls = new Set<Request>()

  /** `known`: addresses to use as if an earlier screen had linked to them. */
  constructor(page: Page, known: readonly string[] = []) {
    this.#page = page
    this.#hrefs = new Set(known)
    page.on('request', (request) => request.url().includes('/api/') && this.#calls.add(request))
    page.on('requestfinished', (request) => this.#calls.delete(request))
    page.on('requestfailed', (request) => this.#calls.delete(request))
  }

  get findings(): readonly string[] {
    return this.#findings
  }

  /** Shows a screen with all of its tabs. */
  async show(pattern: string): Promise<void> {
    await this.#open(this.#resolve(pattern))
    await this.#look(pattern, 'html')
    await this.#eachTab(pattern, 0)
  }

  /** The address of a screen, with `*` taken from the links of earlier screens. */
  #resolve(pattern: string): string {
    const [start = '', rest] = pattern.split('*')
    if (rest === undefined) return pattern
    const hrefs = [...this.#hrefs].filter((href) => href.startsWith(start) && !href.startsWith(`${start}new`))
    const [name] = hrefs.map((href) => href.slice(start.length).split(/[/?#]/)[0]).filter(Boolean)
    if (name === undefined) expect.fail(`no link leads to ${pattern}`)
    return `${start}${name}${rest}`
  }

  async #open(path: string): Promise<void> {
    const page = this.#page
    const isOther = await page.evaluate((to) => {
      const { pathname } = window.location
      document.querySelector('main h1')?.setAttribute('data-left', '')
      history.pushState(null, '', to)
      return pathname !== window.location.pathname
    }, path)
    if (isOther) await page.locator('main h1:not([data-left])').first().waitFor({ state: 'attached' })
    await this.#complete()
  }

  /** Waits until nothing is loading. */
  async #complete(): Promise<void> {
    const page = this.#page
    const busy = page.locator('.page-loader:not(:empty), [aria-busy="true"], main .skeleton')
    const parts = async () => [
      ...[...this.#calls].map((request) => request.url()),
      ...(await busy.evaluateAll((found) => found.map((one) => one.outerHTML.slice(0, 200)))),
    ]
    await expect.poll(parts, { message: `loading ${page.url()}`, interval: 20 }).toEqual([])
    const isShown = await page.locator('main .load-failed, body.page-error').count()
    if (isShown > 0) this.#findings.push(`${page.url()} failed to load`)
  }

  async #look(screen: string, within: string): Promise<void> {
    const links = this.#page.locator('main a[href^="/"]')
    const found = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    for (const href of found) this.#hrefs.add(href)
    const isWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth
    if (await this.#page.evaluate(isWide)) this.#findings.push(`${screen}: wider than the window`)
    for (const finding of await findingsInAnyColour(this.#page, within))
      this.#findings.push(`${screen}: ${finding}`)
  }

  /** Opens every tab, and the tabs inside it. */
  async #eachTab(screen: string, depth: number): Promise<void> {
    const list = this.#page.locator('main [role="tablist"]').nth(depth)
    if ((await list.count()) === 0) return
    const tabs = list.getByRole('tab')
    for (let at = 0; at < (await tabs.count()); at += 1) {
      const tab = tabs.nth(at)
      const name = `${screen} ${await tab.innerText()}`
      if ((await tab.getAttribute('aria-selected')) === 'false') {
        await tab.evaluate((element: HTMLElement) => element.click())
        await tabs.and(this.#page.locator('[aria-selected="true"]')).and(tab).waitFor()
        await this.#complete()
        await this.#look(name, 'main')
      }
      await this.#eachTab(name, depth + 1)
    }
  }
}

async function ownerId(): Promise<number> {
  const { id } = await send<{ id: number }>('/api/auth/info', { token: await ownerToken() })
  return id
}

describe('in light and dark axe finds nothing on any screen', () => {
  test.each(['user', 'admin', 'reseller'] as const)('of the front end %s', async (variant) => {
    // another screen than the first one, whose requests would already be in flight
    const start = variant === 'user' ? '/support' : variantUrl(portal.appUrl, variant, '/support')
    // most other customers have empty lists
    const known = variant === 'admin' ? [`/user/${await ownerId()}`] : []
    const walk = new Walk(await visitAs(people[variant], start), known)
    for (const screen of screens[variant]) await walk.show(screen)
    expect(walk.findings).toEqual([])
  })
})

test('every route is in the walk or has a test of its own', () => {
  const tables = ['routes/route-table.ts', 'cockpit.ts'].map((file) =>
    readFileSync(new URL(`../../packages/web/src/app/${file}`, import.meta.url), 'utf8'),
  )
  const routes = tables.join('').match(/(?<=[(,:] *')\/[^'*]*(?=',)/g) ?? []
  const walked = Object.values(screens)
    .flat()
    .map((screen) => screen.split('?')[0] ?? '')
  const isWalked = (route: string) => {
    const shape = route
      .replaceAll(/\/\{-\$\w+\}/g, '(?:/[^/]+)?')
      .replaceAll(/\$\w+/g, '[^/]+')
      .replace(/\$$/, '.+')
    return walked.some((screen) => new RegExp(`^${shape}$`).test(screen))
  }
  expect(routes.length).toBeGreaterThan(50)
  expect(routes.filter((route) => !isWalked(route) && !(route in shownElsewhere))).toEqual([])
})
