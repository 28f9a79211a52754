// @vitest-environment happy-dom
import { mailReasons } from '@gatehouse/contract/mail/mail-reasons'
import type { MailStep, TracedMessage } from '@gatehouse/contract/mail/mail-trace'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { QueryScope, queryClient } from '../../platform/api/query.tsx'
import { renderRouted } from '../../ui/routed.test-data.tsx'
import { MailList } from './mail-list.tsx'
import { reasonTexts } from './reason-texts.ts'

const jane = 'jane@acme.test'

const decision = (reason: keyof typeof mailReasons, facts = {}): MailStep => ({
  ...{ kind: 'decision', at: '2026-03-10 12:00:00', recipient: jane, policy: 'greylist', reason },
  ...{ ...mailReasons[reason], client: '192.0.2.7', facts },
})

function message(more: Partial<TracedMessage> = {}): TracedMessage {
  return {
    ...{ id: '01890000-0000-7000-8000-000000000001', direction: 'in', sender: 'ann@elsewhere.test' },
    ...{ recipients: [jane], outcome: 'delayed', messageId: null, queueIds: ['4bTk6q2yzXz9'] },
    ...{ firstAt: '2026-03-10 12:00:00', lastAt: '2026-03-10 12:00:00' },
    steps: [decision('greylist.first-contact', { delay: 300 })],
    ...more,
  }
}

let pages: { list: TracedMessage[]; next: string | null }[] = []
let status = 200
const asked: string[] = []

/** Mocked server following the contract. */
async function answer(url: string): Promise<Response> {
  asked.push(url)
  if (status !== 200) return Response.json({ status: 'error', message: 'Down' }, { status })
  const isSecond = url.includes('after=')
  return Response.json(pages[isSecond ? 1 : 0])
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('mailtrace', 'mailreasons', 'list')
})
beforeEach(() => {
  vi.stubGlobal('fetch', answer)
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  asked.length = 0
  status = 200
  vi.unstubAllGlobals()
})

const show = (userId?: number) =>
  renderRouted(() => (
    <QueryScope>
      <MailList {...(userId !== undefined && { userId })} />
    </QueryScope>
  ))

test('a message opens to its steps in sentences, with facts and code', async () => {
  pages = [{ list: [message()], next: null }]
  await show()
  const row = (await screen.findByText('ann@elsewhere.test to jane@acme.test')).closest('tr')
  expect(row?.textContent).toContain('Delayed')
  const button = screen.getByRole('button', { name: 'Steps of the message from ann@elsewhere.test' })
  expect(button.getAttribute('aria-expanded')).toBe('false')
  await userEvent.setup().click(button)
  const steps = screen.getByRole('list', { name: 'Steps of the message from ann@elsewhere.test' })
  const [step] = within(steps).getAllByRole('listitem')
  expect(step?.textContent).toContain('Delayed by greylisting because this sender hadn’t written')
  expect(step?.textContent).toContain('Delay: 5 minutes · From 192.0.2.7 · Code G1')
  expect(screen.getByText('Queue ID: 4bTk6q2yzXz9')).toBeDefined()
})

test('steps of the log name the server, and a hidden sender its domain', async () => {
  const sent: MailStep = {
    ...{ kind: 'log', at: '2026-03-10 12:00:00', recipient: jane, event: 'sent', server: 'mx1' },
    ...{ client: null, relay: 'imap[private/lmtp]', status: '2.0.0', response: '250 Ok', size: null },
  }
  pages = [
    {
      list: [message({ sender: '~0123456789abcdef@elsewhere.test', outcome: 'delivered', steps: [sent] })],
      next: null,
    },
  ]
  await show()
  await userEvent.setup().click(
    await screen.findByRole('button', {
      name: 'Steps of the message from Hidden address at elsewhere.test',
    }),
  )
  expect(screen.getByText('Delivered by mx1.')).toBeDefined()
  expect(screen.getByText('imap[private/lmtp] · 250 Ok')).toBeDefined()
})

test('older messages are added below', async () => {
  const older = message({ id: '01890000-0000-7000-8000-000000000002', sender: '' })
  pages = [
    { list: [message()], next: '1_01890000-0000-7000-8000-000000000001' },
    { list: [older], next: null },
  ]
  await show()
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Show older messages' }))
  expect(await screen.findByText('Automatic notification to jane@acme.test')).toBeDefined()
  expect(screen.getByText('ann@elsewhere.test to jane@acme.test')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Show older messages' })).toBeNull()
})

test('filters are sent to the server, and can be removed when nothing matches', async () => {
  pages = [{ list: [message()], next: null }]
  await show()
  await screen.findByText('ann@elsewhere.test to jane@acme.test')
  pages = [{ list: [], next: null }]
  const user = userEvent.setup()
  await user.selectOptions(screen.getByLabelText('Direction'), 'Outgoing')
  expect(await screen.findByText('No messages match')).toBeDefined()
  expect(asked.at(-1)).toContain('direction=out')
  pages = [{ list: [message()], next: null }]
  await user.click(screen.getByRole('button', { name: 'Show all' }))
  expect(await screen.findByText('ann@elsewhere.test to jane@acme.test')).toBeDefined()
})

test('an empty list says what it is for', async () => {
  pages = [{ list: [], next: null }]
  await show()
  expect(await screen.findByText('No messages yet')).toBeDefined()
})

test('a failure can be retried', async () => {
  status = 500
  await show()
  const retry = await screen.findByRole('button', { name: 'Try again' })
  status = 200
  pages = [{ list: [message()], next: null }]
  await userEvent.setup().click(retry)
  expect(await screen.findByText('ann@elsewhere.test to jane@acme.test')).toBeDefined()
})

const openSteps = async (userId?: number) => {
  await show(userId)
  const steps = await screen.findByRole('button', { name: /^Steps of the message/ })
  await userEvent.setup().click(steps)
}

test('a delayed message can be let through by its recipient, but not by staff', async () => {
  pages = [{ list: [message()], next: null }]
  await openSteps()
  await userEvent.setup().click(screen.getByRole('button', { name: 'Let through now' }))
  expect(asked.at(-1)).toContain('/api/v4/mail/let-through')
  cleanup()
  queryClient.clear()
  await openSteps(42)
  expect(screen.queryByRole('button', { name: 'Let through now' })).toBeNull()
})

test.each<[string, Partial<TracedMessage>]>([
  ['that was delivered', { outcome: 'delivered' }],
  ['of a hidden sender', { sender: '~5f2c8e0d41b7a936@elsewhere.test' }],
  ['that is a bounce', { sender: '' }],
  ['that is outgoing', { direction: 'out' }],
])('a message %s cannot', async (_what, more) => {
  pages = [{ list: [message(more)], next: null }]
  await openSteps()
  expect(screen.queryByRole('button', { name: 'Let through now' })).toBeNull()
})

test('staff read the mail of a user', async () => {
  pages = [{ list: [], next: null }]
  await show(42)
  await screen.findByText('No messages yet')
  expect(asked[0]).toContain('/api/v4/users/42/mail')
})

test('every reason has its own text', () => {
  expect(Object.keys(reasonTexts)).toEqual(Object.keys(mailReasons))
  const texts = Object.values(reasonTexts)
  expect(new Set(texts).size).toBe(texts.length)
})
