// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { SuggestInput } from './suggest-input.tsx'

const suggestions = ['jane', 'jim', 'joe'].map((name) => ({ value: `${name}@acme.test`, name }))
/** Suggestions by text; a response may still belong to the previous text. */
const answers: Readonly<Record<string, typeof suggestions>> = {
  x: [],
  jan: suggestions.slice(0, 1),
  joel: suggestions.slice(0, 1),
  'jane@acme.test': suggestions.slice(0, 1),
}
const onKeyDown = vi.fn()
const onEscapeAround = vi.fn()

function Sample() {
  const [value, setValue] = useState('')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: stands in for a dialog around the field
    <div onKeyDown={({ key }) => key === 'Escape' && onEscapeAround()}>
      <SuggestInput
        control={{ id: 'who' }}
        label="Who"
        value={value}
        onValue={setValue}
        suggestions={answers[value] ?? suggestions}
        nothing="Nobody."
        onKeyDown={({ key }) => onKeyDown(key)}
      />
    </div>
  )
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Who' })
const options = () => screen.queryAllByRole('option')
/** Value of the option active for screen readers; must be the one marked as selected. */
const active = () => {
  const marked = options().filter((option) => option.getAttribute('aria-selected') === 'true')
  expect(marked.map(({ id }) => id).join()).toBe(field().getAttribute('aria-activedescendant') ?? '')
  return marked[0]?.querySelector('.suggest-value')?.textContent
}

async function setup(keys: string) {
  render(<Sample />)
  const user = userEvent.setup()
  await user.tab()
  await user.keyboard(keys)
  return user
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('addresses')
})
beforeEach(() => {
  onKeyDown.mockClear()
  onEscapeAround.mockClear()
})
afterEach(cleanup)

describe('keyboard', () => {
  test('typing opens the list without selecting anything', async () => {
    await setup('j')
    expect(field().getAttribute('aria-expanded')).toBe('true')
    expect(field().getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id)
    expect(active()).toBeUndefined()
    expect(document.activeElement).toBe(field())
  })

  test.each([
    ['{ArrowDown}', 'jane@acme.test'],
    ['{ArrowUp}', 'joe@acme.test'],
    ['{ArrowDown}{ArrowDown}', 'jim@acme.test'],
    ['{ArrowDown}{ArrowUp}', 'joe@acme.test'],
    ['{ArrowUp}{ArrowDown}', 'jane@acme.test'],
  ])('%s leads to %s while the focus stays in the field', async (keys, value) => {
    await setup(`j${keys}`)
    expect(active()).toBe(value)
    expect(document.activeElement).toBe(field())
  })

  test('Enter accepts the active suggestion and closes the list', async () => {
    await setup('j{ArrowDown}{Enter}')
    expect(field().value).toBe('jane@acme.test')
    expect([field().getAttribute('aria-expanded'), options().length]).toEqual(['false', 0])
    expect(onKeyDown.mock.calls.flat()).not.toContain('Enter')
  })

  test('Enter without an active suggestion is passed on', async () => {
    await setup('j{Enter}')
    expect(field().value).toBe('j')
    expect(onKeyDown.mock.calls.flat()).toContain('Enter')
  })

  test('Enter accepts the only suggestion that contains the text', async () => {
    await setup('jan{Enter}')
    expect(field().value).toBe('jane@acme.test')
    expect(onKeyDown.mock.calls.flat()).not.toContain('Enter')
  })

  test.each(['joel', 'jane@acme.test'])('Enter takes nobody else for %s', async (text) => {
    await setup(`${text}{Enter}`)
    expect(field().value).toBe(text)
    expect(onKeyDown.mock.calls.flat()).toContain('Enter')
  })

  test('Escape closes the list first, and only then the surrounding dialog', async () => {
    const user = await setup('j{ArrowDown}{Escape}')
    expect([field().value, options().length, onEscapeAround.mock.calls.length]).toEqual(['j', 0, 0])
    await user.keyboard('{Escape}')
    expect(onEscapeAround).toHaveBeenCalledTimes(1)
  })

  test('an arrow key reopens the list', async () => {
    const user = await setup('j{Escape}')
    await user.keyboard('{ArrowDown}')
    expect(active()).toBe('jane@acme.test')
  })

  test('Tab keeps the typed text and closes the list', async () => {
    const user = await setup('j{ArrowDown}')
    await user.tab()
    expect([field().value, options().length]).toEqual(['j', 0])
  })

  test('further typing clears the active suggestion', async () => {
    await setup('j{ArrowDown}i')
    expect(active()).toBeUndefined()
  })

  test('shows a hint instead of an empty list', async () => {
    await setup('x{ArrowDown}')
    expect(screen.getByRole('status').textContent).toBe('Nobody.')
    expect([field().getAttribute('aria-expanded'), field().hasAttribute('aria-controls')]).toEqual([
      'false',
      false,
    ])
  })
})
