// @vitest-environment happy-dom
import type { PolicyPreview } from '@gatehouse/contract/policies'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { MailPreview } from './mail-preview.tsx'

beforeAll(async () => {
  await loadMessages('policies')
  await activateLanguage('en')
})

afterEach(cleanup)

type Change = PolicyPreview['changes'][number]

const example = {
  id: '0199a0a0-0000-7000-8000-000000000001',
  at: '2026-03-10 12:00:00',
  sender: 'ann@elsewhere.test',
  recipient: 'jane@acme.test',
  effect: 'more' as const,
}

const change = (facts: Partial<Change> = {}): Change => ({
  policy: 'greylist',
  messages: 240,
  more: 12,
  fewer: 0,
  examples: [example],
  ...facts,
})

const textOf = (one: Change) => {
  render(<MailPreview preview={{ days: 30, changes: [one] }} policy={one.policy} />)
  return screen.getByRole('status').textContent ?? ''
}

test.each<[Partial<Change>, string]>([
  [{}, 'In the last 30 days, 12 more messages of 240 would have been delayed.'],
  [{ more: 1 }, 'In the last 30 days, 1 more message of 240 would have been delayed.'],
  [{ more: 0, fewer: 3 }, 'In the last 30 days, 3 messages of 240 would not have been delayed.'],
  [{ policy: 'external' }, 'In the last 30 days, 12 more messages of 240 would have been marked.'],
  [
    { policy: 'external', fewer: 1 },
    '12 more messages of 240 would have been marked. In the last 30 days, 1 message of 240 would not have been marked.',
  ],
  [{ more: 0, examples: [] }, 'this would have changed nothing (240 messages checked).'],
  [{ messages: 0, more: 0, examples: [] }, 'There’s no mail from the last 30 days to try this on.'],
])('the effect of %o is told as a sentence', (facts, sentence) => {
  expect(textOf(change(facts))).toContain(sentence)
})

test('messages are shown as examples, and bounces as from a server', () => {
  const bounce = { ...example, id: '0199a0a0-0000-7000-8000-000000000002', sender: '' }
  expect(textOf(change({ examples: [example, bounce] }))).toMatch(
    /Show messages.*from ann@elsewhere\.test to jane@acme\.test.*from a server to jane@acme\.test/,
  )
})

test('a policy that is not changed has no preview', () => {
  render(<MailPreview preview={{ days: 30, changes: [change()] }} policy="external" />)
  expect(screen.queryByRole('status')).toBeNull()
})
