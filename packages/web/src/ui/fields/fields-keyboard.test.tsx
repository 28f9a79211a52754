// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { Checkbox } from './checkbox.tsx'
import { Choices } from './choices.tsx'
import { ListInput } from './list-input.tsx'
import { PasswordField } from './password-field.tsx'
import { Segmented } from './segmented.tsx'

const choices = ['one', 'two', 'three'].map((value) => ({ value, label: value }))

function Radios() {
  const [value, setValue] = useState('two')
  return (
    <Choices id="radios" name="radios" label="Radios" choices={choices} value={value} onValue={setValue} />
  )
}

function Segments() {
  const [value, setValue] = useState('one')
  return <Segmented label="Segments" choices={choices} value={value} onValue={setValue} />
}

function Box() {
  const [checked, setChecked] = useState(false)
  return <Checkbox id="box" label="Box" hint="What it does" checked={checked} onChecked={setChecked} />
}

function Password() {
  const [value, setValue] = useState('')
  return <PasswordField id="password" label="Password" value={value} onValue={setValue} />
}

function Items() {
  const [value, setValue] = useState(['one', 'two'])
  return <ListInput id="items" label="Items" value={value} onValue={setValue} />
}

function setup(field: ReactNode) {
  render(
    <>
      {field}
      <button type="button">After</button>
    </>,
  )
  return userEvent.setup()
}

const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
const focused = () => document.activeElement

beforeAll(() => activateLanguage('en'))
afterEach(cleanup)

describe('keyboard: a group of radio buttons', () => {
  test('Tab enters at the selected option and skips the others', async () => {
    const user = setup(<Radios />)
    expect(screen.getByRole('group', { name: 'Radios' })).toBeTruthy()
    await user.tab()
    expect(focused()).toBe(radio('two'))
    await user.tab()
    expect(focused()?.textContent).toBe('After')
  })

  test.each([
    ['ArrowDown', 'three'],
    ['ArrowRight', 'three'],
    ['ArrowUp', 'one'],
    ['ArrowLeft', 'one'],
    ['ArrowDown}{ArrowDown', 'one'],
  ])('{%s} moves to %s and chooses it', async (keys, name) => {
    const user = setup(<Radios />)
    await user.tab()
    await user.keyboard(`{${keys}}`)
    expect(focused()).toBe(radio(name))
    const checked = choices.filter(({ value }) => radio(value).checked).map(({ value }) => value)
    expect(checked).toEqual([name])
  })
})

test.each(['{Enter}', ' '])(
  'keyboard: "%s" presses one of the buttons side by side, and only that one',
  async (key) => {
    const user = setup(<Segments />)
    expect(screen.getByRole('group', { name: 'Segments' })).toBeTruthy()
    await user.tab()
    await user.tab()
    await user.keyboard(key)
    expect(screen.getByRole('button', { pressed: true }).textContent).toBe('two')
    expect(focused()?.textContent).toBe('two')
  },
)

test('keyboard: Space checks and unchecks a checkbox', async () => {
  const user = setup(<Box />)
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Box', description: 'What it does' })
  await user.tab()
  await user.keyboard(' ')
  expect(box.checked).toBe(true)
  await user.keyboard(' ')
  expect(box.checked).toBe(false)
})

test.each(['{Enter}', ' '])(
  'keyboard: "%s" on the button in a password field shows what was typed',
  async (key) => {
    const user = setup(<Password />)
    const field = screen.getByLabelText<HTMLInputElement>('Password')
    await user.tab()
    await user.keyboard('secret')
    await user.tab()
    expect(focused()?.getAttribute('aria-controls')).toBe(field.id)
    await user.keyboard(key)
    expect([field.type, field.value]).toEqual(['text', 'secret'])
    expect(focused()?.getAttribute('aria-label')).toBe('Hide password')
    await user.keyboard(key)
    expect(field.type).toBe('password')
  },
)

test('keyboard: Tab moves through a list of texts; removing an entry keeps the focus inside', async () => {
  const user = setup(<Items />)
  const seen: unknown[] = []
  for (let stop = 0; stop < 6; stop++) {
    await user.tab()
    seen.push(focused()?.getAttribute('aria-label'))
  }
  expect(seen).toEqual([
    'Items: new entry',
    'Add',
    'Items, entry 1',
    'Remove one',
    'Items, entry 2',
    'Remove two',
  ])
  await user.keyboard('{Enter}')
  expect(focused()).toBe(screen.getByLabelText('Items: new entry'))
})
