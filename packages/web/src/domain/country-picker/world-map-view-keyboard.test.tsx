// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { WorldMapView } from './world-map-view.tsx'

// Rendering hundreds of countries with names and roles is slow outside a real browser.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

/** Without names, countries are shown by code. */
const names: ReadonlyMap<string, string> = new Map()

function Sample() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const toggle = (code: string) => setSelected((before) => new Set(before.has(code) ? [] : [code]))
  return <WorldMapView names={names} selected={selected} here="CH" onToggle={toggle} />
}

const focused = () => document.activeElement?.getAttribute('data-code')
const countries = () => [...screen.getByRole('listbox').querySelectorAll('[role="option"]')]

async function setup() {
  render(<Sample />)
  const user = userEvent.setup()
  await user.tab()
  return user
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('countries')
})
afterEach(cleanup)

describe('keyboard', () => {
  test('Tab focuses one country, and the arrow keys move the tab stop', async () => {
    const user = await setup()
    const stops = () =>
      countries()
        .filter((country) => country.getAttribute('tabindex') === '0')
        .map((country) => country.getAttribute('data-code'))
    expect(screen.getByRole('listbox').getAttribute('aria-multiselectable')).toBe('true')
    expect([focused(), stops()]).toEqual(['CH', ['CH']])
    await user.keyboard('{ArrowUp}')
    expect(focused()).not.toBe('CH')
    expect(stops()).toEqual([focused()])
  })

  test.each(['{Enter}', ' '])('"%s" selects a country and lets it go', async (key) => {
    const user = await setup()
    const states: unknown[] = []
    for (let time = 0; time < 2; time++) {
      await user.keyboard(key)
      states.push(document.activeElement?.getAttribute('aria-selected'))
    }
    expect(states).toEqual(['true', 'false'])
  })

  test('a letter moves to the next country that starts with it', async () => {
    const user = await setup()
    const seen: (string | null | undefined)[] = []
    for (const letter of ['g', 'G', 's']) {
      await user.keyboard(letter)
      seen.push(focused())
    }
    expect(seen.map((code) => code?.charAt(0))).toEqual(['G', 'G', 'S'])
    expect(seen[0]).not.toBe(seen[1])
  })

  test('Alt and an arrow key are left to the browser, which goes back', async () => {
    const user = await setup()
    await user.keyboard('{Alt>}{ArrowLeft}{/Alt}')
    expect(focused()).toBe('CH')
  })
})
