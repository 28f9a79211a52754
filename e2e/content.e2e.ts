import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from './support/axe.ts'
import { phone, useVisitor } from './support/browser.ts'
import { mailTo } from './support/mail.ts'
import { portal } from './support/portal.ts'
import { sendLogin, signIn, variantUrl } from './support/sign-in.ts'

const { visit } = useVisitor()

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const faq = (page: Page) =>
  page.getByRole('main').getByRole('region', { name: 'Frequently asked questions' }).last()
const isFocused = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element === document.activeElement)

describe('a theme page', () => {
  test.each([
    ['/support', 'Support', 'page-support'],
    ['/terms', 'Terms of service', 'page-terms'],
    ['/privacy', 'Privacy', 'page-privacy'],
  ])('%s has its title and its body class', async (path, title, bodyClass) => {
    const page = await visit(path)
    await heading(page, title).waitFor()
    await expect.poll(() => page.title()).toBe(`${title} · Gatehouse`)
    expect(await page.locator('body').getAttribute('class')).toBe(bodyClass)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  })

  test('opens from the footer without a page reload, scrolled to the top', async () => {
    const page = await visit('/support')
    await heading(page, 'Support').waitFor()
    await page.evaluate(() => document.body.setAttribute('data-same-page', ''))
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
    await heading(page, 'Privacy').waitFor()
    expect(await page.locator('body[data-same-page]').count()).toBe(1)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await expect.poll(() => isFocused(page, 'h1')).toBe(true)
    await page.goBack()
    await heading(page, 'Support').waitFor()
  })

  test('scrolls to its own anchors', async () => {
    const page = await visit('/support#faq-delete')
    // each question appears once
    const question = page.getByText('What happens when an account is deleted?')
    await question.waitFor()
    expect(await question.count()).toBe(1)
    expect(await faq(page).count()).toBe(0)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
    await expect.poll(() => isFocused(page, '#faq-delete')).toBe(true)
  })

  test('is reloaded when the language changes', async () => {
    const page = await visit('/terms')
    await heading(page, 'Terms of service').waitFor()
    await page.getByRole('button', { name: 'Language: English' }).click()
    await page.getByRole('menuitemradio', { name: 'DE - Deutsch' }).click()
    await heading(page, 'Nutzungsbedingungen').waitFor()
    await expect.poll(() => page.title()).toBe('Nutzungsbedingungen · Gatehouse')
  })

  test.each(['/unknown', '/login/unknown', '/un-known', '/un*'])('%s is not found', async (path) => {
    const page = await visit(path)
    await heading(page, 'Not found').waitFor()
    expect(await page.locator('body').getAttribute('class')).toBe('page-error')
    expect(await page.title()).toBe('Not found · Gatehouse')
    expect(new URL(page.url()).pathname).toBe(path)
    await page.getByRole('link', { name: 'Go to sign-in' }).click()
    await heading(page, 'Sign in').waitFor()
  })

  test('is available to staff, whose contact is an e-mail address', async () => {
    const page = await visit('/login')
    await page.goto(variantUrl(portal.appUrl, 'admin', '/support'))
    await heading(page, 'Support').waitFor()
    await page.getByRole('link', { name: 'help@example.test' }).waitFor()
  })

  test("can be retried if it doesn't load", async () => {
    const page = await visit('/terms', { expectedErrors: ['net::ERR_FAILED'] })
    await heading(page, 'Terms of service').waitFor()
    await page.route('**/content/page/privacy', (route) => route.abort())
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
    await page.getByText('Can’t reach the server. Check your connection and try again.').waitFor()
    await expectNoFindings(page, 'page that failed to load')
    await page.unroute('**/content/page/privacy')
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading(page, 'Privacy').waitFor()
  })
})

describe('the FAQ of a page', () => {
  test('is at the end of the page and links to the answers', async () => {
    const page = await visit('/password-reset')
    await faq(page).getByRole('link', { name: 'I didn’t receive the e-mail with the code' }).click()
    await heading(page, 'Support').waitFor()
    expect(new URL(page.url()).hash).toBe('#faq-reset-mail')
    await expect.poll(() => isFocused(page, '#faq-reset-mail')).toBe(true)
  })

  test('follows the page and the language', async () => {
    const page = await visit('/signup')
    await faq(page).getByRole('link', { name: 'terms of service' }).waitFor()
    await page.getByRole('button', { name: 'Language: English' }).click()
    await page.getByRole('menuitemradio', { name: 'FR - Français' }).click()
    await page.getByRole('region', { name: 'Questions fréquentes' }).last().waitFor()
    await expect.poll(() => page.getByRole('main').innerText()).not.toContain('terms of service')
    await page
      .getByRole('contentinfo')
      .getByRole('link', { name: /Conditions/ })
      .click()
    await heading(page, /Conditions/).waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Questions fréquentes' }).count()).toBe(0)
  })

  test('is not requested on the sign-in page', async () => {
    const page = await visit('/terms')
    await heading(page, 'Terms of service').waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
    await heading(page, 'Sign in').waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Support' }).click()
    await expect.poll(() => asked).toContain('/content/faq/support')
    expect(asked).not.toContain('/content/faq/login')
  })
})

async function openSupport(page: Page) {
  await page.getByRole('main').getByRole('link', { name: 'Contact support' }).click()
  const dialog = page.getByRole('dialog', { name: 'Contact support' })
  await dialog.waitFor()
  return dialog
}

