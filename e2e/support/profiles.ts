import type { Browser, BrowserContext, Page } from 'playwright-core'

/** Profiles whose page has state that can't be reset. */
const spent = new WeakSet<BrowserContext>()

/**
 * Marks a page that got a fake clock, an init script or a devtools session: no other test gets its profile.
 */
export function retire(page: Page): Page {
  spent.add(page.context())
  return page
}

interface Profile {
  readonly context: BrowserContext
  readonly page: Page
  /** Origins of the pages that it has shown. */
  readonly origins: Set<string>
}

/**
 * Pool of browser profiles that tests reuse. State left by a test is removed afterwards. A new profile costs
 * as much as a visit, because every script is compiled again.
 */
export class Profiles {
  readonly #browser: Browser
  readonly #baseURL: string
  readonly #free = new Map<string, Profile[]>()
  #used: { readonly locale: string; readonly profile: Profile }[] = []

  constructor(browser: Browser, baseURL: string) {
    this.#browser = browser
    this.#baseURL = baseURL
  }

  /** Returns a page without stored data, in a profile with one page. */
  async take(locale: string): Promise<Page> {
    const profile = this.#free.get(locale)?.pop() ?? (await this.#open(locale))
    this.#used.push({ locale, profile })
    return profile.page
  }

  async #open(locale: string): Promise<Profile> {
    const context = await this.#browser.newContext({ baseURL: this.#baseURL, locale })
    context.setDefaultTimeout(10_000)
    const page = await context.newPage()
    return { context, page, origins: new Set() }
  }

  /** Records that a page of this origin was shown, so that its stored data is removed. */
  noteOrigin(page: Page, url: string): void {
    const used = this.#used.find(({ profile }) => profile.page === page)
    if (/^https?:/.test(url)) used?.profile.origins.add(new URL(url).origin)
  }

  /** Releases all profiles. */
  async release(): Promise<void> {
    const used = this.#used
    this.#used = []
    await Promise.all(
      used.map(async ({ locale, profile }) => {
        const isClean = !spent.has(profile.context) && (await clean(profile).catch(() => false))
        if (isClean) this.#free.set(locale, [...(this.#free.get(locale) ?? []), profile])
        else await profile.context.close()
      }),
    )
  }
}

/** Returns false if it can't be reused. */
async function clean({ context, page, origins }: Profile): Promise<boolean> {
  if (page.isClosed()) return false
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.setOffline(false)
  await context.clearPermissions()
  const devtools = await context.newCDPSession(page)
  for (const origin of origins) {
    // a URL of the origin that isn't the application: it stores nothing when the page is left
    const answer = await page.goto(`${origin}/api/health/liveness`, { timeout: 5000 })
    if (answer?.ok() !== true) return false
    await page.evaluate(() => sessionStorage.clear())
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  }
  await devtools.detach()
  await context.clearCookies()
  await page.mouse.move(0, 0)
  origins.clear()
  return true
}
