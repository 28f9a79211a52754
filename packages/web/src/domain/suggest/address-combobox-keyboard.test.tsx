// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { auth } from '../../platform/session/auth.ts'
import { testUser } from '../../platform/session/user.test-data.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { PersonField } from './person-field.tsx'

const people = [
  { id: 1, email: 'ned@acme.test', first_name: 'Ned', last_name: 'Keller' },
  { id: 2, email: 'ned@elsewhere.test', first_name: 'Ned', last_name: 'Moser' },
  { id: 3, email: 'nina@acme.test', first_name: 'Nina', last_name: 'Frei' },
]

/** Mocked account search: finds people whose name or address contains the text. */
async function search(address: string): Promise<Response> {
  const text = new URL(address, 'https://portal.test').searchParams.get('search') ?? ''
  const list = people.filter((one) => Object.values(one).join(' ').toLowerCase().includes(text.toLowerCase()))
  return Response.json({ list, count: list.length, hasMore: false, total: list.length })
}

interface Options {
  domain?: string
  besides?: string[]
  except?: string
}

function Sample({ send, ...sources }: Options & { send: (email: string) => void }) {
  const form = useForm({ initial: { email: '' }, submit: ({ email }) => send(email) })
  return (
    <form {...form.props}>
      <PersonField {...form.field('email')} label="Person" {...sources} />
      <button type="submit">Save</button>
    </form>
  )
}

function setup(options: Options = {}) {
  const send = vi.fn<(email: string) => void>()
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Sample {...options} send={send} />
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), send }
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Person' })
const options = () => screen.findAllByRole('option')
const names = async () => (await options()).map((option) => option.textContent)

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('addresses')
})
beforeEach(() => {
  vi.stubGlobal('fetch', search)
  auth.set({ loggedIn: true, user: testUser(['users']) })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('finds people by name, shows names and addresses, and selects with the arrow keys', async () => {
  const { user, send } = setup()
  await user.type(field(), 'ned')
  expect(await names()).toEqual([
    expect.stringContaining('Ned Keller ned@acme.test'),
    expect.stringContaining('Ned Moser ned@elsewhere.test'),
  ])
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  expect(field().value).toBe('ned@elsewhere.test')
  await user.keyboard('{Enter}')
  expect(send).toHaveBeenCalledWith('ned@elsewhere.test')
})

test('Enter picks the only person with a last name', async () => {
  const { user, send } = setup()
  await user.type(field(), 'frei')
  await options()
  await user.keyboard('{Enter}{Enter}')
  expect(send).toHaveBeenCalledWith('nina@acme.test')
})

test('excludes people of other domains and those already added', async () => {
  const { user } = setup({ domain: 'acme.test', besides: ['NINA@acme.test'] })
  await user.type(field(), 'n')
  expect(await names()).toEqual([expect.stringContaining('ned@acme.test')])
})

test('shows people already chosen as such', async () => {
  const { user } = setup({ besides: ['nina@acme.test'], except: 'ned@acme.test' })
  await user.type(field(), 'nina')
  await screen.findAllByText('Already added.')
  await user.clear(field())
  await user.type(field(), 'keller')
  await screen.findAllByText('No one found. Type a full address.')
})

test('accepts a full address outside the account', async () => {
  const { user, send } = setup()
  await user.type(field(), 'friend@far.test{Enter}')
  expect(send).toHaveBeenCalledWith('friend@far.test')
})

test('reports an unknown name while typing and at the field on submit', async () => {
  const { user, send } = setup()
  await user.type(field(), 'zoe')
  await screen.findAllByText('No one found. Type a full address.')
  await user.keyboard('{Enter}')
  await screen.findByText('Choose a person from the list or type a full address.')
  expect(field().getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(field())
  expect(send).not.toHaveBeenCalled()
  await user.type(field(), '@far.test{Enter}')
  expect(send).toHaveBeenCalledWith('zoe@far.test')
})

test('asks users who may not search the account for a full address', async () => {
  const request = vi.fn(search)
  vi.stubGlobal('fetch', request)
  auth.set({ loggedIn: true, user: testUser([]) })
  const { user } = setup()
  await user.type(field(), 'ned{Enter}')
  await screen.findByText('Type a full address, such as jane@example.org.')
  expect(request).not.toHaveBeenCalled()
})
