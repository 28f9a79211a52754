import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from './support/axe.ts'
import { desktop, phone, useVisitor } from './support/browser.ts'
import { codeIn, linkIn, mailTo } from './support/mail.ts'
import { signIn } from './support/sign-in.ts'
import {
  button,
  expectDashboard,
  expectFieldError,
  expectFocus,
  field,
  fillAccount,
  reachAccount,
  type SignupWords,
  sendCode,
  sendIdentity,
  title,
  uniqueWord,
} from './support/signup.ts'

const { visit } = useVisitor()

const path = (page: Page) => expect.poll(() => new URL(page.url()).pathname)
const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const plans = (page: Page) => title(page, 'Choose a plan')
const identity = (page: Page) => title(page, 'Your details')
const account = (page: Page) => title(page, 'Your new account')

describe('a full sign-up', () => {
  test.each([
    ['Individual', 'code'],
    ['Individual', 'link'],
    ['Group', 'code'],
    ['Group', 'link'],
  ])('with the plan %s by %s ends on the dashboard', async (plan, way) => {
    const login = uniqueWord()
    const email = `${login}@elsewhere.test`
    const page = await visit('/signup')
    await button(page, `Start with ${plan}`).click()
    await path(page).toBe(`/signup/${plan.toLowerCase()}`)
    await sendIdentity(page, email)
    if (way === 'code') await sendCode(page, email)
    else await page.goto(linkIn(await mailTo(email), '/signup/'))
    await account(page).waitFor()
    await page.getByText('Step 3/3').waitFor()
    expect(await field(page, 'Domain').inputValue()).toBe('example.test')
    expect(await page.getByRole('checkbox').count()).toBe(plan === 'Group' ? 1 : 0)
    await fillAccount(page, login)
    await button(page, 'Create account').click()
    await expectDashboard(page)

    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    await page.goto('/login')
    await signIn(page, `${login}@example.test`)
  })

  test('with an own domain: ticking empties the field, unticking brings the selection back', async () => {
    const page = await visit('/signup/group')
    await reachAccount(page)
    const own = page.getByRole('checkbox', { name: 'I have a domain of my own' })
    await own.check()
    expect(await page.getByRole('textbox', { name: 'Domain' }).inputValue()).toBe('')
    await page.getByRole('textbox', { name: 'Domain' }).fill('thrown-away.test')
    await own.uncheck()
    expect(await page.getByRole('combobox', { name: 'Domain' }).inputValue()).toBe('example.test')
    await own.check()
    expect(await page.getByRole('textbox', { name: 'Domain' }).inputValue()).toBe('')
    await page.getByRole('textbox', { name: 'Domain' }).fill(`${uniqueWord('firm-')}.test`)
    await fillAccount(page, 'admin')
    await button(page, 'Create account').click()
    await expectDashboard(page)
  })

  test('pressed twice makes one account', async () => {
    const page = await visit('/signup/individual')
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/signup')) calls.push(request.method())
    })
    await reachAccount(page)
    await fillAccount(page, uniqueWord())
    await button(page, 'Create account').dblclick()
    await expectDashboard(page)
    expect(calls).toEqual(['POST'])
  })

  test('of two who want the same login one wins and the other is told at the field', async () => {
    const login = uniqueWord()
    const pages = [await visit('/signup/individual'), await visit('/signup/individual')]
    for (const page of pages) {
      await reachAccount(page)
      await fillAccount(page, login)
    }
    await Promise.all(pages.map((page) => button(page, 'Create account').click()))
    const isIn = (page: Page) => new URL(page.url()).pathname === '/dashboard'
    await expect.poll(() => pages.filter(isIn).length).toBe(1)
    const loser = pages.find((page) => !isIn(page))
    if (!loser) throw new Error('both have won')
    await expectFieldError(field(loser, 'User name'), 'This user name is not available.')
    await field(loser, 'User name').fill(uniqueWord())
    await button(loser, 'Create account').click()
    await expectDashboard(loser)
  })
})

