// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { auth } from '../../platform/session/auth.ts'
import { testUser } from '../../platform/session/user.test-data.ts'
import { renderRouted } from '../../ui/routed.test-data.tsx'
import { Palette } from './palette.tsx'

function Screen() {
  const [isOpen, setOpen] = useState(false)
  return (
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && <Palette onClose={() => setOpen(false)} />}
    </QueryClientProvider>
  )
}

async function open() {
  const { location } = await renderRouted(Screen, '/page')
  const user = userEvent.setup()
  screen.getByRole('button', { name: 'Open' }).focus()
  await user.keyboard('{Enter}')
  return { user, location }
}

const field = () => screen.getByRole<HTMLInputElement>('combobox')
const options = () => screen.queryAllByRole('option')
/** Index of the active option, which is the one marked as selected. */
const active = () => {
  const id = field().getAttribute('aria-activedescendant')
  const selected = options().filter((option) => option.getAttribute('aria-selected') === 'true')
  expect(selected.map((option) => option.id)).toEqual(id === null ? [] : [id])
  return options().findIndex((option) => option.id === id)
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('palette')
})
beforeEach(() => {
  localStorage.clear()
  auth.set({ loggedIn: true, user: testUser(['users', 'domains', 'rooms']) })
  vi.stubGlobal('fetch', async () => Response.json({ list: [], count: 0, hasMore: false, total: 0 }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('keyboard', () => {
  test('opens with the focus in a combobox whose first option is active', async () => {
    await open()
    expect(document.activeElement).toBe(field())
    expect(screen.getByRole('dialog').getAttribute('aria-modal')).toBe('true')
    expect(field().getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id)
    expect(field().getAttribute('aria-expanded')).toBe('true')
    expect(active()).toBe(0)
  })

  test('arrow keys wrap, Home and End work while the field is empty, a page is eight options', async () => {
    const { user } = await open()
    const last = options().length - 1
    const seen: unknown[] = []
    for (const key of ['ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'End', 'Home', 'PageDown', 'PageUp']) {
      await user.keyboard(`{${key}}`)
      seen.push(active())
    }
    expect(seen).toEqual([1, 0, last, 0, last, 0, Math.min(8, last), 0])
    expect(document.activeElement).toBe(field())
  })

  test('Enter opens the active option and closes the palette', async () => {
    const { user, location } = await open()
    await user.keyboard('{ArrowDown}{Enter}')
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(location()).not.toBe('/page'))
  })

  test('Escape closes the palette and restores the focus', async () => {
    const { user } = await open()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement?.textContent).toBe('Open')
  })

  test('Tab stays inside and skips the options', async () => {
    const { user } = await open()
    await user.tab()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Close')
    await user.tab()
    expect(document.activeElement).toBe(field())
  })

  test('collapses an empty list', async () => {
    const { user } = await open()
    await user.keyboard('zzzz')
    await waitFor(() => expect(options()).toEqual([]))
    expect(field().getAttribute('aria-expanded')).toBe('false')
    expect(active()).toBe(-1)
  })
})
