import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { expectNoFindingsInAnyColour } from '../support/axe.ts'
import { desktop, phone, useVisitor } from '../support/browser.ts'
import {
  act,
  addAppOnScreen,
  ageProofs,
  codeField,
  dialog,
  keepCodes,
  openSecurity,
  panel,
  reachSecondStep,
  recoveryCodes,
} from '../support/factors.ts'
import { signIn } from '../support/sign-in.ts'
import { button, title } from '../support/signup.ts'

const { visit } = useVisitor()

/** Simulates a user who must enrol a second factor. */
async function requireEnrolment(page: Page): Promise<void> {
  await page.route('**/api/auth/info*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), mustEnrol: true } })
  })
}

describe.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('on a %s, in light and dark colours', (_, viewport) => {
  test('axe reports no violations on any two-step verification screen', async () => {
    const account = await createAccount()
    const page = await visit('/login', { viewport })
    await expectNoFindingsInAnyColour(page, 'login')
    await signIn(page, account.email, account.password)
    await openSecurity(page)
    await expectNoFindingsInAnyColour(page, 'nothing set up')
    await act(panel(page, 'Passkeys'), 'Add passkey')
    await expectNoFindingsInAnyColour(page, 'new passkey')
    await act(dialog(page), 'Cancel')
    await ageProofs(account.email)
    await act(panel(page, 'Authenticator apps'), 'Add app')
    await dialog(page).getByLabel('Your password').fill(account.password)
    await expectNoFindingsInAnyColour(page, 'step-up')
    await act(dialog(page), 'Confirm')
    await dialog(page)
      .getByRole('img', { name: /^QR code/ })
      .waitFor()
    await expectNoFindingsInAnyColour(page, 'scan')
    const app = await addAppOnScreen(page)
    await recoveryCodes(dialog(page)).first().waitFor()
    await expectNoFindingsInAnyColour(page, 'recovery codes')
    await keepCodes(page)
    await page.getByRole('button', { name: /^Remove / }).waitFor()
    await expectNoFindingsInAnyColour(page, 'an app set up')
    await page.getByRole('button', { name: /^Remove / }).click()
    await expectNoFindingsInAnyColour(page, 'removal')
    await act(dialog(page), 'Cancel')
    await page.goto('/policies?tab=factor')
    await page.getByRole('radio', { name: /^Everyone/ }).check()
    await expectNoFindingsInAnyColour(page, 'policy')
    await page.getByRole('radio', { name: /^Only people who set it up/ }).check()

    await page.goto('/logout')
    await title(page, 'Sign in').waitFor()
    await reachSecondStep(page, account)
    await expectNoFindingsInAnyColour(page, 'second step')
    await codeField(page).fill(app.next())
    await button(page, 'Confirm').click()
    await page.waitForURL((url) => url.pathname === '/dashboard')
    await requireEnrolment(page)
    await page.reload()
    await title(page, 'Set up two-step verification').waitFor()
    await expectNoFindingsInAnyColour(page, 'enrolment')
  })
})

test.each([
  ['de-CH', 'Nur Ihr Passwort schützt dieses Konto', 'App hinzufügen', 'Authenticator-App hinzufügen'],
  [
    'fr-CH',
    'Seul votre mot de passe protège ce compte',
    'Ajouter une application',
    'Ajouter une application d’authentification',
  ],
  [
    'it-CH',
    'Solo la password protegge questo account',
    'Aggiungi un’app',
    'Aggiungi un’app di autenticazione',
  ],
])('in the language of %s', async (locale, state, add, heading) => {
  const account = await createAccount()
  const page = await visit('/security', { locale })
  await page.locator('input[type=email]').fill(account.email)
  await page.locator('input[autocomplete=current-password]').fill(account.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: state }).waitFor()
  await page.getByRole('button', { name: add, exact: true }).click()
  await dialog(page, heading).waitFor()
})
