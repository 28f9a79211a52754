// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { QueryScope, queryClient } from '../../platform/api/query.tsx'
import { auth } from '../../platform/session/auth.ts'
import { testUser } from '../../platform/session/user.test-data.ts'
import { renderRouted } from '../../ui/routed.test-data.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { testDetail } from './user.test-data.ts'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('users', 'subscriptions')
})
beforeEach(() => {
  auth.set({ loggedIn: true, user: testUser() })
  vi.stubGlobal('fetch', async () =>
    Response.json({ status: 'error', message: 'Not available.' }, { status: 404 }),
  )
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test('says that the address must be typed before one’s own account is deleted', async () => {
  const user = testDetail()
  await renderRouted(() => (
    <QueryScope>
      <DeleteDialog user={user} isSelf onClose={() => undefined} />
    </QueryScope>
  ))
  const reason = await screen.findByText('Type the address to confirm.')
  const remove = screen.getByRole<HTMLButtonElement>('button', { name: 'Close account' })
  expect(remove.disabled).toBe(true)
  expect(remove.getAttribute('aria-describedby')).toBe(reason.id)
  await userEvent.type(screen.getByRole('textbox'), user.email)
  expect(screen.queryByText('Type the address to confirm.')).toBeNull()
})
