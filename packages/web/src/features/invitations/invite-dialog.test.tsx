// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { QueryScope, queryClient } from '../../platform/api/query.tsx'
import { auth } from '../../platform/session/auth.ts'
import { testUser } from '../../platform/session/user.test-data.ts'
import { renderRouted } from '../../ui/routed.test-data.tsx'
import { InvitationsPage } from './invitations-page.tsx'
import { InviteDialog } from './invite-dialog.tsx'

let count = 2

/** Answers uploads, which use XMLHttpRequest. */
class Upload extends EventTarget {
  readonly upload = {}
  readonly status = 200
  readonly responseText = JSON.stringify({ status: 'success', message: '', count, rows: [] })
  readonly response = this.responseText
  onload?: () => void
  open(): void {}
  setRequestHeader(): void {}
  getAllResponseHeaders(): string {
    return 'content-type: application/json'
  }
  getResponseHeader(): string {
    return 'application/json'
  }
  abort(): void {}
  send(): void {
    queueMicrotask(() => this.onload?.())
  }
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('invitations')
})
beforeEach(() => {
  count = 2
  auth.set({ loggedIn: true, user: testUser() })
  vi.stubGlobal('XMLHttpRequest', Upload)
  vi.stubGlobal('fetch', async () => Response.json({ list: [], count: 0, hasMore: false, total: 0 }))
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

function Page() {
  return (
    <QueryScope>
      <InvitationsPage />
    </QueryScope>
  )
}

function OpenDialog() {
  return (
    <QueryScope>
      <InviteDialog onClose={() => undefined} />
    </QueryScope>
  )
}

const choose = (user: ReturnType<typeof userEvent.setup>) =>
  user.upload(screen.getByLabelText('Drop a file here or choose one'), new File(['a@b.test'], 'people.csv'))

test('a chosen file replaces the fields of one address, until it is discarded', async () => {
  await renderRouted(OpenDialog)
  const user = userEvent.setup()
  await screen.findByLabelText('E-mail address')
  await choose(user)
  await screen.findByRole('button', { name: 'Send 2 invitations' })
  expect(screen.queryByLabelText('E-mail address')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Invite one address instead' }))
  await screen.findByLabelText('E-mail address')
  expect(screen.queryByRole('button', { name: 'Send 2 invitations' })).toBeNull()
})

test('a file without new addresses disables the button and says why', async () => {
  count = 0
  await renderRouted(OpenDialog)
  await screen.findByLabelText('E-mail address')
  await choose(userEvent.setup())
  const reason = await screen.findByText('Choose a file with at least one new address.')
  const send = screen.getByRole<HTMLButtonElement>('button', { name: /^Send/ })
  expect(send.disabled).toBe(true)
  expect(send.getAttribute('aria-describedby')).toBe(reason.id)
})

test('a link opens the dialog, and closing it removes the request from the URL', async () => {
  const { location } = await renderRouted(Page, '/invitations?invite=1')
  await screen.findByRole('dialog', { name: 'Invite people to sign up' })
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(location()).toBe('/invitations'))
  expect(screen.queryByRole('dialog')).toBeNull()
})
