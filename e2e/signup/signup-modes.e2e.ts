import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings, expectNoFindingsInAnyColour } from '../support/axe.ts'
import { desktop, phone, useVisitor } from '../support/browser.ts'
import { invite } from '../support/invitations.ts'
import { signIn } from '../support/sign-in.ts'
import {
  button,
  expectDashboard,
  expectFieldError,
  expectFocus,
  fillAccount,
  title,
  uniqueWord,
} from '../support/signup.ts'

const { visit } = useVisitor()

const path = (page: Page) => expect.poll(() => new URL(page.url()).pathname)
const plans = (page: Page) => title(page, 'Choose a plan')
const account = (page: Page) => title(page, 'Your new account')
const summary = (page: Page) => title(page, 'Your subscription “Phone”')

/** Name and amount of each price table row. */
const prices = async (page: Page) => {
  const lines = await page.getByRole('table', { name: 'Price' }).getByRole('row').allTextContents()
  return lines.filter((line) => line !== '').map((line) => line.replaceAll(/\s/g, ' '))
}

/** Goes from the plan's URL to its summary. */
async function reachSummary(page: Page, login = uniqueWord()): Promise<string> {
  await account(page).waitFor()
  await fillAccount(page, login)
  await button(page, 'Continue').click()
  return login
}

describe('with a token', () => {
  test('has two steps and no code step', async () => {
    const page = await visit('/signup')
    await button(page, 'Start with Club').click()
    await path(page).toBe('/signup/club')
    await page.getByText('Step 1 of 2').waitFor()
    await page.getByLabel('First name').fill('Jo')
    await button(page, 'Continue').click()
    await expectFieldError(page.getByLabel('Sign-up token'), 'Fill in this field.')
    await page.getByLabel('Sign-up token').fill('wrong')
    await button(page, 'Continue').click()
    await expectFieldError(page.getByLabel('Sign-up token'), 'This sign-up token isn’t valid.')
    await page.getByLabel('Sign-up token').fill('demo-token')
    await button(page, 'Continue').click()
    await account(page).waitFor()
    await page.getByText('Step 2 of 2').waitFor()
    await page.getByLabel('Username').fill('kept')

    await button(page, 'Back').click()
    await title(page, 'Your details').waitFor()
    expect(await page.getByLabel('Sign-up token').inputValue()).toBe('demo-token')
    await button(page, 'Continue').click()
    expect(await page.getByLabel('Username').inputValue()).toBe('kept')
    await fillAccount(page, uniqueWord())
    await button(page, 'Create account').click()
    await expectDashboard(page)
  })
})