describe('the support form', () => {
  test('sends a message that support can reply to', async () => {
    const page = await visit('/support')
    const dialog = await openSupport(page)
    await expect.poll(() => isFocused(page, '#support-user')).toBe(true)
    await dialog.getByLabel('Customer number or user').fill('4471 2093')
    await dialog.getByLabel('Name', { exact: false }).nth(0).fill('Zoë Visitor')
    await dialog.getByLabel('E-mail address').fill('zoe@elsewhere.test')
    await dialog.getByLabel('Subject').fill('A question about lists')
    await dialog.getByLabel('Message').fill('How do they work?\nThank you.')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Notifications' }).getByText('Success').waitFor()

    const mail = await mailTo('help@example.test')
    expect(mail.subject).toContain('A question about lists')
    expect(mail.replyTo).toContain('zoe@elsewhere.test')
    expect(mail.text).toContain('How do they work?')
    expect(mail.text).toContain('4471 2093')

    const again = await openSupport(page)
    expect(await again.getByLabel('E-mail address').inputValue()).toBe('zoe@elsewhere.test')
    expect(await again.getByLabel('Subject').inputValue()).toBe('')
    expect(await again.getByLabel('Message').inputValue()).toBe('')
  })

  test('shows browser and server errors at their fields and clears them when it closes', async () => {
    const page = await visit('/support')
    const dialog = await openSupport(page)
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('Fill in this field.').nth(2).waitFor()
    await expect.poll(() => isFocused(page, '#support-email')).toBe(true)
    await expectNoFindings(page, 'support form with errors')
    // valid in the browser, invalid on the server
    await dialog.getByLabel('E-mail address').fill('zoe@elsewhere')
    await dialog.getByLabel('Subject').fill('Subject')
    await dialog.getByLabel('Message').fill('Message')
    await dialog.getByRole('button', { name: 'Send' }).click()
    const email = dialog.getByLabel('E-mail address')
    await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('region', { name: 'Notifications' }).getByText('Form validation error').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const again = await openSupport(page)
    expect(await again.getByLabel('Subject').inputValue()).toBe('Subject')
    expect(await again.getByLabel('E-mail address').getAttribute('aria-invalid')).toBeNull()
  })

  test('can be cancelled by closing it', async () => {
    const page = await visit('/support')
    const dialog = await openSupport(page)
    let arrived = () => {}
    const request = new Promise<void>((resolve) => {
      arrived = resolve
    })
    await page.route('**/api/v4/support/request', () => arrived())
    await dialog.getByLabel('E-mail address').fill('zoe@elsewhere.test')
    await dialog.getByLabel('Subject').fill('Subject')
    await dialog.getByLabel('Message').fill('Message')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await request
    await page.getByRole('dialog').locator('[aria-busy="true"]').first().waitFor()
    const failed = page.waitForEvent('requestfailed')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await failed).url()).toContain('/support/request')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByRole('region', { name: 'Notifications' }).getByText('Error').count()).toBe(0)
  })

  test('knows who is signed in, and opens from an error page and by URL', async () => {
    const page = await visit('/wallet')
    await signIn(page, 'jane@acme.test')
    await heading(page, 'Access denied').waitFor()
    const dialog = await openSupport(page)
    expect(await dialog.getByLabel('E-mail address').inputValue()).toBe('jane@acme.test')
    expect(await dialog.getByLabel('Name', { exact: false }).nth(0).inputValue()).toBe('Jane Favre')
    expect(await dialog.getByLabel('Customer number or user').inputValue()).toMatch(/^\d+$/)
    await page.goto('/support/contact')
    await page.getByRole('dialog', { name: 'Contact support' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/support')
  })
})

test('the language applies everywhere and is remembered', async () => {
  const page = await visit('/login', { locale: 'de-CH' })
  await heading(page, 'Anmelden').waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await page.getByRole('button', { name: /: Deutsch$/ }).click()
  await page.getByRole('menuitemradio', { name: 'EN - English' }).click()
  await heading(page, 'Sign in').waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  expect(await page.title()).toBe('Sign in · Gatehouse')

  const cookies = await page.context().cookies()
  const cookie = cookies.find(({ name }) => name === 'language')
  expect(cookie).toMatchObject({ value: 'en', path: '/', httpOnly: false })
  // browsers cap cookie lifetimes at 400 days
  expect((cookie?.expires ?? 0) * 1000).toBeGreaterThan(Date.now() + 390 * 24 * 3600 * 1000)

  await page.reload()
  await heading(page, 'Sign in').waitFor()
  // the server uses it too
  await sendLogin(page, 'nobody@example.test', 'wrong')
  await page
    .locator('[role="alert"]')
    .filter({ hasText: /^Error: [A-Z]/ })
    .waitFor()
})

describe.each(['light', 'dark'] as const)('in %s colours axe finds nothing on', (colorScheme) => {
  test('the pages and the support form on a phone', async () => {
    const page = await visit('/support', { viewport: phone, colorScheme })
    await heading(page, 'Support').waitFor()
    await expectNoFindings(page, 'support')
    await openSupport(page)
    await expectNoFindings(page, 'support form')
    for (const [path, title] of [
      ['/terms', 'Terms of service'],
      ['/privacy', 'Privacy'],
      ['/unknown', 'Not found'],
    ] as const) {
      await page.goto(path)
      await heading(page, title).waitFor()
      await expectNoFindings(page, path)
    }
  })
})