describe('errors stand at their fields', () => {
  test('who signs up', async () => {
    const page = await visit('/signup/individual')
    await button(page, 'Continue').click()
    await expectFieldError(field(page, 'E-mail address'), 'Please fill in this field.')
    await field(page, 'E-mail address').fill('nonsense')
    await button(page, 'Continue').click()
    await expectFieldError(field(page, 'E-mail address'), 'Please check the format')
    await field(page, 'Last name').fill('a/b')
    await field(page, 'E-mail address').fill('a@localhost')
    await button(page, 'Continue').click()
    await expectFieldError(field(page, 'Last name'), 'This text contains characters that are not allowed.')
    await field(page, 'Last name').fill('')
    await button(page, 'Continue').click()
    await expectFieldError(field(page, 'E-mail address'), 'This e-mail address cannot be used.')
    await toasts(page).getByText('Form validation error').first().waitFor()
  })

  test('the code', async () => {
    const page = await visit('/signup/individual')
    await sendIdentity(page, `${uniqueWord()}@elsewhere.test`)
    await field(page, 'Confirmation code').fill('wrong')
    expect(await field(page, 'Confirmation code').inputValue()).toBe('WRONG')
    await button(page, 'Continue').click()
    const text = 'This confirmation code is wrong or has expired.'
    await expectFieldError(field(page, 'Confirmation code'), text)
  })

  test('the account', async () => {
    const page = await visit('/signup/group')
    await reachAccount(page)
    await fillAccount(page, 'solo')
    const submit = () => button(page, 'Create account').click()
    await field(page, 'Repeat password').fill('something else')
    await submit()
    await expectFieldError(field(page, 'Password'), 'The two entries differ.')
    await fillAccount(page, 'solo', undefined, 'short')
    await submit()
    await expectFieldError(field(page, 'Password'), 'This password does not meet all the rules.')
    await fillAccount(page, 'solo')
    await submit()
    await expectFieldError(field(page, 'User name'), 'This user name is not available.')
    await field(page, 'User name').fill('postmaster')
    await submit()
    await expectFieldError(field(page, 'User name'), 'This entry is already in use.')
    await page.getByRole('checkbox').check()
    await field(page, 'User name').fill(uniqueWord())
    await field(page, 'Domain').first().fill('www')
    await submit()
    await expectFieldError(page.getByRole('textbox', { name: 'Domain' }), 'This domain name is not valid.')
    await page.getByLabel('Voucher code').fill('NOPE')
    await submit()
    await expectFieldError(page.getByLabel('Voucher code'), 'This voucher code is not valid')
  })

  test('the rules of the password follow what is typed', async () => {
    const page = await visit('/signup/individual')
    await reachAccount(page)
    const rules = page.getByRole('list', { name: 'Rules for the password' }).getByRole('listitem')
    await expect.poll(() => rules.allTextContents()).toContain('At least 6 characters, not met')
    await field(page, 'Password').pressSequentially('secret')
    await expect.poll(() => rules.allTextContents()).toContain('At least 6 characters, met')
    await field(page, 'Repeat password').fill('secreT')
    await page.getByText('Not the same yet.').waitFor()
    await page.getByRole('button', { name: 'Show password' }).first().click()
    expect(await field(page, 'Password').getAttribute('type')).toBe('text')
  })
})