describe('with a plan that is paid upfront', () => {
  test('the account step comes first, then the price, and all input is kept', async () => {
    const page = await visit('/signup/voucher/TEST10')
    const card = page.getByRole('region', { name: 'Phone' })
    await card.getByText('CHF 8.91 instead of CHF 9.90 a month').waitFor()
    await button(page, 'Start with Phone').click()
    await path(page).toBe('/signup/phone')
    await account(page).waitFor()
    expect(await page.getByText(/^Step \d/).count()).toBe(0)
    expect(await page.getByLabel('Voucher code').inputValue()).toBe('TEST10')
    expect(await page.getByLabel('First name').count()).toBe(0)
    await expectFocus(page.getByLabel('Username'))
    const login = await reachSummary(page)
    await summary(page).waitFor()
    expect((await prices(page)).slice(0, 3)).toEqual(
      ['Subscription, one month CHF 9.90', 'Discount 10%, voucher TEST10 − CHF 0.99', 'Total CHF 8.91'].map(
        (line) => line.replace(/ (?=(?:− )?CHF)/, ''),
      ),
    )
    await page.getByRole('list', { name: 'Accepted cards' }).waitFor()

    await button(page, 'Back').click()
    await account(page).waitFor()
    expect(await page.getByLabel('Username').inputValue()).toBe(login)
    await page.goForward()
    await summary(page).waitFor()
    await page.goBack()
    await page.getByLabel('Voucher code').fill('')
    await page.goForward()
    // the error for the previous input is gone
    await account(page).waitFor()
    await button(page, 'Continue').click()
    await summary(page).waitFor()
    expect((await prices(page)).join()).not.toContain('Discount')

    await button(page, 'Back').click()
    await button(page, 'Back').click()
    await plans(page).waitFor()
    await path(page).toBe('/signup')
    await button(page, 'Start with Phone').click()
    expect(await page.getByLabel('Username').inputValue()).toBe(login)
  })

  test("subscribing leads to the provider's page, and paying there unlocks the account", async () => {
    const page = await visit('/signup/phone')
    const login = await reachSummary(page)
    await summary(page).waitFor()
    await button(page, 'Subscribe').click()
    await title(page, 'Set up auto-payment in the sandbox').waitFor()
    await page.getByText(`${login}@example.test`).waitFor()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    // the provider's webhook may arrive before or after the redirect: both continue automatically
    await page.getByText('Your account will be unlocked in a moment.').waitFor()
    await expectDashboard(page)
  })

  test("returning from the provider without payment shows the locked account's payment page", async () => {
    const page = await visit('/signup/phone')
    await reachSummary(page)
    await summary(page).waitFor()
    await button(page, 'Subscribe').click()
    await title(page, 'Set up auto-payment in the sandbox').waitFor()
    await page.goto('/dashboard')
    await path(page).toBe('/payment/status')
    expect((await info(page)).isLocked).toBe(true)
  })

  test('reloading the summary returns to the account step', async () => {
    const page = await visit('/signup/phone')
    await reachSummary(page)
    await summary(page).waitFor()
    await page.reload()
    await account(page).waitFor()
    await path(page).toBe('/signup/phone')
  })

  test('errors are shown at their fields before any price', async () => {
    const page = await visit('/signup/phone')
    await account(page).waitFor()
    await fillAccount(page, 'solo')
    await page.getByLabel('Voucher code').fill('NOPE')
    await button(page, 'Continue').click()
    await expectFieldError(page.getByLabel('Username'), 'This username isn’t available.')
    const voucher = page.getByLabel('Voucher code')
    expect(await voucher.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('This voucher code isn’t valid').waitFor()
    await voucher.fill('')
    await button(page, 'Continue').click()
    await expectFieldError(page.getByLabel('Username'), 'This username isn’t available.')
    expect(await voucher.getAttribute('aria-invalid')).not.toBe('true')
  })

  test('a 100 % voucher leaves nothing to pay', async () => {
    const page = await visit('/signup/voucher/TEST100')
    await button(page, 'Start with Phone').click()
    await reachSummary(page)
    await page.getByText('You don’t need to pay').waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    expect(await page.getByRole('list', { name: 'Accepted cards' }).count()).toBe(0)
    await button(page, 'Create account').click()
    await expectDashboard(page)
  })

  test('a double click creates one account', async () => {
    const page = await visit('/signup/voucher/TEST100')
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/signup')) calls.push(request.method())
    })
    await button(page, 'Start with Phone').click()
    await reachSummary(page)
    await button(page, 'Create account').dblclick()
    await expectDashboard(page)
    expect(calls).toEqual(['POST'])
  })

  test('a lost response is requested again and creates one account only', async () => {
    const page = await visit('/signup/voucher/TEST100', { expectedErrors: ['net::ERR_FAILED'] })
    await button(page, 'Start with Phone').click()
    await reachSummary(page)
    // the server processes the request, but the response is lost
    await page.route(
      '**/api/auth/signup',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await button(page, 'Create account').click()
    await page.getByText('Can’t reach the server').first().waitFor()
    await button(page, 'Create account').click()
    await expectDashboard(page)
  })

  test('finishing in two tabs creates one account, and the other tab says so', async () => {
    const page = await visit('/signup/voucher/TEST100')
    const other = await page.context().newPage()
    await other.goto('/signup/voucher/TEST100')
    const login = uniqueWord()
    for (const tab of [page, other]) {
      await button(tab, 'Start with Phone').click()
      await reachSummary(tab, login)
      await tab.getByText('You don’t need to pay').waitFor()
    }
    await button(page, 'Create account').click()
    await expectDashboard(page)
    await other.getByText(`You’re signed in as ${login}@example.test.`).waitFor()
  })

  test('a login taken meanwhile is reported in the account step', async () => {
    const login = uniqueWord()
    const pages = [await visit('/signup/voucher/TEST100'), await visit('/signup/voucher/TEST100')] as const
    for (const page of pages) {
      await button(page, 'Start with Phone').click()
      await reachSummary(page, login)
      await page.getByText('You don’t need to pay').waitFor()
    }
    const [first, second] = pages
    await button(first, 'Create account').click()
    await expectDashboard(first)
    await button(second, 'Create account').click()
    await account(second).waitFor()
    await second.getByText('This username isn’t available.').first().waitFor()
    await second.getByLabel('Username').fill(uniqueWord())
    await button(second, 'Continue').click()
    await button(second, 'Create account').click()
    await expectDashboard(second)
  })
})

