import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from './support/axe.ts'
import { useVisitor } from './support/browser.ts'
import { linkIn, mailTo } from './support/mail.ts'
import { portal } from './support/portal.ts'
import { demoPassword, variantUrl } from './support/sign-in.ts'
import { uniqueWord } from './support/signup.ts'
import { makeUser, owner, send } from './support/users.ts'

const { visitAs } = useVisitor()

const reason = 'Asked for on the phone'
const staff = 'admin@example.test'

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const visitCockpit = (path: string) => visitAs(staff, variantUrl(portal.appUrl, 'admin', path))

async function ownerId(): Promise<number> {
  const body = { email: owner, password: demoPassword }
  return (await send<{ id: number }>('/api/auth/login', { body })).id
}

/** The page of the demo account's owner in the cockpit, at a tab. */
async function openOwner(tab: string): Promise<Page> {
  const id = await ownerId()
  const page = await visitCockpit(`/user/${id}?tab=${tab}`)
  await heading(page, owner).waitFor()
  return page
}

/** The form of a new object, from the tab that lists those of the account. */
async function openForm(tab: string, link: string): Promise<Page> {
  const page = await openOwner(tab)
  await page.getByRole('link', { name: link }).click()
  await heading(page, link).waitFor()
  await page.getByText(`In the account of ${owner}`).waitFor()
  return page
}

const aside = (page: Page) => page.getByRole('complementary', { name: 'Price' })

/** The owner sees in the activity of the account who did something to an object, and why. */
async function expectActivity(object: string): Promise<void> {
  const page = await visitAs(owner, '/activity')
  await page.getByRole('row').filter({ hasText: object }).filter({ hasText: staff }).first().waitFor()
}

describe('staff create for a customer', () => {
  test('a domain, which its owner sees and confirms', async () => {
    const page = await openForm('domains', 'New domain')
    const name = `${uniqueWord('staff')}.test`
    await page.getByLabel('Domain', { exact: true }).fill(name)
    await page.getByLabel('Reason').fill(reason)
    await aside(page).waitFor()
    await button(page, 'Add domain').click()
    await heading(page, name).waitFor()
    const own = await visitAs(owner, '/domains')
    await own.getByRole('link', { name }).waitFor()
    await expectActivity(name)
  })
})

test('an admin creates a service user, whose password is shown once', async () => {
  const page = await visitCockpit('/dashboard')
  await button(page, 'New service user').click()
  const form = page.getByRole('dialog', { name: 'New service user' })
  const email = `${uniqueWord('robot')}@example.test`
  await form.getByLabel('E-mail address').fill(email)
  await form.getByLabel('Why').fill(reason)
  await form.getByRole('button', { name: 'Create service user' }).click()
  const shown = page.getByRole('dialog', { name: `${email} can sign in to mail services` })
  await shown.getByText('The password is shown this once').waitFor()
  await expectNoFindings(page, 'service user')
  await shown.getByRole('button', { name: 'Close' }).last().click()
  await shown.waitFor({ state: 'detached' })
})

test('staff list the owners of an account, invite one, and remove the owner that accepted', async () => {
  const { email } = await makeUser('Olga', 'Additional')
  const page = await openOwner('owners')
  const table = page.getByRole('table', { name: 'Owners', exact: true })
  const row = table.getByRole('row', { name: new RegExp(email) })
  await table.getByRole('row', { name: new RegExp(owner) }).waitFor()
  await expectNoFindings(page, 'owners')

  await button(page, 'Invite owner').click()
  const invitation = page.getByRole('dialog', { name: 'Invite an additional owner' })
  await invitation.getByLabel('E-mail address').fill(email)
  await invitation.getByRole('button', { name: 'Send invitation' }).click()
  await invitation.locator('[aria-invalid="true"]').waitFor()
  await invitation.getByLabel('Why').fill(reason)
  await invitation.getByRole('button', { name: 'Send invitation' }).click()
  await invitation.waitFor({ state: 'detached' })
  await row.getByText(/^Invited until/).waitFor()

  const link = await expect
    .poll(async () => (await mailTo(email)).text, { timeout: 30_000 })
    .toContain('/account-offer/')
    .then(async () => linkIn(await mailTo(email), '/account-offer/'))
  const invited = await visitAs(email, link)
  await button(invited, 'Accept').click()
  await invited
    .getByRole('link', { name: /^Wallet/ })
    .first()
    .waitFor()

  await page.reload()
  await row.getByText('Additional owner', { exact: true }).waitFor()
  await row.getByRole('button').click()
  const removal = page.getByRole('dialog')
  await removal.getByLabel('Why').fill(reason)
  await removal.getByRole('button', { name: 'Remove owner' }).click()
  await removal.waitFor({ state: 'detached' })
  await expect.poll(() => row.count()).toBe(0)
  await expectActivity(owner)
})