describe('moving between the steps', () => {
  test('with the buttons of the browser, and nothing typed is lost', async () => {
    const email = `${uniqueWord()}@elsewhere.test`
    const page = await visit('/signup')
    await button(page, 'Start with Group').click()
    await sendIdentity(page, email)
    await sendCode(page, email)
    await page.getByLabel('User name').fill('kept')
    expect(await page.title()).toBe('Your new account · Gatehouse')
    const current = page.getByRole('list', { name: 'Progress' }).locator('[aria-current=step]')
    expect(await current.textContent()).toContain('Account')

    await page.goBack()
    await title(page, 'Check your mail').waitFor()
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
    await title(page, 'Check your mail').waitFor()
    await page.goForward()
    await account(page).waitFor()
    await expectFocus(page.getByLabel('User name'))
    expect(await page.getByLabel('User name').inputValue()).toBe('kept')
    const entry = await page.evaluate(() => JSON.stringify(window.history.state))
    expect(entry).not.toContain(email)
  })

  test('with our own back button, down to another plan that needs a code of its own', async () => {
    const page = await visit('/signup/individual')
    await reachAccount(page)
    for (const name of ['Check your mail', 'Your details', 'Choose a plan']) {
      await button(page, 'Back').click()
      await title(page, name).waitFor()
    }
    await path(page).toBe('/signup')
    await button(page, 'Start with Group').click()
    await page.getByText('Step 1/3').waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Jo')
    await path(page).toBe('/signup/group')
    await button(page, 'Continue').click()
    await title(page, 'Check your mail').waitFor()
  })

  test('a reload goes on where it can: with the plan, or with the link of the mail', async () => {
    const email = `${uniqueWord()}@elsewhere.test`
    const page = await visit('/signup/group')
    await sendIdentity(page, email)
    await page.reload()
    await identity(page).waitFor()
    await path(page).toBe('/signup/group')
    await page.goto(linkIn(await mailTo(email), '/signup/'))
    await account(page).waitFor()
    await page.reload()
    await account(page).waitFor()
    await button(page, 'Back').click()
    await button(page, 'Back').click()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email)
    expect(await page.getByLabel('First name').inputValue()).toBe('Jo')
  })

  test('a new code after a minute, and the address can be changed', async () => {
    const email = `${uniqueWord()}@elsewhere.test`
    const page = await visit('/signup/individual')
    await page.clock.install()
    await sendIdentity(page, email)
    const first = codeIn(await mailTo(email))
    expect(await page.getByRole('button', { name: /^Send again in \d+ s$/ }).isDisabled()).toBe(true)
    await page.clock.fastForward(61_000)
    await button(page, 'Send again').click()
    await toasts(page).getByText(`A new code is on its way to ${email}.`).waitFor()
    await expect.poll(async () => codeIn(await mailTo(email))).not.toBe(first)
    await sendCode(page, email)
    await button(page, 'Back').click()
    await button(page, 'Change address').click()
    await expectFocus(page.getByLabel('First name'))
  })

  test('leaving asks first when something was typed', async () => {
    const page = await visit('/signup/individual')
    await page.getByLabel('First name').fill('Jo')
    await page.getByRole('link', { name: 'Support' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click()
    expect(await page.getByLabel('First name').inputValue()).toBe('Jo')
  })
})

describe('what a path brings along', () => {
  test('a voucher is noted, outlives a reload and waits in the last step', async () => {
    const page = await visit('/signup/voucher/TEST10')
    await page.getByText('Voucher TEST10 is noted.').waitFor()
    await button(page, 'Start with Individual').click()
    await identity(page).waitFor()
    await page.reload()
    await page.getByText('Voucher TEST10 is noted.').waitFor()
    await reachAccount(page)
    expect(await page.getByLabel('Voucher code').inputValue()).toBe('TEST10')
    await fillAccount(page, uniqueWord())
    await button(page, 'Create account').click()
    await expectDashboard(page)
  })

  test('a referral that is refused can be left out', async () => {
    const page = await visit('/signup/referral/AB23CD45')
    await button(page, 'Start with Individual').click()
    await page.getByLabel('E-mail address').fill(`${uniqueWord()}@elsewhere.test`)
    await button(page, 'Continue').click()
    await toasts(page).getByText('This referral code is not valid.').waitFor()
    await button(page, 'Remove').click()
    await button(page, 'Continue').click()
    await title(page, 'Check your mail').waitFor()
  })

  test('an unknown plan shows those on offer', async () => {
    const page = await visit('/signup/golden_age')
    await page.getByText('There is no plan called “golden_age”.').waitFor()
    await button(page, 'Start with Individual').click()
    await identity(page).waitFor()
  })

  test('a link that is worth nothing leads to a first step that can go on', async () => {
    const page = await visit('/signup/AB23C-doesNotExist')
    await identity(page).waitFor()
    await toasts(page).getByText('Form validation error. This confirmation code is wrong').waitFor()
    await path(page).toBe('/signup')
    await expectFocus(page.getByLabel('Plan'))
    await button(page, 'Continue').click()
    await expectFieldError(page.getByLabel('Plan'), 'Please fill in this field.')
    await page.getByLabel('Plan').selectOption('Group')
    const email = `${uniqueWord()}@elsewhere.test`
    await sendIdentity(page, email)
    await path(page).toBe('/signup/group')
    await sendCode(page, email)
    expect(await page.getByRole('checkbox').count()).toBe(1)
  })

  test('a link that was used already is worth nothing', async () => {
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
    await identity(other).waitFor()
    await other.getByText('This link or code is no longer valid.').waitFor()
    await other.goto(link)
    await identity(other).waitFor()
  })

  test.each(['/signup/plan-2', '/signup/else/where', '/signup/ab23c-code', '/signup/voucher/a/b'])(
    '%s is not found',
    async (unknown) => {
      const page = await visit(unknown)
      await title(page, 'Not found').waitFor()
      await path(page).toBe(unknown)
    },
  )

  test('an invitation that is not there says so', async () => {
    const page = await visit('/signup/invite/0190b0a0')
    await title(page, 'Not found').waitFor()
    await page.getByText('The invitation is unknown').waitFor()
  })
})

describe('other circumstances', () => {
  test('who is signed in gets a note first', async () => {
    const page = await visit('/login')
    await signIn(page, 'solo@example.test')
    await page.goto('/signup/individual')
    await page.getByText('You are signed in as solo@example.test.').waitFor()
    expect(await page.getByLabel('First name').count()).toBe(0)
    await button(page, 'Log out').click()
    await identity(page).waitFor()
    await path(page).toBe('/signup/individual')
  })

  test('the only plan is chosen by itself, and there is no way back to plans', async () => {
    const page = await visit('/login')
    await page.route('**/api/auth/signup/plans', async (route) => {
      const answer = await (await route.fetch()).json()
      await route.fulfill({ json: { ...answer, plans: answer.plans.slice(0, 1) } })
    })
    await page.getByRole('link', { name: 'See plans' }).click()
    await identity(page).waitFor()
    expect(await button(page, 'Back').count()).toBe(0)
    expect(await button(page, 'Change').count()).toBe(0)
  })

  test('plans that do not arrive can be asked for again', async () => {
    const page = await visit('/login', { expectedErrors: ['status of 500'] })
    await page.route('**/api/auth/signup/plans', (route) => route.fulfill({ status: 500 }), { times: 1 })
    await page.getByRole('link', { name: 'See plans' }).click()
    await page.getByText('The data could not be loaded.').waitFor()
    await button(page, 'Retry').click()
    await button(page, 'Start with Group').waitFor()
  })
})

describe.each([
  ['light', 'desktop'],
  ['dark', 'desktop'],
  ['light', 'phone'],
  ['dark', 'phone'],
] as const)('in %s on a %s', (colorScheme, device) => {
  test('axe finds nothing on any step', async () => {
    const viewport = device === 'phone' ? phone : desktop
    const page = await visit('/signup/voucher/TEST10', { colorScheme, viewport, reducedMotion: 'reduce' })
    await button(page, 'Start with Group').waitFor()
    await expectNoFindings(page, 'plans')
    await button(page, 'Start with Group').click()
    await button(page, 'Continue').click()
    await expectFieldError(field(page, 'E-mail address'), 'Please fill in this field.')
    await expectNoFindings(page, 'identity')
    const email = `${uniqueWord()}@elsewhere.test`
    await sendIdentity(page, email)
    await expectNoFindings(page, 'code')
    await sendCode(page, email)
    await page.getByText('At least 6 characters').waitFor()
    await fillAccount(page, 'solo')
    await page.getByRole('checkbox').check()
    await expectNoFindings(page, 'account')
    await page.goto('/signup/golden_age')
    await button(page, 'Start with Group').waitFor()
    await expectNoFindings(page, 'unknown plan')
  })
})

describe.each<[string, SignupWords]>([
  [
    'de-CH',
    {
      plan: 'Mit Einzelperson starten',
      firstName: 'Vorname',
      email: 'E-Mail-Adresse',
      continue: 'Weiter',
      code: 'Bestätigungscode',
      login: 'Benutzername',
      password: 'Passwort',
      again: 'Passwort wiederholen',
      submit: 'Konto erstellen',
    },
  ],
  [
    'fr-CH',
    {
      plan: 'Choisir Individuel',
      firstName: 'Prénom',
      email: 'Adresse e-mail',
      continue: 'Continuer',
      code: 'Code de confirmation',
      login: 'Nom d’utilisateur',
      password: 'Mot de passe',
      again: 'Répéter le mot de passe',
      submit: 'Créer le compte',
    },
  ],
])('in the language of %s', (locale, words) => {
  test('a sign-up speaks it from beginning to end', async () => {
    const login = uniqueWord()
    const email = `${login}@elsewhere.test`
    const page = await visit('/signup', { locale })
    await page.getByRole('button', { name: words.plan }).click()
    await sendIdentity(page, email, words)
    await sendCode(page, email, words)
    await fillAccount(page, login, words)
    await button(page, words.submit).click()
    await page.waitForURL((url) => url.pathname === '/dashboard')
    expect(await page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2))
  })
})
