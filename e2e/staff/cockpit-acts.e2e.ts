import { userStatus } from '@gatehouse/contract/status'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { expectNoFindings } from '../support/axe.ts'
import { useVisitor } from '../support/browser.ts'
import { linkIn, mailTo } from '../support/mail.ts'
import { portal } from '../support/portal.ts'
import { demoPassword, signIn, variantUrl } from '../support/sign-in.ts'
import { makeUser, owner, ownerToken, send } from '../support/users.ts'

const { visit, visitAs } = useVisitor()

async function visitCockpit(path: string): Promise<Page> {
  const page = await visit(variantUrl(portal.appUrl, 'admin', '/login'))
  await signIn(page, 'admin@example.test')
  await page.goto(variantUrl(portal.appUrl, 'admin', path))
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const main = (page: Page) => page.locator('main')
const notice = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)
const rows = (page: Page, name: string) =>
  main(page).getByRole('table', { name, exact: true }).locator('tbody tr:not(.data-detail)')

/** For what the API can't create or return: a failed job, a user's factor. Returns the rows. */
async function inDatabase(statement: string, values: readonly unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: portal.databaseUrl })
  await client.connect()
  try {
    return (await client.query(statement, [...values])).rows
  } finally {
    await client.end()
  }
}

describe("the account's consent to staff access", () => {
  test('is withdrawn by the owner, and staff are refused with that reason', async () => {
    const page = await visit('/login')
    await signIn(page, owner)
    await page.goto('/policies?tab=staff')
    const choice = page.getByLabel('Support staff can sign in as users of the account')
    await page.getByText('In effect: allowed (provider default)').waitFor()
    await expectNoFindings(page, 'staff access')
    await choice.selectOption('Don’t allow')
    await main(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('In effect: not allowed (your choice)').waitFor()

    const jane = await send<{ list: { id: number }[] }>('/api/v4/users?search=jane', {
      token: await ownerToken(),
    })
    const cockpit = await visitCockpit(`/user/${jane.list[0]?.id}`)
    await main(cockpit).getByText('not allowed by the account').first().waitFor()
    expect(await cockpit.getByRole('button', { name: 'Sign in as…' }).count()).toBe(0)
    const { access_token: token } = await send<{ access_token: string }>('/api/auth/login', {
      body: { email: 'admin@example.test', password: demoPassword },
    })
    const refused = await cockpit.evaluate(
      async ([path, bearer]) => {
        const response = await fetch(path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` },
          body: JSON.stringify({ reason: 'Asked for help' }),
        })
        return { status: response.status, body: await response.json() }
      },
      [`/api/v4/users/${jane.list[0]?.id}/login-as`, token] as const,
    )
    expect(refused).toMatchObject({
      status: 403,
      body: { message: 'This account doesn’t allow support staff to sign in as its users.' },
    })

    await choice.selectOption('')
    await main(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('In effect: allowed (provider default)').waitFor()
    await cockpit.reload()
    await cockpit.getByRole('button', { name: 'Sign in as…' }).waitFor()
  })
})

describe('a customer', () => {
  test('who lost the second factor and is abroad gets access again', async () => {
    const { id } = await makeUser('Lost', 'Phone')
    await inDatabase(
      `insert into second_factors (id, user_id, kind, label, secret, algorithm, digits, period, active, created_at)
       values (gen_random_uuid(), $1, 'totp', 'phone', 'sealed', 'SHA1', 6, 30, true, now())`,
      [id],
    )
    await inDatabase(`insert into user_settings (user_id, key, value) values ($1, 'limit_geo', '["CH"]')`, [
      id,
    ])
    const page = await visitCockpit(`/user/${id}?tab=subscriptions`)
    const dialog = page.getByRole('dialog')
    for (const [tab, button, confirm] of [
      ['Subscriptions', 'Reset two-step verification…', 'Reset'],
      ['Settings', 'Remove country restriction…', 'Remove restriction'],
    ] as const) {
      await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
      await page.getByRole('button', { name: button }).click()
      await dialog.getByLabel(/^Comment/).fill('Called from the known number')
      await dialog.getByRole('button', { name: confirm, exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => page.getByRole('button', { name: button }).count()).toBe(0)
    }
    await page.getByRole('tab', { name: 'History' }).click()
    await expect.poll(() => page.getByText('Called from the known number').count()).toBe(2)
  })

  test('is sent a password link at the external address, but not at one that staff have just set', async () => {
    const { email, external } = await createAccount()
    const page = await visitCockpit(`/dashboard?search=${email}`)
    await page.waitForURL('**/user/*')
    await page.getByRole('button', { name: 'Send password link…' }).click()
    const dialog = page.getByRole('dialog', { name: `Send ${email} a password link?` })
    await dialog.getByText(external).waitFor()
    await expectNoFindings(page, 'password link')
    await dialog.getByRole('button', { name: 'Send link' }).click()
    await dialog.locator('[aria-invalid="true"]').waitFor()
    await dialog.getByLabel('Why').fill('Called from the known number')
    await dialog.getByRole('button', { name: 'Send link' }).click()
    await dialog.waitFor({ state: 'detached' })
    await notice(page, 'A link to choose a new password has been sent').waitFor()
    await expect.poll(async () => (await mailTo(external)).text).toContain('/password-reset/')
    const theirs = await visit(linkIn(await mailTo(external), '/password-reset/'))
    await theirs.getByLabel('Confirm password').waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('tabpanel').getByText('Password link sent by support staff').first().waitFor()
    expect(await main(page).innerText()).not.toContain('/password-reset/')

    await page.getByRole('button', { name: 'Edit external e-mail' }).click()
    const edit = page.getByRole('dialog', { name: `External e-mail of ${email}` })
    await edit.getByLabel('External e-mail').fill('new@elsewhere.test')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.waitFor({ state: 'detached' })
    await main(page)
      .getByText(/^No password links until /)
      .waitFor()
    expect(await page.getByRole('button', { name: 'Send password link…' }).count()).toBe(0)
    await expectNoFindings(page, 'held address')
  })

  test('is signed out everywhere, and the history shows the actor and the reason', async () => {
    const { id, email } = await makeUser('Stolen', 'Laptop')
    const theirs = await visitAs(email, '/dashboard')
    const page = await visitCockpit(`/user/${id}`)
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    const dialog = page.getByRole('dialog', { name: new RegExp(email) })
    await dialog.getByLabel(/^Comment/).fill('Reported the laptop as stolen')
    await expectNoFindings(page, 'log out everywhere')
    await dialog.getByRole('button', { name: 'Sign out', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'History' }).click()
    const entry = page.getByRole('tabpanel').getByText('Reported the laptop as stolen')
    await entry.waitFor()
    await page.getByRole('tabpanel').getByText('Signed out everywhere').first().waitFor()
    await page.getByRole('tabpanel').getByText('admin@example.test').first().waitFor()
    await theirs.goto('/settings')
    await theirs.waitForURL('**/login')
  })

  test('who was deleted is restored, with the reason in the history', async () => {
    const { id, email } = await makeUser('Gone', 'Again')
    const response = await fetch(new URL(`/api/v4/users/${id}`, portal.appUrl), {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${await ownerToken()}` },
    })
    expect(response.status).toBe(200)
    const page = await visitCockpit(`/user/${id}`)
    await page.getByRole('button', { name: 'Restore…' }).click()
    const dialog = page.getByRole('dialog', { name: new RegExp(email) })
    await dialog.getByLabel(/Comment/).fill('Deleted by mistake')
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('Deleted by mistake').waitFor()
  })

  test('that was deleted comes back from the toast', async () => {
    const { id, email } = await makeUser('Back', 'Again')
    const page = await visitCockpit(`/user/${id}`)
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: `Delete ${email}?` })
    await dialog.getByLabel('Reason').fill('Too fast')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete permanently…' }).waitFor()
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Delete…', exact: true }).waitFor()
  })

  test('is deleted with a reason, and erased once the address is entered again', async () => {
    const { id, email } = await makeUser('Spam', 'Sender')
    const page = await visitCockpit(`/user/${id}`)
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: new RegExp(email) })
    await expectNoFindings(page, 'deleting a user')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.locator('[aria-invalid="true"]').waitFor()
    await dialog.getByLabel('Reason').fill('Sends spam since Monday')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await notice(page, 'Deleted.').waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('Sends spam since Monday').waitFor()

    // a job removes the mailbox
    await expect
      .poll(() =>
        inDatabase('select from users where id = $1 and status & $2 <> 0', [id, userStatus.deleted]),
      )
      .toHaveLength(1)
    await page.getByRole('button', { name: 'Delete permanently…' }).click()
    await dialog.getByLabel('Reason').fill('Asked to be forgotten')
    await dialog.getByLabel(`Enter ${email} to confirm`).fill(email)
    await expectNoFindings(page, 'erasing a user')
    await dialog.getByRole('button', { name: 'Delete permanently', exact: true }).click()
    await page.waitForURL('**/dashboard')
    await notice(page, 'Erased.').waitFor()
    expect(await inDatabase('select from users where email = $1', [email])).toEqual([])
  })
})

