import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const options: RunOptions = {
  // of what passes nothing is kept, which is most of the work on a large page
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}

/** Fails when axe finds anything on the screen as it is now. */
export async function expectNoFindings(page: Page, screen = page.url()): Promise<void> {
  // before its heading a screen is not there yet
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await run(page, screen, options)
}

/** Checks both colour schemes. In the second one only contrast can differ. */
export async function expectNoFindingsInAnyColour(page: Page, screen = page.url()): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoFindings(page, screen)
  await page.emulateMedia({ colorScheme: 'dark' })
  await run(page, `${screen}, dark`, { ...options, runOnly: ['color-contrast'] })
  await page.emulateMedia({ colorScheme: 'light' })
}

async function run(page: Page, screen: string, which: RunOptions): Promise<void> {
  await settle(page)
  // evaluated by the debugger, which the content security policy does not bind; once for a document, as it takes
  // longer than the checks
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(source)
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(which)})`)
  const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
  expect(findings, `axe on ${screen}`).toEqual([])
}

/** Colours are measured when nothing moves any more. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        // not the spinner, nor the time that a toast has left
        .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) <= 1000)
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  )
}
