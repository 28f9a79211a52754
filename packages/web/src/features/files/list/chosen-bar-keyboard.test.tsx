// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { activateLanguage, loadMessages } from '../../../i18n/i18n.ts'
import { useChosen } from './chosen.ts'
import { ChosenBar } from './chosen-bar.tsx'

const items = ['one', 'two'].map((id) => ({ id }))

function Sample() {
  const chosen = useChosen('', items)
  return (
    <section>
      <ChosenBar chosen={chosen}>{null}</ChosenBar>
      {items.map((item) => (
        <p key={item.id} data-item={item.id}>
          <input
            type="checkbox"
            aria-label={item.id}
            checked={chosen.has(item)}
            onChange={() => chosen.press(item, { range: false })}
          />
        </p>
      ))}
    </section>
  )
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('list')
})
afterEach(cleanup)

test('clearing the selection returns the focus to the list', async () => {
  render(<Sample />)
  const user = userEvent.setup()
  screen.getByRole('checkbox', { name: 'two' }).focus()
  await user.keyboard(' ')
  screen.getByRole('button', { name: 'Clear selection' }).focus()
  await user.keyboard('{Enter}')
  expect(screen.queryByRole('button')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'one' }))
})
