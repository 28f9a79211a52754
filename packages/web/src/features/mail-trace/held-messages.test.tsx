// @vitest-environment happy-dom
import type { HeldMessage } from '@gatehouse/contract/mail/mail-acts'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { QueryScope, queryClient } from '../../platform/api/query.tsx'
import { renderRouted } from '../../ui/routed.test-data.tsx'
import { HeldMessages } from './held-messages.tsx'

let mayDecide = true
vi.mock('../../platform/session/auth.ts', async (original) => ({
  ...(await original<object>()),
  hasPermission: () => mayDecide,
}))

const held: HeldMessage = {
  id: '01890000-0000-7000-8000-000000000001',
  userId: 7,
  sender: 'jane@acme.test',
  recipients: ['ann@elsewhere.test', 'bob@elsewhere.test'],
  recipientCount: 120,
  reason: 'rate.suspected-takeover',
  heldAt: '2026-03-10 12:00:00',
}

let list: HeldMessage[] = []
const asked: string[] = []

async function answer(url: string): Promise<Response> {
  asked.push(url)
  if (!url.endsWith('/held')) {
    list = []
    return Response.json({ status: 'success', message: 'Done' })
  }
  return Response.json({ list })
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('mailtrace', 'mailreasons')
})
beforeEach(() => {
  list = [held]
  mayDecide = true
  vi.stubGlobal('fetch', answer)
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  asked.length = 0
  vi.unstubAllGlobals()
})

const show = () =>
  renderRouted(() => (
    <QueryScope>
      <p>The page</p>
      <HeldMessages />
    </QueryScope>
  ))

test('a held message shows who it is from and to, and can be sent', async () => {
  await show()
  await screen.findByText('jane@acme.test to ann@elsewhere.test and 119 others')
  await userEvent.setup().click(screen.getByRole('button', { name: 'Send' }))
  expect(asked).toContainEqual(expect.stringContaining(`/api/v4/mail/held/${held.id}/release`))
})

test('it is deleted after a confirmation', async () => {
  await show()
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Delete…' }))
  const dialog = screen.getByRole('dialog', { name: 'Delete this message to 120 recipients?' })
  expect(asked).toHaveLength(1)
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(asked).toContainEqual(expect.stringContaining(`/api/v4/mail/held/${held.id}/discard`))
})

test('nothing is shown if nothing is held, or to people who may not decide', async () => {
  list = []
  await show()
  await screen.findByText('The page')
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  expect(screen.queryByRole('list')).toBeNull()
  cleanup()
  mayDecide = false
  asked.length = 0
  await show()
  await screen.findByText('The page')
  expect(asked).toEqual([])
})
