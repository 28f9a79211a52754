import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { expect, test } from 'vitest'
import { signIn, strongPassword, variantUrl } from '../support/sign-in.ts'
import { openWebmail, useBrowser } from './support/browser.ts'
import {
  callAs,
  describeSuite,
  jane,
  messageTo,
  newSubject,
  openMailbox,
  owner,
  query,
  sendFromOutside,
  submit,
  suite,
} from './support/suite.ts'

const { visit } = useBrowser()

/** The code in the portal's mail to an address. */
async function codeFor(address: string): Promise<string> {
  const outbox = join(suite().folder, 'portal/outbox')
  const find = async () => {
    for (const name of await readdir(outbox).catch(() => [])) {
      if (!name.endsWith('.eml')) continue
      const mail = await simpleParser(await readFile(join(outbox, name)))
      if (![mail.to].flat().some((to) => to?.text.includes(address))) continue
      return /(?:^|:)\s*([2-9A-HJ-NP-Z]{5,8})\s*$/m.exec(mail.text ?? '')?.[1]
    }
    return undefined
  }
  await expect.poll(find).toBeDefined()
  return (await find()) ?? ''
}

describeSuite('the webmail', () => {
  test('opens the inbox after sign-in to the portal, without another password', async () => {
    const subject = newSubject()
    const from = 'ann@supplier.test'
    expect(await sendFromOutside({ from, to: owner, subject })).toMatch(/^250/)
    await messageTo({ user: owner }, subject)
    const page = await visit('/login')
    await signIn(page, owner)
    await openWebmail(page)
    await page.getByText(subject).first().waitFor()
    await page.context().close()
  })

  test('sends as the user who signed in', async () => {
    const page = await visit('/login')
    await signIn(page, owner)
    await openWebmail(page)
    const subject = newSubject()
    const address = `${suite().webmailUrl}?_task=mail&_action=compose&_to=${owner}&_subject=${subject}`
    await page.goto(address)
    await page.locator('#composebody').fill('Written in the webmail')
    await page.locator('.send:visible').first().click()
    expect(await messageTo({ user: owner }, subject)).toContain('Written in the webmail')
    await page.context().close()
  })
})

describeSuite('the webmail of another user', () => {
  /** Delivers a message to Jane, and returns its subject. */
  async function mailForJane(): Promise<string> {
    const subject = newSubject()
    expect(await submit({ user: owner }, { from: owner, to: jane, subject })).toMatch(/^250/)
    await messageTo({ user: jane }, subject)
    return subject
  }

  async function idOf(email: string): Promise<string> {
    const { list } = await callAs<{ list: { id: number }[] }>(owner, 'GET', `/api/v4/users?search=${email}`)
    return String(list[0]?.id)
  }

  /** Who has opened a user's webmail, most recent first. */
  const openings = async (email: string) => {
    const rows = await query<{ who: string }>(
      `select coalesce(e.staff_email, e.actor_email) as who from event_log e join users u on u.id = e.object_id
       where e.object_type = 'user' and e.event = 'user.webmail-opened' and u.email = $1
       order by e.created_at desc`,
      [email],
    )
    return rows.map(({ who }) => who)
  }

  test('opens for staff who have given a reason, which is recorded', async () => {
    const subject = await mailForJane()
    const page = await visit('/login')
    await page.goto(variantUrl(suite().portalUrl, 'admin', '/login'))
    await signIn(page, 'admin@example.test')
    await page.goto(variantUrl(suite().portalUrl, 'admin', `/user/${await idOf(jane)}`))
    await page.getByRole('button', { name: 'Sign in as…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Why').fill('Ticket 12: a message is missing')
    await dialog.getByRole('button', { name: 'Start session' }).click()
    const link = dialog.getByRole('link', { name: /^Open as/ })
    const [portal] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await portal.getByRole('complementary', { name: 'Support session' }).waitFor()
    await portal.goto('/dashboard')
    await openWebmail(portal)
    await portal.getByText(subject).first().waitFor()
    expect((await openings(jane))[0]).toBe('admin@example.test')
  })
})

describeSuite('signing up in the browser', () => {
  test('creates a mailbox that receives mail and that the webmail shows', async () => {
    const login = `new${newSubject().slice('subject-'.length)}`
    const external = `${login}@elsewhere.test`
    const page = await visit('/signup/individual')
    await page.getByLabel('First name').fill('Jo')
    await page.getByLabel('E-mail address').fill(external)
    const button = (name: string) => page.locator('main').getByRole('button', { name, exact: true })
    await button('Continue').click()
    await page.getByLabel('Confirmation code').fill(await codeFor(external))
    await button('Continue').click()
    await page.getByLabel('Username').fill(login)
    await page.getByLabel('Password', { exact: true }).fill(strongPassword)
    await page.getByLabel('Confirm password').fill(strongPassword)
    await button('Create account').click()
    await page.waitForURL((url) => url.pathname === '/dashboard')

    const user = { user: `${login}@example.test`, password: strongPassword }
    // the portal refuses sign-in until the mailbox exists, and puts off clients that try too often
    const isReady = () => query('select from users where email = $1 and status & 32 <> 0', [user.user])
    await expect.poll(isReady, { timeout: 60_000, interval: 500 }).toHaveLength(1)
    await using mailbox = await openMailbox(user)
    expect(await mailbox.send('LIST "" "*"')).toMatch(/\\Sent.* "?Sent"?/)
    const subject = newSubject()
    expect(await submit({ user: owner }, { from: owner, to: user.user, subject })).toMatch(/^250/)
    await messageTo(user, subject)
    await page.reload()
    await openWebmail(page)
    await page.getByText(subject).first().waitFor()
    await page.context().close()
  })
})
