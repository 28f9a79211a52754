import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { useVisitor } from '../support/browser.ts'
import { codeIn, linkIn, mailTo } from '../support/mail.ts'
import { retire } from '../support/profiles.ts'
import { signIn } from '../support/sign-in.ts'
import {
  button,
  expectDashboard,
  expectFieldError,
  expectFocus,
  fillAccount,
  reachAccount,
  sendCode,
  sendIdentity,
  title,
  uniqueWord,
} from '../support/signup.ts'

const { visit } = useVisitor()

const path = (page: Page) => expect.poll(() => new URL(page.url()).pathname)
const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const plans = (page: Page) => title(page, 'Choose a plan')
const identity = (page: Page) => title(page, 'Your details')
const account = (page: Page) => title(page, 'Your new account')

describe('moving between the steps', () => {
  test("with the browser's buttons keeps all input", async () => {
    const email = `${uniqueWord()}@elsewhere.test`
    const page = await visit('/signup')
    await button(page, 'Start with Group').click()
    await sendIdentity(page, email)
    await sendCode(page, email)
    await page.getByLabel('Username').fill('kept')
    expect(await page.title()).toBe('Your new account · Gatehouse')
    const current = page.getByRole('list', { name: 'Progress' }).locator('[aria-current=step]')
    expect(await current.textContent()).toContain('Account')

    await page.goBack()
    await title(page, 'Check your e-mail').waitFor()
    await expectFocus(page.getByLabel('Confirmation code'))
    await page.goBack()
    await identity(page).waitFor()
    await expectFocus(page.getByLabel('First name'))
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email)
    expect(await current.textContent()).toContain('Your details')
    await page.goBack()
    await plans(page).waitFor()
    await path(page).toBe('/signup')
    await page.goForward()
    await identity(page).waitFor()
    await page.goForward()
    await title(page, 'Check your e-mail').waitFor()
    await page.goForward()
    await account(page).waitFor()
    await expectFocus(page.getByLabel('Username'))
    expect(await page.getByLabel('Username').inputValue()).toBe('kept')
    const entry = await page.evaluate(() => JSON.stringify(window.history.state))
    expect(entry).not.toContain(email)
  })

  test('with our own back button, also to another plan that needs its own code', async () => {
    const page = await visit('/signup/individual')
    await reachAccount(page)
    for (const name of ['Check your e-mail', 'Your details', 'Choose a plan']) {
      await button(page, 'Back').click()
      await title(page, name).waitFor()
    }
    await path(page).toBe('/signup')
    await button(page, 'Start with Group').click()
    await page.getByText('Step 1 of 3').waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Jo')
    await path(page).toBe('/signup/group')
    await button(page, 'Continue').click()
    await title(page, 'Check your e-mail').waitFor()
  })

  test('a reload keeps the step and all input but passwords', async () => {
    const email = `${uniqueWord()}@elsewhere.test`
    const page = await visit('/signup/group')
    await page.getByLabel('First name').fill('Jo')
    await page.reload()
    expect(await page.getByLabel('First name').inputValue()).toBe('Jo')
    await sendIdentity(page, email)
    await page.reload()
    await page.getByText(`We sent a code to ${email}`).waitFor()
    await sendCode(page, email)
    await fillAccount(page, 'kept')
    await page.reload()
    await account(page).waitFor()
    await path(page).toBe('/signup/group')
    expect(await page.getByLabel('Username').inputValue()).toBe('kept')
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    const kept = await page.evaluate(() => JSON.stringify(sessionStorage))
    expect(kept).not.toContain('tulip')
    await fillAccount(page, uniqueWord())
    await button(page, 'Create account').click()
    await expectDashboard(page)
    expect(
      await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft'))),
    ).toEqual([])
  })

  test('a reload continues with the mailed link', async () => {
    const email = `${uniqueWord()}@elsewhere.test`
    const page = await visit('/signup/group')
    await sendIdentity(page, email)
    await page.goto(linkIn(await mailTo(email), '/signup/'))
    await account(page).waitFor()
    await page.reload()
    await account(page).waitFor()
    await button(page, 'Back').click()
    await button(page, 'Back').click()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email)
    expect(await page.getByLabel('First name').inputValue()).toBe('Jo')
  })

  test('a new code is available after a minute, and the address can be changed', async () => {
    const email = `${uniqueWord()}@elsewhere.test`
    const page = await visit('/signup/individual')
    await retire(page).clock.install()
    await sendIdentity(page, email)
    const first = codeIn(await mailTo(email))
    expect(await page.getByRole('button', { name: /^Send again in \d+ s$/ }).isDisabled()).toBe(true)
    await page.clock.fastForward(61_000)
    await button(page, 'Send again').click()
    await toasts(page).getByText(`We sent a new code to ${email}.`).waitFor()
    await expect.poll(async () => codeIn(await mailTo(email))).not.toBe(first)
    await sendCode(page, email)
    await button(page, 'Back').click()
    await button(page, 'Change address').click()
    await expectFocus(page.getByLabel('First name'))
  })

  test('asks before leaving with unsaved input', async () => {
    const page = await visit('/signup/individual')
    await page.getByLabel('First name').fill('Jo')
    await page.getByRole('link', { name: 'Support' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click()
    expect(await page.getByLabel('First name').inputValue()).toBe('Jo')
  })
})

