// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../../i18n/i18n.ts'
import { QueryScope, queryClient } from '../../../platform/api/query.tsx'
import { auth } from '../../../platform/session/auth.ts'
import { testUser } from '../../../platform/session/user.test-data.ts'
import { renderRouted } from '../../../ui/routed.test-data.tsx'
import { testDetail } from '../user.test-data.ts'
import { Delegates } from './delegates.tsx'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('usersettings')
})
beforeEach(() => {
  auth.set({ loggedIn: true, user: testUser() })
  vi.stubGlobal('fetch', async () => Response.json({ list: [], count: 0 }))
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

const show = (canDelegate: boolean) => {
  const user = testDetail({ canDelegate })
  return renderRouted(
    () => (
      <QueryScope>
        <Delegates user={user} />
      </QueryScope>
    ),
    '/settings?tab=delegation&add=1',
  )
}

test('a link opens the dialog, and closing it removes the request from the URL', async () => {
  const { location } = await show(true)
  const person = await screen.findByRole('combobox', { name: 'Person' })
  await waitFor(() => expect(document.activeElement).toBe(person))
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(location()).toBe('/settings?tab=delegation'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a link opens nothing for readers who may not add delegates', async () => {
  await show(false)
  await screen.findByText('You have no delegates')
  expect(screen.queryByRole('dialog')).toBeNull()
})
