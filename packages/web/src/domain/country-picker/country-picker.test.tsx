// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { QueryScope, queryClient } from '../../platform/api/query.tsx'
import { CountryPicker } from './country-picker.tsx'

let countryCode: string

// Rendering hundreds of countries with names and roles is slow outside a real browser.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

beforeAll(async () => {
  await import('./world-map-view.tsx')
  await activateLanguage('en')
  await loadMessages('countries')
})
beforeEach(() => {
  countryCode = 'CH'
  queryClient.clear()
  vi.stubGlobal('fetch', async () =>
    Response.json({ status: 'success', ipAddress: '192.0.2.1', countryCode }),
  )
  document.body.innerHTML = '<div id="app"></div>'
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Sample({ initial, onValue }: { initial: string[]; onValue: (codes: string[]) => void }) {
  const [value, setValue] = useState(initial)
  return (
    <QueryScope>
      <CountryPicker
        id="limit_geo"
        label="Countries"
        value={value}
        onValue={(codes) => {
          setValue(codes)
          onValue(codes)
        }}
      />
    </QueryScope>
  )
}

async function open(initial: string[] = []) {
  const onValue = vi.fn()
  render(<Sample initial={initial} onValue={onValue} />, {
    container: document.getElementById('app') ?? undefined,
  })
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: /^Countries/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Countries' }))
  await dialog.findByRole('listbox', { name: 'World map' }, { timeout: 5000 })
  return { user, dialog, onValue }
}

test('shows the names, or that there is no restriction', async () => {
  render(<Sample initial={['DE', 'AT']} onValue={() => {}} />)
  expect(screen.getByRole('button', { name: 'Countries Austria, Germany' })).toBeTruthy()
  cleanup()
  render(<Sample initial={[]} onValue={() => {}} />)
  expect(screen.getByRole('button', { name: 'Countries No restriction' })).toBeTruthy()
})

test('the detected country is selected and locked, with the reason', async () => {
  const { user, dialog, onValue } = await open()
  const box = await dialog.findByRole('checkbox', { name: /Switzerland/ })
  await waitFor(() => expect(box.hasAttribute('disabled')).toBe(true))
  expect((box as HTMLInputElement).checked).toBe(true)
  expect(dialog.getByText('You’re here now, so it stays selected')).toBeTruthy()
  const onMap = dialog.getByRole('option', { name: /^Switzerland, your location/ })
  await user.click(onMap)
  expect(onMap.getAttribute('aria-selected')).toBe('true')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(onValue).toHaveBeenCalledWith(['CH'])
})

test('countries can be selected on the map by keyboard', async () => {
  const { user, dialog, onValue } = await open()
  const swiss = await dialog.findByRole('option', { name: /^Switzerland, your location/ })
  swiss.focus()
  await user.keyboard('g')
  expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^G/)
  swiss.focus()
  await user.keyboard('{ArrowUp}')
  const chosen = document.activeElement
  expect(chosen).not.toBe(swiss)
  await user.keyboard(' ')
  expect(chosen?.getAttribute('aria-selected')).toBe('true')
  await user.keyboard('{Enter}')
  expect(chosen?.getAttribute('aria-selected')).toBe('false')
  await user.keyboard('{Enter}')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(new Set(onValue.mock.lastCall?.[0])).toEqual(new Set(['CH', chosen?.getAttribute('data-code')]))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the list offers the same: search, checkboxes, whole continents', async () => {
  const { user, dialog, onValue } = await open(['FR'])
  await user.type(dialog.getByLabelText('Search countries'), 'ital')
  await user.click(dialog.getByRole('checkbox', { name: 'Italy' }))
  await user.clear(dialog.getByLabelText('Search countries'))
  expect(dialog.getByRole('option', { name: 'Italy' }).getAttribute('aria-selected')).toBe('true')
  await user.click(dialog.getByRole('button', { name: /^Select all: Antarctica|Select all.*Oceania/ }))
  await user.click(dialog.getByRole('button', { name: /^Deselect all.*Oceania/ }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(onValue).toHaveBeenCalledWith(['CH', 'FR', 'IT'])
})

test('an unknown location is reported and locks nothing', async () => {
  countryCode = ''
  const { user, dialog, onValue } = await open(['CH'])
  expect(await dialog.findByText('Your location is unknown (192.0.2.1).')).toBeTruthy()
  await user.click(dialog.getByRole('option', { name: 'Switzerland' }))
  await user.click(dialog.getByRole('option', { name: 'Austria' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(onValue).toHaveBeenCalledWith(['AT'])
})

test('a restriction can be removed; without one there is no remove button', async () => {
  const { user, dialog, onValue } = await open(['CH', 'DE'])
  await user.click(dialog.getByRole('button', { name: 'Remove restriction' }))
  expect(onValue).toHaveBeenCalledWith([])
  await user.click(screen.getByRole('button', { name: 'Countries No restriction' }))
  expect(screen.queryByRole('button', { name: 'Remove restriction' })).toBeNull()
})
