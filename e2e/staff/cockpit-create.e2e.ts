import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectNoFindings } from '../support/axe.ts'
import { desktop, phone, useVisitor } from '../support/browser.ts'
import { linkIn, mailTo } from '../support/mail.ts'
import { portal } from '../support/portal.ts'
import { demoPassword, signIn, strongPassword, variantUrl } from '../support/sign-in.ts'
import { uniqueWord } from '../support/signup.ts'
import { makeUser, owner, ownerToken, send } from '../support/users.ts'

const { visit, visitAs } = useVisitor()

const reason = 'Asked for on the phone'
const staff = 'admin@example.test'

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const visitCockpit = (path: string, viewport = desktop) =>
  visitAs(staff, variantUrl(portal.appUrl, 'admin', path), { viewport })

async function ownerId(): Promise<number> {
  const body = { email: owner, password: demoPassword }
  return (await send<{ id: number }>('/api/auth/login', { body })).id
}

/** Opens a tab of the demo account's owner in the cockpit. */
async function openOwner(tab: string): Promise<Page> {
  const id = await ownerId()
  const page = await visitCockpit(`/user/${id}?tab=${tab}`)
  await heading(page, owner).waitFor()
  return page
}

/** Opens the form for a new object from the tab that lists the account's objects. */
async function openForm(tab: string, link: string): Promise<Page> {
  const page = await openOwner(tab)
  await page.getByRole('link', { name: link }).click()
  await heading(page, link.replace('list', 'distribution list')).waitFor()
  await page.getByText(`In the account of ${owner}`).waitFor()
  return page
}

const aside = (page: Page) => page.getByRole('complementary', { name: 'Price' })

/** Expects the owner's activity page to show what support staff did. */
async function expectActivity(what: string): Promise<void> {
  const page = await visitAs(owner, '/activity')
  await page.getByRole('row').filter({ hasText: 'Support staff' }).filter({ hasText: what }).first().waitFor()
}

/** The same check through the API. */
async function expectRecord(object: string, event: string): Promise<void> {
  const { list } = await send<{ list: { object: string; event: string; actor: string; comment: string }[] }>(
    `/api/v4/events?event=${event}`,
    { token: await ownerToken() },
  )
  expect(list.find((one) => one.object === object)).toMatchObject({ actor: staff, comment: reason })
}

describe('staff create on behalf of a customer', () => {
  test('a user, who chooses the first password with the link sent to the owner', async () => {
    const page = await openForm('users', 'New user')
    await button(page, 'Create user').click()
    await page.locator('[aria-invalid="true"]').first().waitFor()
    const local = uniqueWord('created')
    await page.getByLabel('First name').fill('Cleo')
    await page.getByLabel('E-mail address').fill(`${local}@acme.test`)
    await page.getByText(`We send ${owner} a link to set the first password.`).waitFor()
    await aside(page)
      .getByText(/^CHF|CHF$/)
      .first()
      .waitFor()
    await page.getByLabel('Reason').fill(reason)
    await button(page, 'Create user').click()
    const email = `${local}@acme.test`
    await heading(page, email).waitFor()

    const mail = await expect
      .poll(async () => (await mailTo(owner)).text, { timeout: 20_000 })
      .toContain(email)
      .then(() => mailTo(owner))
    const chooser = await visit(linkIn(mail, '/password-reset/'))
    await chooser.getByLabel('Password', { exact: true }).fill(strongPassword)
    await chooser.getByLabel('Confirm password').fill(strongPassword)
    await button(chooser, 'Set password').click()
    await chooser.waitForURL('**/dashboard')
    const later = await visit('/login')
    await signIn(later, email, strongPassword)
    await expectRecord(email, 'user.created')
  })

  test('a domain, which its owner sees and verifies', async () => {
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

  test('a distribution list with recipients in the account only', async () => {
    const page = await openForm('distlists', 'New list')
    const name = uniqueWord('Crew')
    const local = name.toLowerCase()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Address', { exact: true }).fill(local)
    const recipients = page.getByRole('combobox', { name: 'Members: new entry' })
    await recipients.fill('jane@acme.test')
    await recipients.press('Enter')
    await page.getByLabel('Reason').fill(reason)
    await button(page, 'Create list').click()
    await heading(page, name).waitFor()
    const own = await visitAs(owner, '/distlists')
    await own.getByRole('link', { name }).waitFor()
    await expectRecord(`${local}@acme.test`, 'group.created')
  })

  test.each(['user', 'domain', 'distlist', 'resource', 'shared-folder'])(
    'by forms without a finding of axe, on a phone either: %s',
    async (kind) => {
      const page = await visitCockpit(`/user/${await ownerId()}/new/${kind}`, phone)
      await page.getByLabel('Reason').waitFor()
      await expectNoFindings(page, kind)
    },
  )
})

test('staff add and remove a subscription, each after a preview of its price', async () => {
  const { id, email } = await makeUser('Sub', 'Scriber')
  const page = await visitCockpit(`/user/${id}?tab=subscriptions`)
  await heading(page, email).waitFor()
  const change = async (name: string, isOn: boolean) => {
    await page.getByRole('checkbox', { name }).setChecked(isOn)
    await button(page, 'Change subscriptions…').click()
    const dialog = page.getByRole('dialog', { name: `Change the subscriptions of ${email}?` })
    await dialog.getByText('Per month', { exact: true }).waitFor()
    if (isOn) await expectNoFindings(page, 'change of subscriptions')
    await dialog.getByLabel('Why').fill(reason)
    await dialog.getByRole('button', { name: 'Change subscriptions' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('checkbox', { name }).isChecked()).toBe(isOn)
    await expect.poll(() => button(page, 'Change subscriptions…').count()).toBe(0)
  }
  await change('Two-step verification', true)
  await change('Two-step verification', false)
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByText('Subscription added by support staff').waitFor()
  await page.getByText('Subscription removed by support staff').waitFor()
  await expectRecord(email, 'user.sku-removed')
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
  await shown.getByText('This password is shown only once').waitFor()
  await expectNoFindings(page, 'service user')
  await shown.getByRole('button', { name: 'Close' }).last().click()
  await shown.waitFor({ state: 'detached' })
})

test('staff list the owners of an account, invite one, and remove the owner who accepted', async () => {
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
  await expectActivity(`removed ${email} as an additional owner`)
})