describe('URL parameters', () => {
  test('a voucher is stored, survives a reload and is filled in at the last step', async () => {
    const page = await visit('/signup/voucher/TEST10')
    await page.getByText('Voucher TEST10 added.').waitFor()
    await button(page, 'Start with Individual').click()
    await identity(page).waitFor()
    await page.reload()
    await page.getByText('Voucher TEST10 added.').waitFor()
    await reachAccount(page)
    expect(await page.getByLabel('Voucher code').inputValue()).toBe('TEST10')
    await fillAccount(page, uniqueWord())
    await button(page, 'Create account').click()
    await expectDashboard(page)
  })

  test('a rejected referral can be removed', async () => {
    const page = await visit('/signup/referral/AB23CD45')
    await button(page, 'Start with Individual').click()
    await page.getByLabel('E-mail address').fill(`${uniqueWord()}@elsewhere.test`)
    await button(page, 'Continue').click()
    await toasts(page).getByText('This referral code isn’t valid.').waitFor()
    await button(page, 'Remove').click()
    await button(page, 'Continue').click()
    await title(page, 'Check your e-mail').waitFor()
  })

  test('an unknown plan shows the available ones', async () => {
    const page = await visit('/signup/golden_age')
    await page.getByText('We couldn’t find a plan called “golden_age”.').waitFor()
    await button(page, 'Start with Individual').click()
    await identity(page).waitFor()
  })

  test('an invalid link leads to a first step that works', async () => {
    const page = await visit('/signup/AB23C-doesNotExist')
    await identity(page).waitFor()
    await toasts(page).getByText('Form validation error. This confirmation code is wrong').waitFor()
    await path(page).toBe('/signup')
    await expectFocus(page.getByLabel('Plan'))
    await button(page, 'Continue').click()
    await expectFieldError(page.getByLabel('Plan'), 'Fill in this field.')
    await page.getByLabel('Plan').selectOption('Group')
    const email = `${uniqueWord()}@elsewhere.test`
    await sendIdentity(page, email)
    await path(page).toBe('/signup/group')
    await sendCode(page, email)
    expect(await page.getByRole('checkbox').count()).toBe(1)
  })

  test('a used link leads to the sign-in page', async () => {
    const login = uniqueWord()
    const email = `${login}@elsewhere.test`
    const page = await visit('/signup/individual')
    await sendIdentity(page, email)
    const link = linkIn(await mailTo(email), '/signup/')
    const other = await visit(link)
    await account(other).waitFor()
    await sendCode(page, email)
    await fillAccount(page, login)
    await button(page, 'Create account').click()
    await expectDashboard(page)
    await fillAccount(other, uniqueWord())
    await button(other, 'Create account').click()
    await title(other, 'You already have an account').waitFor()
    await other.goto('/logout')
    await other.goto(link)
    await title(other, 'You already have an account').waitFor()
    expect(await toasts(other).getByText('Error').count()).toBe(0)
    await expectNoFindings(other, 'used link')
    await other.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await title(other, 'Sign in').waitFor()
  })

  test.each(['/signup/plan-2', '/signup/else/where', '/signup/ab23c-code', '/signup/voucher/a/b'])(
    '%s is not found',
    async (unknown) => {
      const page = await visit(unknown)
      await title(page, 'Not found').waitFor()
      await path(page).toBe(unknown)
    },
  )

  test('a missing invitation shows a message', async () => {
    const page = await visit('/signup/invite/0190b0a0')
    await title(page, 'Not found').waitFor()
    await page.getByText('This invitation is invalid').waitFor()
  })
})

describe('special cases', () => {
  test('a signed-in user gets a notice first', async () => {
    const page = await visit('/login')
    await signIn(page, 'solo@example.test')
    await page.goto('/signup/individual')
    await page.getByText('You’re signed in as solo@example.test.').waitFor()
    expect(await page.getByLabel('First name').count()).toBe(0)
    await button(page, 'Sign out').click()
    await identity(page).waitFor()
    await path(page).toBe('/signup/individual')
  })

  test('the only plan is selected automatically, without a way back to plans', async () => {
    const page = await visit('/login')
    const isIndividual = ({ title }: { title: string }) => title === 'individual'
    await page.route('**/api/auth/signup/plans', async (route) => {
      const answer = await (await route.fetch()).json()
      await route.fulfill({ json: { ...answer, plans: answer.plans.filter(isIndividual) } })
    })
    await page.getByRole('link', { name: 'See plans' }).click()
    await identity(page).waitFor()
    expect(await button(page, 'Back').count()).toBe(0)
    expect(await button(page, 'Change').count()).toBe(0)
  })

  test('plans that fail to load can be retried', async () => {
    const page = await visit('/login', { expectedErrors: ['status of 500'] })
    await page.route('**/api/auth/signup/plans', (route) => route.fulfill({ status: 500 }), { times: 1 })
    await page.getByRole('link', { name: 'See plans' }).click()
    await page.getByText('Failed to load data.').waitFor()
    await button(page, 'Try again').click()
    await button(page, 'Start with Group').waitFor()
  })
})
