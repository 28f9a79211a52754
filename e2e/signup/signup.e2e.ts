import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindingsInAnyColour } from '../support/axe.ts'
import { desktop, phone, useVisitor } from '../support/browser.ts'
import { linkIn, mailTo } from '../support/mail.ts'
import { signIn } from '../support/sign-in.ts'
import {
  button,
  expectDashboard,
  expectFieldError,
  field,
  fillAccount,
  reachAccount,
  type SignupWords,
  sendCode,
  sendIdentity,
  title,
  uniqueWord,
} from '../support/signup.ts'

const { visit } = useVisitor()

const path = (page: Page) => expect.poll(() => new URL(page.url()).pathname)
const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })
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
    await page.getByText('Step 3 of 3').waitFor()
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

  test('with a custom domain: ticking empties the field, unticking brings the selection back', async () => {
    const page = await visit('/signup/group')
    await reachAccount(page)
    const own = page.getByRole('checkbox', { name: 'Use my own domain' })
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

  test('a double click creates one account', async () => {
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

  test('two people who want the same login: one gets it, the other sees an error at the field', async () => {
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
    await expectFieldError(field(loser, 'Username'), 'This username isn’t available.')
    await field(loser, 'Username').fill(uniqueWord())
    await button(loser, 'Create account').click()
    await expectDashboard(loser)
  })
})

describe('errors are shown at their fields', () => {
  test('for the personal data', async () => {
    const page = await visit('/signup/individual')
    await button(page, 'Continue').click()
    await expectFieldError(field(page, 'E-mail address'), 'Fill in this field.')
    await field(page, 'E-mail address').fill('nonsense')
    await button(page, 'Continue').click()
    await expectFieldError(field(page, 'E-mail address'), 'Check the format')
    await field(page, 'Last name').fill('a/b')
    await field(page, 'E-mail address').fill('a@localhost')
    await button(page, 'Continue').click()
    await expectFieldError(field(page, 'Last name'), 'This text contains characters that aren’t allowed.')
    await field(page, 'Last name').fill('')
    await button(page, 'Continue').click()
    await expectFieldError(field(page, 'E-mail address'), 'This e-mail address can’t be used.')
    await toasts(page).getByText('Form validation error').first().waitFor()
  })

  test('for the code', async () => {
    const page = await visit('/signup/individual')
    await sendIdentity(page, `${uniqueWord()}@elsewhere.test`)
    await field(page, 'Confirmation code').fill('wrong')
    expect(await field(page, 'Confirmation code').inputValue()).toBe('WRONG')
    await button(page, 'Continue').click()
    const text = 'This confirmation code is wrong or has expired.'
    await expectFieldError(field(page, 'Confirmation code'), text)
  })

  test('for the account', async () => {
    const page = await visit('/signup/group')
    await reachAccount(page)
    await fillAccount(page, uniqueWord())
    const submit = () => button(page, 'Create account').click()
    await field(page, 'Confirm password').fill('something else')
    await submit()
    await expectFieldError(field(page, 'Confirm password'), 'The two entries don’t match.')
    await fillAccount(page, uniqueWord(), undefined, 'short')
    await submit()
    await expectFieldError(field(page, 'Password'), 'This password doesn’t meet all the rules.')
    await fillAccount(page, 'solo')
    await submit()
    await expectFieldError(field(page, 'Username'), 'This username isn’t available.')
    await field(page, 'Username').fill('postmaster')
    await submit()
    await expectFieldError(field(page, 'Username'), 'This entry is already in use.')
    await page.getByRole('checkbox').check()
    await field(page, 'Username').fill(uniqueWord())
    await field(page, 'Domain').fill('www')
    await submit()
    await expectFieldError(page.getByRole('textbox', { name: 'Domain' }), 'This domain name isn’t valid.')
    await page.getByLabel('Voucher code').fill('NOPE')
    await submit()
    await page.getByText('This voucher code isn’t valid').waitFor()
    await field(page, 'Domain').fill(`${uniqueWord('firm-')}.test`)
    await submit()
    await expectFieldError(page.getByLabel('Voucher code'), 'This voucher code isn’t valid')
  })

  test('password rules update as the user types', async () => {
    const page = await visit('/signup/individual')
    await reachAccount(page)
    const rules = page.getByRole('list', { name: 'Password rules' }).getByRole('listitem')
    await expect.poll(() => rules.allTextContents()).toContain('At least 6 characters, not met')
    await field(page, 'Password').pressSequentially('secret')
    await expect.poll(() => rules.allTextContents()).toContain('At least 6 characters, met')
    await field(page, 'Confirm password').fill('secreT')
    await page.getByText('The passwords don’t match yet.').waitFor()
    await page.getByRole('button', { name: 'Show password' }).first().click()
    expect(await field(page, 'Password').getAttribute('type')).toBe('text')
  })
})

describe.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('on a %s, in light and dark colours', (_, viewport) => {
  test('axe reports no violations on any step', async () => {
    const page = await visit('/signup/voucher/TEST10', { viewport })
    await button(page, 'Start with Group').waitFor()
    await expectNoFindingsInAnyColour(page, 'plans')
    await button(page, 'Start with Group').click()
    await button(page, 'Continue').click()
    await expectFieldError(field(page, 'E-mail address'), 'Fill in this field.')
    await expectNoFindingsInAnyColour(page, 'identity')
    const email = `${uniqueWord()}@elsewhere.test`
    await sendIdentity(page, email)
    await expectNoFindingsInAnyColour(page, 'code')
    await sendCode(page, email)
    await page.getByText('At least 6 characters').waitFor()
    await fillAccount(page, 'solo')
    await page.getByRole('checkbox').check()
    await expectNoFindingsInAnyColour(page, 'account')
    await page.goto('/signup/golden_age')
    await button(page, 'Start with Group').waitFor()
    await expectNoFindingsInAnyColour(page, 'unknown plan')
  })
})

describe.each<[string, SignupWords]>([
  [
    'de-CH',
    {
      plan: 'Mit Einzelperson beginnen',
      firstName: 'Vorname',
      email: 'E-Mail-Adresse',
      continue: 'Weiter',
      code: 'Bestätigungscode',
      login: 'Benutzername',
      password: 'Passwort',
      again: 'Passwort bestätigen',
      submit: 'Konto erstellen',
    },
  ],
  [
    'fr-CH',
    {
      plan: 'Commencer avec Individuel',
      firstName: 'Prénom',
      email: 'Adresse e-mail',
      continue: 'Continuer',
      code: 'Code de confirmation',
      login: 'Nom d’utilisateur',
      password: 'Mot de passe',
      again: 'Confirmer le mot de passe',
      submit: 'Créer le compte',
    },
  ],
])('in the language of %s', (locale, words) => {
  test('a sign-up is translated from beginning to end', async () => {
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
