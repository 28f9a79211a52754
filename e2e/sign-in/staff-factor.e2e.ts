import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { useVisitor } from '../support/browser.ts'
import { act, addAppOnScreen, codeField, dialog, keepCodes, logOut, withDevice } from '../support/factors.ts'
import { startPortal } from '../support/portal.ts'
import { sendLogin, signIn, variantUrl } from '../support/sign-in.ts'
import { button, title } from '../support/signup.ts'

const { visit } = useVisitor()
const strict = await startPortal({ STAFF_SECOND_FACTOR: 'required' })

const admin = 'admin@example.test'
const reseller = 'reseller@partner.test'

const enrolment = (page: Page) => title(page, 'Set up two-step verification')
const sections = (page: Page) => page.getByRole('navigation', { name: 'Sections' })

describe('a second factor that the installation requires of staff', () => {
  test('is set up by an admin before the cockpit opens, and required from then on', async () => {
    const page = await visit(variantUrl(strict.appUrl, 'admin', '/login'))
    await sendLogin(page, admin)
    await enrolment(page).waitFor()
    await page.getByText(`requires it for ${admin}`).waitFor()
    await expectNoFindings(page)
    // it can't be bypassed
    await page.goto(variantUrl(strict.appUrl, 'admin', '/stats'))
    await enrolment(page).waitFor()
    expect(await sections(page).count()).toBe(0)
    await button(page, 'Add app').click()
    const app = await addAppOnScreen(page)
    await keepCodes(page)
    await sections(page).waitFor()

    await logOut(page)
    await sendLogin(page, admin)
    await page.getByRole('heading', { level: 2, name: 'Two-step verification' }).waitFor()
    await expectNoFindings(page)
    await codeField(page).fill('000000')
    await button(page, 'Confirm').click()
    await page.getByText('This verification code is incorrect.').first().waitFor()
    await codeField(page).fill(app.next())
    await button(page, 'Confirm').click()
    await sections(page).waitFor()
  })

  test("may be a passkey of the cockpit's host, which is sufficient alone", async () => {
    const page = await visit(variantUrl(strict.appUrl, 'reseller', '/login'))
    await withDevice(page)
    await sendLogin(page, reseller)
    await enrolment(page).waitFor()
    await button(page, 'Add passkey').click()
    await act(dialog(page, 'Add a passkey'), 'Create passkey')
    await keepCodes(page)
    await sections(page).waitFor()
    await logOut(page)
    await button(page, 'Sign in with a passkey').click()
    await sections(page).waitFor()
  })

  test('is not required of customers', async () => {
    const page = await visit(new URL('/login', strict.appUrl).href)
    await signIn(page, 'solo@example.test')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard')
  })
})
