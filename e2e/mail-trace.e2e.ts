import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { expectNoFindings } from './support/axe.ts'
import { phone, useVisitor } from './support/browser.ts'
import { portal } from './support/portal.ts'
import { uniqueWord } from './support/signup.ts'
import { owner } from './support/users.ts'

const visitor = useVisitor()

const sender = `${uniqueWord('ann')}@elsewhere.test`
const queueId = '4bTk6q2yzXz9'

/** Keeps what policies decided about a message that was delayed, and that the mail server delivered it. */
beforeAll(async () => {
  const client = new pg.Client({ connectionString: portal.databaseUrl })
  await client.connect()
  try {
    const month = new Date().toISOString().slice(0, 7)
    for (const table of ['mail_decisions', 'mail_log_steps']) {
      await client.query(
        `create table if not exists ${table}_${month.replace('-', '_')} partition of ${table}
         for values from ('${month}-01T00:00:00Z') to (date_trunc('month', '${month}-15T00:00:00Z'::timestamptz at time zone 'UTC') at time zone 'UTC' + interval '1 month')`,
      )
    }
    const decide = (seconds: number, reason: string, facts: object, queue: string | null) =>
      client.query(
        `insert into mail_decisions (id, decided_at, policy, reason, direction, wallet_id, object_kind, object_id,
           sender, recipient, client_address, queue_id, message_id, facts)
         select $1, now() - make_interval(secs => $2), 'greylist', $3, 'in', u.wallet_id, 'user', u.id, $4, u.email,
           '192.0.2.7', $5, null, $6 from users u where u.email = $7`,
        [randomUUID(), seconds, reason, sender, queue, JSON.stringify(facts), owner],
      )
    await decide(20, 'greylist.first-contact', { delay: 300 }, null)
    await decide(10, 'greylist.waited', { delay: 300, waited: 320 }, queueId)
    await client.query(
      `insert into mail_log_steps (id, logged_at, server, queue_id, event, recipient, relay, status, response)
       values ($1, now(), 'mx1', $2, 'sent', $3, 'imap[private/lmtp]', '2.0.0', '250 Ok')`,
      [randomUUID(), queueId, owner],
    )
  } finally {
    await client.end()
  }
})

test('an owner finds a delayed message and reads why, with the keyboard', async () => {
  const page = await visitor.visitAs(owner, '/mail')
  await page.getByRole('heading', { level: 1, name: 'Where is my mail?' }).waitFor()
  await page.getByLabel('Sender or recipient').fill(sender)
  const row = page.getByRole('row').filter({ hasText: `${sender} to ${owner}` })
  await row.getByText('Delivered').waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('person')).toBe(sender)
  await row.getByRole('button', { name: `Steps of the message from ${sender}` }).focus()
  await page.keyboard.press('Enter')
  const steps = page.getByRole('list', { name: `Steps of the message from ${sender}` })
  await steps.getByText('Delayed by greylisting because').waitFor()
  await steps.getByText('Code G1').waitFor()
  await steps.getByText('Delivered by mx1.').waitFor()
  expect(await steps.getByRole('listitem').count()).toBe(3)
  await expectNoFindings(page)
})

test('a refusal is explained by its text', async () => {
  const page = await visitor.visitAs(owner, '/mail')
  const field = page.getByRole('textbox', { name: 'Explain a refusal' })
  await field.fill('550 5.7.1 You are not allowed to send to this distribution list [L5]')
  await page.getByText('Refused because this sender may not send to the distribution list.').waitFor()
  await field.fill('Access denied')
  await page.getByText('No code of this server found.').waitFor()
})

test('the page fits a phone', async () => {
  const page = await visitor.visitAs(owner, `/mail?person=${sender}`, { viewport: phone })
  await page.getByRole('button', { name: `Steps of the message from ${sender}` }).click()
  await page.getByText('Delivered by mx1.').waitFor()
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
  expect(isWide).toBe(false)
  await expectNoFindings(page)
})
