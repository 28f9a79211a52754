// @vitest-environment happy-dom
import type { UserDetail } from '@gatehouse/contract/directory/users'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../../i18n/i18n.ts'
import { createStore, useStore } from '../../../state/store.ts'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { SaveScope } from '../../../ui/form/save-scope.tsx'
import { renderRouted } from '../../../ui/routed.test-data.tsx'
import { toastStore } from '../../../ui/toasts/store.ts'
import { testDetail } from '../user.test-data.ts'
import { EditFrame, useUserBar } from './edit-frame.tsx'
import { useUserForm } from './use-user-form.ts'

/** The user on the server; changes based on another revision are rejected. */
let server: UserDetail
let sent: Record<string, unknown>[] = []
/** The user as returned by a query. */
const shown = createStore(testDetail())

function Sample() {
  const user = useStore(shown)
  const edit = useUserForm(user, { isSelf: false })
  useUserBar(user, edit)
  return (
    <EditFrame edit={edit} label="User">
      <TextField {...edit.form.field('first_name')} label="First name" />
      <TextField {...edit.form.field('phone')} label="Phone" />
    </EditFrame>
  )
}

function Screen() {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }))
  return (
    <QueryClientProvider client={client}>
      <SaveScope>
        <Sample />
      </SaveScope>
    </QueryClientProvider>
  )
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('users')
})
beforeEach(() => {
  server = testDetail()
  shown.set(server)
  sent = []
  vi.stubGlobal('fetch', async (_url: string, init: { method: string; body?: string }) => {
    if (init.method !== 'PUT') return Response.json(server)
    const body: Record<string, unknown> = JSON.parse(init.body ?? '{}')
    sent.push(body)
    if (body.revision !== null && body.revision !== server.revision) {
      return Response.json({ status: 'error', message: 'Changed.' }, { status: 409 })
    }
    server = { ...server, settings: { ...server.settings, ...body }, revision: `${server.revision}+` }
    return Response.json({ status: 'success', message: 'Updated.', revision: server.revision })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  toastStore.set([])
})

const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value
const button = (name: string) => screen.getByRole('button', { name })

/** Opens the form and changes the first name, while another user changes the phone number. */
async function collide() {
  await renderRouted(Screen)
  const user = userEvent.setup()
  server = { ...server, settings: { ...server.settings, phone: '+41 1' }, revision: 'r2' }
  await user.clear(screen.getByLabelText('First name'))
  await user.type(screen.getByLabelText('First name'), 'Mine')
  await user.click(button('Save'))
  await screen.findByText('Someone else changed this user while you were editing.')
  return user
}

test('sends only changed fields, with the revision they are based on', async () => {
  await renderRouted(Screen)
  const user = userEvent.setup()
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  await user.type(screen.getByLabelText('Phone'), '+41 2')
  expect(screen.getByText('1 unsaved change')).toBeTruthy()
  await user.click(button('Save'))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull())
  expect(sent).toEqual([{ phone: '+41 2', revision: 'r1' }])
  expect(value('Phone')).toBe('+41 2')
  await user.type(screen.getByLabelText('Phone'), '3')
  await user.click(button('Save'))
  await waitFor(() => expect(sent.at(-1)).toEqual({ phone: '+41 23', revision: 'r1+' }))
})

test('keeps the input on a conflict and reports it without an error', async () => {
  await collide()
  expect(value('First name')).toBe('Mine')
  expect(toastStore.get()).toEqual([])
})

test('reloading applies the input to the newer state', async () => {
  const user = await collide()
  await user.click(button('Reload'))
  await waitFor(() => expect(value('Phone')).toBe('+41 1'))
  expect(value('First name')).toBe('Mine')
  expect(screen.queryByText(/Someone else/)).toBeNull()
  await user.click(button('Save'))
  await waitFor(() => expect(sent.at(-1)).toEqual({ first_name: 'Mine', revision: 'r2' }))
})

test('overwriting saves the input once, and the next change is checked again', async () => {
  const user = await collide()
  await user.click(button('Overwrite'))
  await waitFor(() => expect(sent.at(-1)).toEqual({ first_name: 'Mine', revision: null }))
  await waitFor(() => expect(value('Phone')).toBe('+41 1'))
  await user.type(screen.getByLabelText('Phone'), '9')
  await user.click(button('Save'))
  await waitFor(() => expect(sent.at(-1)).toEqual({ phone: '+41 19', revision: 'r2+' }))
})

test('discarding shows the newer state', async () => {
  const user = await collide()
  await user.click(button('Discard'))
  await waitFor(() => expect(value('First name')).toBe('Ned'))
  expect(value('Phone')).toBe('+41 1')
  expect(screen.queryByText(/Someone else/)).toBeNull()
})

test('shows a newer state at once if the form is pristine, and never over input', async () => {
  await renderRouted(Screen)
  const user = userEvent.setup()
  act(() => shown.set(testDetail({ settings: { first_name: 'Edgar' }, revision: 'r2' })))
  await waitFor(() => expect(value('First name')).toBe('Edgar'))
  await user.type(screen.getByLabelText('Phone'), '7')
  act(() => shown.set(testDetail({ settings: { first_name: 'Edwin' }, revision: 'r3' })))
  await user.click(button('Save'))
  await waitFor(() => expect(sent.at(-1)).toEqual({ phone: '7', revision: 'r2' }))
})
