// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../../i18n/i18n.ts'
import { auth } from '../../../platform/session/auth.ts'
import { remember } from '../../../platform/session/recent.ts'
import { testUser } from '../../../platform/session/user.test-data.ts'
import { renderRouted } from '../../../ui/routed.test-data.tsx'
import { CustomerSearch } from './customer-search.tsx'

const user = testUser([])
const onSearch = vi.fn()

function Screen() {
  return (
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <CustomerSearch user={user} value="" hint="Name" onSearch={onSearch} />
    </QueryClientProvider>
  )
}

const hits = [
  { type: 'user', id: 7, title: 'jane@acme.test', detail: 'Jane Favre' },
  { type: 'domain', id: 8, title: 'acme.test', detail: null },
]

const field = () => screen.getByRole<HTMLInputElement>('combobox')
const options = () => screen.queryAllByRole('option')
/** Index of the active option; -1: the field itself. */
const active = () => {
  const id = field().getAttribute('aria-activedescendant')
  const selected = options().filter((option) => option.getAttribute('aria-selected') === 'true')
  expect(selected.map((option) => option.id)).toEqual(id === null ? [] : [id])
  return options().findIndex((option) => option.id === id)
}

async function open() {
  const { location } = await renderRouted(Screen, '/dashboard')
  return { keys: userEvent.setup(), location }
}

beforeAll(async () => {
  await activateLanguage('en')
  await Promise.all([loadMessages('palette'), loadMessages('customer'), loadMessages('cockpit')])
})
beforeEach(() => {
  localStorage.clear()
  onSearch.mockClear()
  auth.set({ loggedIn: true, user })
  vi.stubGlobal('fetch', async () => Response.json({ list: hits, count: 0, hasMore: false, total: 0 }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('is focused and stays collapsed until something is typed', async () => {
  await open()
  expect(document.activeElement).toBe(field())
  expect(field().getAttribute('aria-expanded')).toBe('false')
  expect(options()).toEqual([])
})

test('arrow keys cycle through the options and the field, and Escape closes the list', async () => {
  const { keys } = await open()
  await keys.keyboard('acm')
  await waitFor(() => expect(options()).toHaveLength(2))
  expect(field().getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id)
  const seen = [active()]
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) {
    await keys.keyboard(`{${key}}`)
    seen.push(active())
  }
  expect(seen).toEqual([-1, 0, 1, -1, 1])
  await keys.keyboard('{Escape}')
  expect(field().getAttribute('aria-expanded')).toBe('false')
  expect(field().value).toBe('acm')
})

test('Enter searches for the text or opens the active option', async () => {
  const { keys, location } = await open()
  await keys.keyboard('acm{Enter}')
  expect(onSearch).toHaveBeenCalledWith('acm')
  await keys.keyboard('e')
  await waitFor(() => expect(options()).toHaveLength(2))
  await keys.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(location()).toContain('/7'))
  expect(onSearch).toHaveBeenCalledTimes(1)
})

test('an arrow key in the empty field offers recently opened objects', async () => {
  remember(user.id, { hit: { type: 'domain', id: 9, title: 'recent.test', detail: null } })
  remember(user.id, { key: 'screen /users' })
  const { keys } = await open()
  await keys.keyboard('{ArrowDown}')
  expect(options().map((option) => option.textContent)).toEqual(['recent.testDomain'])
})
