import { expect, test } from 'vitest'
import { decide } from '../support/sandbox.ts'
import { signIn } from '../support/sign-in.ts'
import { useBrowser } from './support/browser.ts'
import { calendarsOf, propfind } from './support/dav.ts'
import { hasMailbox, newPerson } from './support/people.ts'
import {
  callAs,
  describeSuite,
  jane,
  messageTo,
  newSubject,
  openMailbox,
  owner,
  query,
  submit,
  suiteCommand,
} from './support/suite.ts'

const { visit } = useBrowser()

/** Owner of the demo's account that has been in debt for 20 days. */
const debtor = 'degraded@example.test'

describeSuite('a degraded account', () => {
  test('reads mail and calendars, but sends nothing before it has paid, and opens no files', async () => {
    const subject = newSubject()
    expect(await submit({ user: owner }, { from: owner, to: debtor, subject })).toMatch(/^250/)
    await messageTo({ user: debtor }, subject)
    expect(await propfind(calendarsOf(debtor), { user: debtor })).toBe(207)
    expect(await propfind(`/dav/drive/user/${debtor}/`, { user: debtor })).toBe(403)

    const held = newSubject()
    expect(await submit({ user: debtor }, { from: debtor, to: jane, subject: held })).toMatch(/^250/)
    const reasons = await query(
      `select from held_messages h join users u on u.id = h.user_id
       where u.email = $1 and reason = 'rate.degraded' and decision is null`,
      [debtor],
    )
    expect(reasons).toHaveLength(1)
  })
})

describeSuite('an account that is suspended because it owes money', () => {
  test('neither signs in nor sends, and is back within 5 seconds after a payment by card', async () => {
    await suiteCommand('command', 'user:suspend', debtor, 'unpaid')
    await expect(openMailbox({ user: debtor })).rejects.toThrow('LOGIN')
    const message = { from: debtor, to: jane, subject: newSubject() }
    expect(await submit({ user: debtor }, message)).toContain('535')

    const page = await visit('/login')
    await signIn(page, debtor)
    await page.goto('/wallet')
    const main = page.locator('main')
    await main.getByRole('button', { name: 'Top up' }).first().click()
    await page.getByLabel(/^Amount/).fill('500')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await decide(page, 'Pay')
    const sent = () => submit({ user: debtor }, message)
    await expect.poll(sent, { timeout: 5000, interval: 250 }).toMatch(/^250/)
    await messageTo({ user: jane }, message.subject)
    await using mailbox = await openMailbox({ user: debtor })
    expect(await mailbox.send('SELECT INBOX')).toContain('EXISTS')
  })
})

describeSuite('a user who is deleted and restored in the portal', () => {
  test('has the mail of before', async () => {
    const person = await newPerson()
    const subject = newSubject()
    expect(await submit({ user: owner }, { from: owner, to: person.user, subject })).toMatch(/^250/)
    await messageTo(person, subject)
    await callAs(owner, 'DELETE', `/api/v4/users/${person.id}`)
    await expect(openMailbox(person)).rejects.toThrow('LOGIN')
    const isRemoved = () => query('select from users where id = $1 and status & 8 <> 0', [person.id])
    await expect.poll(isRemoved, { timeout: 30_000, interval: 200 }).toHaveLength(1)

    const page = await visit('/login')
    await signIn(page, owner)
    await page.goto('/users?status=deleted')
    const row = page.locator('main').getByRole('row').filter({ hasText: person.user })
    await row.getByRole('button', { name: 'Restore' }).click()
    await hasMailbox(person.user)
    await messageTo(person, subject)
    const after = newSubject()
    expect(await submit({ user: owner }, { from: owner, to: person.user, subject: after })).toMatch(/^250/)
    await messageTo(person, after)
  })
})
