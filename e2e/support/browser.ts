import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import './environment.ts'
import { portal } from './portal.ts'

export interface Visitor {
  /** A fresh browser profile with one page. Errors in the page's console fail the test. */
  readonly visit: (path: string, options?: VisitOptions) => Promise<Page>
}

export interface VisitOptions
  extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'locale' | 'reducedMotion'> {
  /** Browser errors that the test expects, as parts of their text. */
  readonly expectedErrors?: readonly string[]
}

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** Gives the tests of a file browser profiles; closes them after each test. */
export function useVisitor(): Visitor {
  let browser: Browser | undefined
  let problems: string[] = []
  beforeAll(async () => {
    browser = await chromium.connect(inject('browserEndpoint'))
  })
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close()
    const found = problems
    problems = []
    expect(found, 'errors in the browser').toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
  })
  return {
    async visit(path, { expectedErrors = [], ...options } = {}) {
      if (browser === undefined) throw new Error('the browser is there inside tests only')
      const context = await browser.newContext({
        baseURL: portal.appUrl,
        viewport: desktop,
        locale: 'en-GB',
        ...options,
      })
      context.setDefaultTimeout(10_000)
      const page = await context.newPage()
      const note = (text: string) => {
        // an answer that is not 2xx is logged by the browser itself; pages show it to people
        const isExpected = /the server responded with a status of 4\d\d/.test(text)
        if (!isExpected && !expectedErrors.some((part) => text.includes(part))) problems.push(text)
      }
      page.on('pageerror', (error) => note(String(error)))
      page.on('console', (message) => message.type() === 'error' && note(message.text()))
      await page.goto(path)
      return page
    },
  }
}
