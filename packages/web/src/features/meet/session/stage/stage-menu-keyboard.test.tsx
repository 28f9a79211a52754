// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type MenuItem, StageMenu } from './stage-menu.tsx'

const pressed = vi.fn<(name: string) => void>()
const item = (name: string, more: Partial<MenuItem> = {}): MenuItem => ({
  name,
  label: name,
  onPress: () => pressed(name),
  ...more,
})

const acts = [item('one'), item('off', { reason: 'Not now' }), item('two'), item('three')]
const devices = [
  item('one', { kind: 'choice', checked: false }),
  item('two', { kind: 'choice', checked: true }),
  item('three', { kind: 'switch', checked: false }),
]

function setup(items: readonly MenuItem[]) {
  render(
    <>
      <StageMenu label="Menu" face="Menu" items={items} />
      <button type="button">After</button>
    </>,
  )
  const button = screen.getByRole('button', { name: 'Menu' })
  button.focus()
  return { user: userEvent.setup(), button }
}

const focused = () => document.activeElement?.textContent

beforeEach(() => {
  pressed.mockClear()
})
afterEach(cleanup)

describe.each([
  { kind: 'acts', items: acts, first: 'one' },
  { kind: 'devices', items: devices, first: 'two' },
])('keyboard: a menu of $kind', ({ items, first }) => {
  test.each(['{Enter}', ' '])('"%s" opens it at its choice or first item', async (key) => {
    const { user, button } = setup(items)
    await user.keyboard(key)
    expect([button.getAttribute('aria-haspopup'), button.getAttribute('aria-expanded')]).toEqual([
      'menu',
      'true',
    ])
    expect(button.getAttribute('aria-controls')).toBe(screen.getByRole('menu', { name: 'Menu' }).id)
    expect(focused()).toBe(first)
  })

  test('arrow keys wrap and skip disabled items, Home and End move to the ends', async () => {
    const { user } = setup(items)
    await user.keyboard('{Enter}{Home}')
    const seen: unknown[] = [focused()]
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown', 'End', 'Home']) {
      await user.keyboard(`{${key}}`)
      seen.push(focused())
    }
    expect(seen).toEqual(['one', 'three', 'one', 'two', 'three', 'one'])
  })

  test.each(['{Enter}', ' '])('"%s" takes an item, and the focus is back on the button', async (key) => {
    const { user, button } = setup(items)
    await user.keyboard(`{Enter}{End}${key}`)
    expect(pressed.mock.calls).toEqual([['three']])
    expect(screen.queryByRole('menu')).toBeNull()
    expect(document.activeElement).toBe(button)
  })

  test.each(['{Escape}', '{Tab}', '{Shift>}{Tab}{/Shift}'])(
    '%s closes it, and the focus is back on the button',
    async (key) => {
      const { user, button } = setup(items)
      await user.keyboard(`{Enter}${key}`)
      expect(screen.queryByRole('menu')).toBeNull()
      expect(document.activeElement).toBe(button)
    },
  )
})

test('choices and toggles expose whether they are on', async () => {
  const { user } = setup(devices)
  await user.keyboard('{Enter}')
  const states = [...screen.getByRole('menu').children].map((one) => [
    one.getAttribute('role'),
    one.getAttribute('aria-checked'),
  ])
  expect(states).toEqual([
    ['menuitemradio', 'false'],
    ['menuitemradio', 'true'],
    ['menuitemcheckbox', 'false'],
  ])
})
