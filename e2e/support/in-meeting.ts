import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { patience } from './meet.ts'

/** Helpers for the parts of a meeting's screen, in English. */

export const poll = { timeout: patience }

export const bar = (page: Page) => page.getByRole('navigation', { name: 'Meeting controls' })
export const tool = (page: Page, name: string | RegExp) => bar(page).getByRole('button', { name })
export const tile = (page: Page, name: string | RegExp) => page.getByRole('article', { name })
export const tiles = (page: Page) => page.locator('.stage-tile')
export const dialog = (page: Page) => page.getByRole('dialog')
export const region = (page: Page, name: string) => page.getByRole('region', { name })
export const listeners = (page: Page) => region(page, 'Listeners and interpreters')
export const log = (page: Page) => page.getByRole('log', { name: 'Chat' })
export const toast = (page: Page, text: string | RegExp) => page.locator('.toast').getByText(text).first()

export const focused = (field: Locator) =>
  expect.poll(() => field.evaluate((one) => one === document.activeElement))

/** Selects an item in a participant's menu. */
export async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.locator('button:is(.stage-who, .stage-tag)').filter({ hasText: name }).first().click()
  await page.getByRole('menu').getByText(item, { exact: true }).click()
}

/** Sends a chat message; opens the chat if necessary. */
export async function write(page: Page, message: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message' })
  if (!(await field.isVisible())) await tool(page, /^Chat/).click()
  await field.fill(message)
  await field.press('Enter')
}

export async function leave(page: Page): Promise<void> {
  await tool(page, 'Leave').click()
}
