import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import { suite } from './suite.ts'

/** Opens pages of the portal. Everything is closed after the last test of the file. */
export function useBrowser(): { visit: (path: string) => Promise<Page> } {
  let browser: Browser
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    browser = await chromium.connect(inject('browserEndpoint'))
  })
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()))
    await browser.close()
  })
  return {
    /** Opens a page in a new profile. */
    async visit(path) {
      const context = await browser.newContext({ baseURL: suite().portalUrl, locale: 'en-GB' })
      contexts.push(context)
      const page = await context.newPage()
      await page.goto(path)
      return page
    },
  }
}

/** Opens the webmail from the portal's dashboard, and allows it to use the mail the first time. */
export async function openWebmail(page: Page): Promise<void> {
  await page.locator('main').getByRole('link', { name: 'Webmail' }).first().click()
  await inWebmail(page)
}

/** Waits for the folders of the webmail, and allows it to use the mail the first time. */
export async function inWebmail(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Allow' })
  const folders = page.locator('#mailboxlist')
  await button.or(folders).first().waitFor()
  if (await button.isVisible()) await button.click()
  await folders.waitFor()
}
