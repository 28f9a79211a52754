import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import './environment.ts'
import { portal } from './portal.ts'
import { Profiles, retire } from './profiles.ts'
import { passwordOf } from './sign-in.ts'

export interface Visitor {
  /** Opens a page with a clean browser profile. Errors in the page's console fail the test. */
  readonly visit: (path: string, options?: VisitOptions) => Promise<Page>
  /**
   * The same with a session created through the API, for tests that aren't about signing in. The path may be a
   * URL on another host.
   */
  readonly visitAs: (email: string, path: string, options?: VisitAsOptions) => Promise<Page>
}

export interface VisitOptions extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'locale'> {
  /** Expected browser errors, as substrings. */
  readonly expectedErrors?: readonly string[]
  /** Runs in every page before its own scripts. */
  readonly initScript?: string
}

export interface VisitAsOptions extends VisitOptions {
  /** Defaults to the password of the demo logins. */
  readonly password?: string
}

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** Provides browser profiles to the tests of a file and releases them after each test. */
export function useVisitor(): Visitor {
  let browser: Browser | undefined
  let profiles: Profiles | undefined
  let problems: string[] = []
  beforeAll(async () => {
    browser = await chromium.connect(inject('browserEndpoint'))
    profiles = new Profiles(browser, portal.appUrl)
  })
  afterEach(async () => {
    const found = problems
    problems = []
    await profiles?.release()
    expect(found, 'errors in the browser').toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
  })
  const openPage = async (options: VisitOptions = {}) => {
    const { expectedErrors = [], initScript, locale = 'en-GB', viewport = desktop } = options
    const { colorScheme = 'light' } = options
    if (profiles === undefined) throw new Error('the browser is there inside tests only')
    const page = await profiles.take(locale)
    if (viewport !== null) await page.setViewportSize(viewport)
    // painting animations takes a quarter of a test's time, and the test waits for them to end
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (initScript) await retire(page).addInitScript(initScript)
    const note = (text: string) => {
      // browsers log every response that isn't 2xx; pages show them to the user
      const isExpected = /the server responded with a status of 4\d\d/.test(text)
      if (!isExpected && !expectedErrors.some((part) => text.includes(part))) problems.push(text)
    }
    page.on('pageerror', (error) => note(String(error)))
    page.on('console', (message) => message.type() === 'error' && note(message.text()))
    page.on('framenavigated', (frame) => profiles?.noteOrigin(page, frame.url()))
    return page
  }
  return {
    async visit(path, options) {
      const page = await openPage(options)
      await page.goto(path)
      return page
    },
    async visitAs(email, path, { password = passwordOf(email), ...options } = {}) {
      const { origin } = new URL(path, portal.appUrl)
      const session = await openSession(origin, email, password)
      const page = await openPage(options)
      await fillStorage(page, origin, session)
      await page.goto(path)
      await page
        .getByRole('link', { name: /^(Sign out|Abmelden)$/ })
        .first()
        .waitFor({ state: 'attached' })
      return page
    },
  }
}

/**
 * Sets it in the page itself: the storage state of a new context opens an extra page, which takes as long as
 * the visit.
 */
async function fillStorage(page: Page, origin: string, items: Readonly<Record<string, string>>) {
  // a URL of the origin that isn't the application; a profile in its second use shows it already
  const blank = `${origin}/api/health/liveness`
  if (page.url() !== blank) await page.goto(blank)
  await page.evaluate((all) => {
    for (const [name, value] of Object.entries(all)) localStorage.setItem(name, value)
  }, items)
}

/** Signs in without a browser; returns what the portal would store in the browser. */
async function openSession(origin: string, email: string, password: string) {
  const answer = await logIn(new URL('/api/auth/login', origin), JSON.stringify({ email, password }))
  const session: { access_token: string; refresh_token: string; expires_in: number } = JSON.parse(answer)
  return {
    tokenExpires: String(Date.now() + session.expires_in * 1000),
    refreshToken: session.refresh_token,
    refreshKey: randomUUID(),
    sessionId: randomUUID(),
    token: session.access_token,
  }
}

/** Doesn't use `fetch`, because not every machine resolves hosts below localhost, as browsers do. */
async function logIn(url: URL, body: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json', Host: url.host }
  const call = request({ host: '127.0.0.1', port: url.port, path: url.pathname, method: 'POST', headers })
  call.end(body)
  const [response] = await once(call, 'response')
  const answer = await text(response)
  if (response.statusCode !== 200) throw new Error(`no login: ${response.statusCode} ${answer}`)
  return answer
}