describe('with an invitation', () => {
  test('the chosen plan leads straight to the account step, with the name filled in and no step number', async () => {
    const email = `${uniqueWord()}@elsewhere.test`
    const link = await invite(email)
    const page = await visit(link)
    await page.getByText('You’re invited.').waitFor()
    await button(page, 'Start with Individual').click()
    await account(page).waitFor()
    await path(page).toBe('/signup/individual')
    expect(await page.getByText(/^Step \d/).count()).toBe(0)
    await expectFocus(page.getByLabel('First name'))
    await page.getByLabel('First name').fill('Jo')
    await page.getByLabel('Username').fill('kept')

    await button(page, 'Back').click()
    await plans(page).waitFor()
    await path(page).toBe('/signup')
    await page.getByText('You’re invited.').waitFor()
    await button(page, 'Start with Group').click()
    await page.getByRole('checkbox', { name: 'Use my own domain' }).waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Jo')
    expect(await page.getByLabel('Username').inputValue()).toBe('kept')
    await page.reload()
    await page.getByLabel('First name').fill('Jo')
    await fillAccount(page, uniqueWord())
    await button(page, 'Sign up').click()
    await expectDashboard(page)

    const late = await visit(link)
    await title(late, 'Not found').waitFor()
    await late.getByText('This invitation is invalid').waitFor()
  })

  test('a plan with a token asks for it, and one paid upfront shows its price', async () => {
    const page = await visit(await invite(`${uniqueWord()}@elsewhere.test`))
    await button(page, 'Start with Phone').click()
    await reachSummary(page)
    await summary(page).waitFor()
    await button(page, 'Back').click()
    await button(page, 'Back').click()
    await button(page, 'Start with Club').click()
    await button(page, 'Sign up').click()
    await expectFieldError(page.getByLabel('Sign-up token'), 'Fill in this field.')
    await page.getByLabel('Sign-up token').fill('DEMO-TOKEN')
    await fillAccount(page, uniqueWord())
    await button(page, 'Sign up').click()
    await expectDashboard(page)
  })

  test('that has expired, the page says so', async () => {
    const page = await visit(await invite('late@elsewhere.test', -1))
    await title(page, 'Not found').waitFor()
    await page.getByText('This invitation is invalid, expired').waitFor()
    await expectNoFindings(page, 'expired invitation')
  })

  test('that is used while the form is filled in, the page says so', async () => {
    const link = await invite(`${uniqueWord()}@elsewhere.test`)
    const pages = [await visit(link), await visit(link)] as const
    for (const page of pages) {
      await button(page, 'Start with Individual').click()
      await account(page).waitFor()
      await fillAccount(page, uniqueWord())
    }
    await button(pages[0], 'Sign up').click()
    await expectDashboard(pages[0])
    await button(pages[1], 'Sign up').click()
    await title(pages[1], 'Not found').waitFor()
  })
})

describe('with a referral', () => {
  test('the code applies where there is no first step', async () => {
    const friend = await visit('/login')
    await signIn(friend, 'owner@acme.test')
    const code = await referralCode(friend)
    const page = await visit(`/signup/referral/${code}`)
    await page.getByText(`You were referred with code ${code}.`).waitFor()
    await button(page, 'Start with Phone').click()
    await account(page).waitFor()
    await page.getByText(`You were referred with code ${code}.`).waitFor()
    await page.getByLabel('Voucher code').fill('TEST100')
    const sent = page.waitForRequest('**/api/auth/signup')
    await reachSummary(page)
    await button(page, 'Create account').click()
    expect((await sent).postDataJSON()).toMatchObject({ referral: code })
    await expectDashboard(page)
  })

  test('a rejected code can be removed there, too', async () => {
    const page = await visit('/signup/referral/NOTHING2')
    await button(page, 'Start with Phone').click()
    await reachSummary(page)
    await page
      .getByRole('region', { name: 'Notifications' })
      .getByText('This referral code isn’t valid.')
      .waitFor()
    await button(page, 'Remove').click()
    await button(page, 'Continue').click()
    await summary(page).waitFor()
  })
})

/** The current user, from the API. */
function info(page: Page): Promise<{ isLocked: boolean }> {
  return page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${localStorage.getItem('token')}` }
    return (await fetch('/api/auth/info', { headers })).json()
  })
}

/** The referral code of the current user, from the demo's programme. */
async function referralCode(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${localStorage.getItem('token')}` }
    const read = async (url: string) => (await fetch(url, { headers })).json()
    const { wallet } = await read('/api/auth/info')
    const { list } = await read(`/api/v4/wallets/${wallet.id}/referral-programs`)
    return list[0].url.split('/').at(-1)
  })
}

describe.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('on a %s, in light and dark colours', (_, viewport) => {
  test('the steps of the other modes pass axe and fit the screen', async () => {
    const page = await visit('/signup/club', { viewport })
    const check = async (name: string) => {
      await expectNoFindingsInAnyColour(page, name)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow, name).toBe(0)
    }
    await page.getByLabel('Sign-up token').waitFor()
    await check('token')
    await page.goto('/signup/voucher/TEST10')
    await button(page, 'Start with Phone').click()
    await reachSummary(page)
    await summary(page).waitFor()
    await check('summary')
    await page.goto('/signup/voucher/TEST100')
    await button(page, 'Start with Phone').click()
    await reachSummary(page)
    await page.getByText('You don’t need to pay').waitFor()
    await check('free')
    await page.goto(await invite(`${uniqueWord()}@elsewhere.test`))
    await page.getByText('You’re invited.').waitFor()
    await check('invitation')
    await button(page, 'Start with Individual').click()
    await account(page).waitFor()
    await check('invited account')
  })
})