describe('a failed job', () => {
  const add = (name: string) =>
    inDatabase(
      `select graphile_worker.add_job($1, '{}'::json, max_attempts => 1, run_at => now() + interval '1 day')`,
      [name],
    )

  test('is retried, and discarded after a confirmation with its name', async () => {
    await add('nobody:again')
    await add('nobody:never')
    const page = await visitCockpit('/operations?tab=jobs&search=nobody')
    const row = (name: string) => rows(page, 'Jobs').filter({ hasText: name })
    await row('nobody:never')
      .getByRole('button', { name: /Discard/ })
      .click()
    const dialog = page.getByRole('dialog', { name: /nobody:never/ })
    await expectNoFindings(page, 'discarding')
    await dialog.getByRole('button', { name: 'Discard job' }).click()
    await expect.poll(() => row('nobody:never').count()).toBe(0)
    await row('nobody:again').getByRole('button', { name: 'Retry nobody:again now' }).click()
    await notice(page, 'Success').first().waitFor()
  })
})

describe('a tenant limit', () => {
  test('is set by an administrator, and the next order beyond it is rejected at its field', async () => {
    const page = await visitCockpit('/tenant/0?tab=settings')
    const limits = page.getByRole('region', { name: 'Limits', exact: true })
    await limits.getByLabel(/Users/).fill('1')
    await main(page).getByRole('button', { name: 'Save' }).click()
    await notice(page, 'Success').first().waitFor()
    await expect(makeUser('Too', 'Many')).rejects.toThrow(/Your provider has reached its user limit/)
    await limits.getByLabel(/Users/).fill('')
    await main(page).getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() =>
        makeUser('Fits', 'In').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
  })
})

describe('an admin on the users’ host', () => {
  test("has a user's menu and no access to customers", async () => {
    const { id } = await makeUser('Not', 'Theirs')
    const page = await visitAs('admin@example.test', '/dashboard')
    await page.getByRole('link', { name: 'Sign out' }).first().waitFor({ state: 'attached' })
    expect(await page.getByRole('link', { name: 'Approvals' }).count()).toBe(0)
    await page.goto(`/user/${id}`)
    await page.getByText('Access denied').first().waitFor()
    await expectNoFindings(page, 'a customer on the users’ host')
  })
})
