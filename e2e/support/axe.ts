import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const options: RunOptions = {
  // recording passes is most of the work on a large page
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}

/** Fails if axe reports a violation on the current screen. */
export async function expectNoFindings(page: Page, screen = page.url()): Promise<void> {
  await ready(page)
  expect(await findings(page, options), `axe on ${screen}`).toEqual([])
}

/** Checks both colour schemes. In the second one only contrast can differ. */
export async function expectNoFindingsInAnyColour(page: Page, screen = page.url()): Promise<void> {
  expect(await findingsInAnyColour(page), `axe on ${screen}`).toEqual([])
}

/**
 * What axe finds in light and in dark, for a test that goes on to other screens. `within` is a selector of the part to
 * check.
 */
export async function findingsInAnyColour(page: Page, within = 'html'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  await ready(page)
  const light = await findings(page, options, within)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await findings(page, { ...options, runOnly: ['color-contrast'] }, within)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((finding) => `dark: ${finding}`)]
}

/** Before its heading a screen is not there yet. */
async function ready(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
}

async function findings(page: Page, which: RunOptions, within = 'html'): Promise<string[]> {
  await settle(page)
  // evaluated by the debugger, which bypasses the content security policy; once per document, because it takes
  // longer than the checks
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(source)
  const given = [within, which].map((one) => JSON.stringify(one))
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${given.join(', ')})`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
}

/** Waits for animations to end, because they affect the measured colours. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        // except the spinner and a toast's progress bar
        .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) <= 1000)
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  )
}
