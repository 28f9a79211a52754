// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { QueryScope, queryClient } from '../../platform/api/query.tsx'
import { renderRouted } from '../../ui/routed.test-data.tsx'
import { AllowedSenders } from './allowed-senders.tsx'

vi.mock('../../platform/session/auth.ts', async (original) => ({
  ...(await original<object>()),
  useUser: () => ({ email: 'jane@acme.test' }),
}))

let list: string[] = []
const sent: unknown[] = []

async function answer(url: string, { body }: { body?: string } = {}): Promise<Response> {
  if (!url.endsWith('/remove')) return Response.json({ list })
  sent.push(JSON.parse(body ?? ''))
  list = []
  return Response.json({ status: 'success', message: 'Done' })
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('mailtrace', 'mailreasons')
})
beforeEach(() => {
  vi.stubGlobal('fetch', answer)
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  sent.length = 0
  vi.unstubAllGlobals()
})

const show = () =>
  renderRouted(() => (
    <QueryScope>
      <p>The page</p>
      <AllowedSenders />
    </QueryScope>
  ))

test('an allowed sender is shown and can be removed', async () => {
  list = ['ann@far.test']
  await show()
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Remove ann@far.test' }))
  expect(sent).toEqual([{ recipient: 'jane@acme.test', sender: 'ann@far.test' }])
  await vi.waitFor(() => expect(screen.queryByRole('list')).toBeNull())
})

test('nothing is shown without allowed senders', async () => {
  list = []
  await show()
  await screen.findByText('The page')
  expect(screen.queryByRole('list')).toBeNull()
})
