// @vitest-environment happy-dom
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { ActionMenu } from './action-menu.tsx'
import { ChoiceMenu } from './menu.tsx'

const chosen = vi.fn<(name: string) => void>()
const names = ['One', 'Two', 'Three']

function Actions() {
  const actions = names.map((label) => ({ label, onPress: () => chosen(label) }))
  return <ActionMenu label="Menu" icon={IconTrash} actions={actions} />
}

function Choices({ of = 'Two' }: { of?: string }) {
  const [name, setName] = useState(of)
  const choices = names.map((label) => ({ name: label, label }))
  const choose = (one: string) => {
    setName(one)
    chosen(one)
  }
  return <ChoiceMenu label="Menu" face="Menu" choices={choices} chosen={name} onChoose={choose} />
}

function setup(menu: ReactNode) {
  render(
    <>
      <button type="button">Before</button>
      {menu}
      <button type="button">After</button>
    </>,
  )
  const button = screen.getByRole('button', { name: 'Menu' })
  button.focus()
  return { user: userEvent.setup(), button }
}

const focused = () => document.activeElement?.textContent

beforeAll(() => activateLanguage('en'))
beforeEach(() => {
  chosen.mockClear()
})
afterEach(cleanup)

describe.each([
  { kind: 'a menu of actions', menu: <Actions />, first: 'One' },
  { kind: 'a menu of choices', menu: <Choices />, first: 'Two' },
  { kind: 'a menu of choices without a choice', menu: <Choices of="none" />, first: 'One' },
])('keyboard: $kind', ({ menu, first }) => {
  test.each(['{Enter}', ' '])('"%s" opens it and moves the focus to an item', async (key) => {
    const { user, button } = setup(menu)
    expect([button.getAttribute('aria-haspopup'), button.getAttribute('aria-expanded')]).toEqual([
      'menu',
      'false',
    ])
    await user.keyboard(key)
    expect(button.getAttribute('aria-expanded')).toBe('true')
    expect(button.getAttribute('aria-controls')).toBe(screen.getByRole('menu', { name: 'Menu' }).id)
    expect(focused()).toBe(first)
  })

  test('arrow keys wrap, Home and End move to the ends', async () => {
    const { user } = setup(menu)
    await user.keyboard('{Enter}{Home}')
    const seen: unknown[] = [focused()]
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown', 'End', 'Home']) {
      await user.keyboard(`{${key}}`)
      seen.push(focused())
    }
    expect(seen).toEqual(['One', 'Three', 'One', 'Two', 'Three', 'One'])
  })

  test.each(['{Enter}', ' '])('"%s" takes an item, and the focus is back on the button', async (key) => {
    const { user, button } = setup(menu)
    await user.keyboard(`{Enter}{End}${key}`)
    expect(chosen.mock.calls).toEqual([['Three']])
    expect(screen.queryByRole('menu')).toBeNull()
    expect(document.activeElement).toBe(button)
  })

  test('Escape closes the menu and returns the focus to the button', async () => {
    const { user, button } = setup(menu)
    await user.keyboard('{Enter}{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(document.activeElement).toBe(button)
    expect(chosen).not.toHaveBeenCalled()
  })

  test('Tab closes the menu and moves on, Shift+Tab moves back to the button', async () => {
    const { user, button } = setup(menu)
    await user.keyboard('{Enter}')
    await user.tab()
    expect(screen.queryByRole('menu')).toBeNull()
    expect(focused()).toBe('After')
    button.focus()
    await user.keyboard('{Enter}')
    await user.tab({ shift: true })
    expect(screen.queryByRole('menu')).toBeNull()
    expect(document.activeElement).toBe(button)
  })

  test("menu items aren't tab stops", async () => {
    const { user } = setup(menu)
    await user.keyboard('{Enter}')
    const items = [...screen.getByRole('menu').querySelectorAll('button')]
    expect(items.map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, -1])
  })

  test('Escape in a dialog closes the menu, but not the dialog', async () => {
    const onClose = vi.fn()
    const { user } = setup(
      <Dialog open title="Around" onClose={onClose}>
        {menu}
      </Dialog>,
    )
    await user.keyboard('{Enter}{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(onClose).not.toHaveBeenCalled()
  })
})

test('exactly one choice is checked, also after choosing another', async () => {
  const { user } = setup(<Choices />)
  await user.keyboard('{Enter}{End}{Enter}{Enter}')
  const checked = screen.getAllByRole('menuitemradio').map((item) => item.getAttribute('aria-checked'))
  expect(checked).toEqual(['false', 'false', 'true'])
  expect(focused()).toBe('Three')
})
