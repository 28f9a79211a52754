import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { desktop, phone, useVisitor } from '../support/browser.ts'
import { mailTo } from '../support/mail.ts'
import { makeUser, owner } from '../support/users.ts'

const { visitAs } = useVisitor()

const tab = '/policies?tab=owners'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const owners = (page: Page) => page.getByRole('table', { name: `Owners of ${owner}’s account` })
const row = (page: Page, email: string) => owners(page).getByRole('row', { name: new RegExp(email) })

async function linkTo(email: string): Promise<string> {
  const link = async () => /\/account-offer\/\w+/.exec((await mailTo(email)).text)?.[0]
  await expect.poll(link, { timeout: 30_000 }).toBeDefined()
  return (await link()) ?? ''
}

async function invite(page: Page, email: string): Promise<void> {
  await button(page, 'Invite owner').click()
  const dialog = page.getByRole('dialog', { name: 'Invite an additional owner' })
  await dialog.getByLabel('E-mail address').fill(email)
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row(page, email)
    .getByText(/^Invited until/)
    .waitFor()
}

describe('the owner of an account', () => {
  test('invites a user, who accepts by e-mail, manages the account, and leaves', async () => {
    const { email } = await makeUser('Cora', 'Owner')
    const page = await visitAs(owner, tab)
    await row(page, owner).getByText('You', { exact: true }).waitFor()
    await invite(page, email)

    const invited = await visitAs(email, await linkTo(email))
    await invited.getByText(`${owner} invites you to become an additional owner`).waitFor()
    await button(invited, 'Accept').click()
    await invited
      .getByRole('link', { name: /^Wallet/ })
      .first()
      .waitFor()
    await invited.goto(new URL(tab, invited.url()).href)
    await row(invited, email).getByText('Additional owner', { exact: true }).waitFor()
    expect(await row(invited, owner).getByRole('button').count()).toBe(0)

    await button(invited, 'Leave account').click()
    await invited
      .getByRole('dialog', { name: `Leave the account of ${owner}?` })
      .getByRole('button', { name: 'Leave account' })
      .click()
    await invited.waitForURL('**/dashboard')
    await expect.poll(() => invited.getByRole('link', { name: /^Wallet/ }).count()).toBe(0)
    await page.reload()
    await row(page, owner).waitFor()
    expect(await row(page, email).count()).toBe(0)
  })

  test("withdraws an invitation, whose link then says that it's no longer valid", async () => {
    const { email } = await makeUser('Otto', 'Over')
    const page = await visitAs(owner, tab)
    await invite(page, email)
    const link = await linkTo(email)
    await button(page, `Withdraw the invitation to ${email}`).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw invitation' }).click()
    await row(page, email).waitFor({ state: 'detached' })
    const late = await visitAs(email, link, { expectedErrors: ['404'] })
    await late.getByText(/^This link has been used or withdrawn, has expired/).waitFor()
  })
})

test('the owners screen passes axe, also on a phone', async () => {
  for (const size of [desktop, phone]) {
    const page = await visitAs(owner, tab, { viewport: size })
    await row(page, owner).waitFor()
    await expectNoFindings(page)
    await button(page, 'Invite owner').click()
    await page.getByRole('dialog').waitFor()
    await expectNoFindings(page)
  }
})

test('an account is transferred to a new owner once both have agreed', async () => {
  const { email } = await makeUser('Nia', 'Next')
  const page = await visitAs(owner, tab)
  await button(page, 'Hand over account').click()
  const dialog = page.getByRole('dialog', { name: 'Hand over the account to a new owner' })
  await dialog.getByLabel('E-mail address').fill(email)
  await dialog.getByRole('button', { name: 'Request confirmation' }).click()
  await row(page, email)
    .getByText(/^New owner, confirmation pending/)
    .waitFor()
  const own = await visitAs(owner, await linkTo(owner))
  await button(own, 'Confirm').click()
  await own.waitForURL('**/dashboard')
  const next = await visitAs(email, await linkTo(email))
  await button(next, 'Take over account').click()
  await next.waitForURL('**/dashboard')
  await next.goto(new URL(tab, next.url()).href)
  const table = next.getByRole('table', { name: `Owners of ${email}’s account` })
  await table
    .getByRole('row', { name: new RegExp(owner) })
    .getByText('Additional owner', { exact: true })
    .waitFor()
  await next.goto(new URL('/wallet', next.url()).href)
  await next.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor()
})
