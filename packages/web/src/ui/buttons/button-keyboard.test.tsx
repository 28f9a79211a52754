// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { CopyValue } from './copy-value.tsx'

beforeAll(() => activateLanguage('en'))
afterEach(cleanup)

describe.each(['{Enter}', ' '])('keyboard: "%s"', (key) => {
  test('presses a button, which keeps the focus and ignores presses while busy', async () => {
    let finish = () => {}
    const onPress = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
    render(<Button onPress={onPress}>Save</Button>)
    const user = userEvent.setup()
    const button = screen.getByRole('button', { name: 'Save' })
    await user.tab()
    await user.keyboard(key)
    expect([button.getAttribute('aria-busy'), button.getAttribute('aria-disabled')]).toEqual(['true', 'true'])
    await user.keyboard(key)
    expect(onPress).toHaveBeenCalledTimes(1)
    expect(document.activeElement).toBe(button)
    await act(async () => finish())
    await user.keyboard(key)
    expect(onPress).toHaveBeenCalledTimes(2)
  })

  test('expands and collapses a long value', async () => {
    render(<CopyValue text={'x'.repeat(200)} label="Copy the value" />)
    const user = userEvent.setup()
    await user.tab()
    const more = document.activeElement
    const seen = [more?.getAttribute('aria-expanded')]
    for (let time = 0; time < 2; time++) {
      await user.keyboard(key)
      seen.push(more?.getAttribute('aria-expanded'))
    }
    expect(seen).toEqual(['false', 'true', 'false'])
    expect(document.activeElement).toBe(more)
  })

  test('copies and announces it while keeping the focus', async () => {
    render(<CopyButton text="text" label="Copy" copied="Copied" onRefused={() => {}} />)
    const user = userEvent.setup()
    await user.tab()
    await user.keyboard(key)
    expect(screen.getByRole('status').textContent).toBe('Copied')
    expect(document.activeElement).toBe(screen.getByRole('button'))
    expect(await navigator.clipboard.readText()).toBe('text')
  })
})

test('why it cannot be pressed stands beside it', () => {
  render(<Button reason="Choose a plan first.">Create</Button>)
  const button = screen.getByRole('button', { name: 'Create' })
  expect(button).toHaveProperty('disabled', true)
  const described = document.getElementById(button.getAttribute('aria-describedby') ?? '')
  expect(described?.textContent).toBe('Choose a plan first.')
})
