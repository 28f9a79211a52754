// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { auth } from '../../platform/session/auth.ts'
import { testUser } from '../../platform/session/user.test-data.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { AddressList } from './address-list.tsx'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('addresses', 'list')
})
beforeEach(() => auth.set({ loggedIn: true, user: testUser(['users', 'distlists']) }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

interface Options {
  initial?: string[]
  send?: (members: string[]) => unknown
}

function Sample({ initial = [], send = () => {} }: Options) {
  const form = useForm({ initial: { members: initial }, submit: ({ members }) => send(members) })
  return (
    <form {...form.props}>
      <AddressList {...form.list('members')} label="Members" suggest />
      <button type="submit">Save</button>
    </form>
  )
}

function setup(options: Options = {}) {
  const send = vi.fn(options.send)
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Sample {...options} send={send} />
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), send }
}

const many = (count: number) => Array.from({ length: count }, (_, number) => `user${number}@b.test`)
const entry = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Members: new entry' })
const rows = () => screen.getAllByLabelText<HTMLInputElement>(/^Members, entry/).map(({ value }) => value)
const save = () => screen.getByRole('button', { name: 'Save' })

test('pasted text becomes one entry per distinct address', async () => {
  const { user, send } = setup({ initial: ['a@b.test'] })
  await user.click(entry())
  await user.paste('A@b.test, c@d.test\ne@f.test')
  expect(rows()).toEqual(['c@d.test', 'e@f.test', 'a@b.test'])
  await screen.findByText('2 addresses added. 1 duplicate skipped.')
  await user.click(save())
  expect(send).toHaveBeenCalledWith(['c@d.test', 'e@f.test', 'a@b.test'])
})

test('a single pasted address can still be edited', async () => {
  const { user } = setup()
  await user.click(entry())
  await user.paste('a@b.test')
  expect(entry().value).toBe('a@b.test')
})

test('of thousands of entries one page is rendered, and the rest can be searched', {
  timeout: 30_000,
}, async () => {
  const { user, send } = setup({ initial: many(5000) })
  expect(rows()).toHaveLength(25)
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  expect(rows()[0]).toBe('user25@b.test')
  await user.type(screen.getByLabelText('Members: search'), 'user4321@')
  expect(rows()).toEqual(['user4321@b.test'])
  await user.click(screen.getByRole('button', { name: 'Remove user4321@b.test' }))
  await screen.findByText('No matching entries.')
  await user.click(save())
  const [sent] = send.mock.calls[0] ?? []
  expect(sent).toHaveLength(4999)
  expect(sent).not.toContain('user4321@b.test')
})

test('an error on a later page opens that page, and stays with its entry until that is changed', async () => {
  const errors = { members: { 60: 'Nobody has this address.' } }
  const refusal = () => Promise.reject(Object.assign(new Error('refused'), { errors }))
  const { user } = setup({ initial: many(80), send: refusal })
  await user.click(save())
  const wrong = await screen.findByLabelText<HTMLInputElement>('Members, entry 61')
  await waitFor(() => expect(document.activeElement).toBe(wrong))
  await user.click(screen.getByRole('button', { name: 'Remove user59@b.test' }))
  expect(screen.getByLabelText('Members, entry 60').getAttribute('aria-invalid')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'Show 1 with an error' }))
  expect(rows()).toEqual(['user60@b.test'])
  await user.type(screen.getByLabelText('Members, entry 60'), 'x')
  expect(screen.queryByText('Nobody has this address.')).toBeNull()
})

test('users and lists are suggested while typing, and can be chosen by keyboard', async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    const list = url.includes('/users')
      ? [{ id: 1, email: 'jane@acme.test', first_name: 'Jane', last_name: 'Favre' }]
      : [{ id: 2, email: 'japan@acme.test', name: 'Travellers' }]
    return Response.json({ list, count: 1, hasMore: false, total: 1 })
  })
  const { user } = setup()
  await user.type(entry(), 'ja')
  await screen.findByRole('option', { name: /japan@acme.test/ })
  await user.keyboard('{ArrowDown}{ArrowDown}')
  const second = screen.getByRole('option', { name: /japan@acme.test/ })
  expect(second.getAttribute('aria-selected')).toBe('true')
  expect(entry().getAttribute('aria-activedescendant')).toBe(second.id)
  await user.keyboard('{Enter}')
  expect(rows()).toEqual(['japan@acme.test'])
  expect(entry().value).toBe('')
  expect(entry().getAttribute('aria-expanded')).toBe('false')
})

test('text that is not an address stays in the field, and nothing is sent', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ list: [], count: 0, hasMore: false, total: 0 }))
  const { user, send } = setup({ initial: ['a@b.test'] })
  await user.type(entry(), 'Ned Keller{Enter}')
  const error = 'Choose a person from the list or type a full address.'
  await screen.findByText(error)
  expect([entry().value, rows()]).toEqual(['Ned Keller', ['a@b.test']])
  await user.click(save())
  expect(send).not.toHaveBeenCalled()
  await user.clear(entry())
  await user.type(entry(), 'ned@b.test{Enter}')
  expect(rows()).toEqual(['ned@b.test', 'a@b.test'])
  await user.click(save())
  expect(send).toHaveBeenCalledWith(['ned@b.test', 'a@b.test'])
})
