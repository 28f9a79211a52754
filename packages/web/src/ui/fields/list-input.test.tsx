// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { ListInput } from './list-input.tsx'

beforeAll(() => activateLanguage('en'))
afterEach(cleanup)

function setup(initial: string[] = []) {
  const submitted = vi.fn()
  const values: string[][] = []
  function Sample() {
    const [value, setValue] = useState(initial)
    values.push(value)
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submitted()
        }}
      >
        <ListInput id="emails" label="Emails" value={value} onValue={setValue} />
        <button type="submit">Send</button>
      </form>
    )
  }
  render(<Sample />)
  return { user: userEvent.setup(), submitted, value: () => values.at(-1) }
}

const entry = () => screen.getByLabelText<HTMLInputElement>('Emails: new entry')

test('Enter adds the text and clears the entry field', async () => {
  const { user, value, submitted } = setup()
  await user.type(entry(), '  a@b.test {Enter}')
  expect(value()).toEqual(['a@b.test'])
  expect(entry().value).toBe('')
  expect(submitted).not.toHaveBeenCalled()
})

test('Enter in an empty entry field submits the form', async () => {
  const { user, submitted } = setup()
  await user.type(entry(), '{Enter}')
  expect(submitted).toHaveBeenCalledTimes(1)
})

test('the plus button adds like Enter', async () => {
  const { user, value } = setup()
  await user.type(entry(), 'x')
  await user.click(screen.getByRole('button', { name: 'Add' }))
  expect(value()).toEqual(['x'])
})

test('rows can be edited and removed', async () => {
  const { user, value } = setup(['one', 'two'])
  await user.type(screen.getByLabelText('Emails, entry 2'), '!')
  expect(value()).toEqual(['one', 'two!'])
  await user.click(screen.getByRole('button', { name: 'Remove one' }))
  expect(value()).toEqual(['two!'])
  expect(document.activeElement).toBe(entry())
})

test('pending text is added when the form is submitted', async () => {
  const { user, value, submitted } = setup(['one'])
  await user.type(entry(), 'two')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(value()).toEqual(['one', 'two'])
  expect(submitted).toHaveBeenCalledTimes(1)
})
