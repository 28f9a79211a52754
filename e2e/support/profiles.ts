import type { Browser, BrowserContext, Page } from 'playwright-core'

/** Profiles whose page keeps something that cannot be taken from it. */
const spent = new WeakSet<BrowserContext>()

/** For a page that got a clock, a script for every document or a devtools session: no other test gets its profile. */
export function retire(page: Page): Page {
  spent.add(page.context())
  return page
}

interface Profile {
  readonly context: BrowserContext
  readonly page: Page
  /** Those of the pages that it has shown. */
  readonly origins: Set<string>
}

/**
 * Browser profiles that tests use in turn. What a test left in one is removed after it; a new profile costs as much
 * as a visit, because every script is compiled again.
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

  /** A page on which nothing is stored, of a profile with one page. */
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

  /** Notes that a page of this origin was shown, so that what it stored is removed. */
  noteOrigin(page: Page, url: string): void {
    const used = this.#used.find(({ profile }) => profile.page === page)
    if (/^https?:/.test(url)) used?.profile.origins.add(new URL(url).origin)
  }

  /** Takes all profiles back. */
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

/** False: it cannot be used again. */
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
    // a page of the origin that is no application: it stores nothing when it is left
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
