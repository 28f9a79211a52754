// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import type { FieldError } from '../../ui/form/field-errors.ts'
import type { Units } from './rules.ts'
import { testSku, userSkus } from './sku.test-data.ts'
import { SubscriptionSelect } from './subscription-select.tsx'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('subscriptions')
})
afterEach(cleanup)

function show(error: FieldError): void {
  render(
    <SubscriptionSelect
      id="skus"
      label="Subscriptions"
      skus={userSkus}
      held={{}}
      value={{ mailbox: 1, storage: 5, groupware: 1 }}
      onValue={() => {}}
      pricing={{ currency: 'CHF', discount: 0 }}
      error={error}
    />,
  )
}

const row = (name: string) => screen.getByRole('checkbox', { name }).closest('li')
const marked = () => [...document.querySelectorAll('[aria-invalid="true"]')]

function description(control: Element | undefined): string {
  const ids = control?.getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent).join(' ')
}

test('shows an error about a subscription in its row and ties it to its control', () => {
  show({ parts: { auth2f: 'Not with that.' } })
  expect(row('Auth2F')?.textContent).toContain('Not with that.')
  expect(marked()).toEqual([screen.getByRole('checkbox', { name: 'Auth2F' })])
  expect(description(marked()[0])).toContain('Not with that.')
})

test('marks the slider for an error about a quantity', () => {
  show({ parts: { storage: 'Too much.' } })
  expect(row('Storage')?.textContent).toContain('Too much.')
  expect(marked()).toEqual([screen.getByRole('slider')])
  expect(description(marked()[0])).toBe('Too much.')
})

test('ties an error about nothing editable to the first editable control', () => {
  show({ text: 'Not offered.', parts: { mailbox: 'It must be there.', gone: 'Unknown.' } })
  expect(row('Mailbox')?.textContent).toContain('It must be there.')
  expect(screen.getByText('Not offered. Unknown.').closest('li')).toBeNull()
  expect(marked()).toEqual([screen.getByRole('slider')])
  expect(description(marked()[0])).toBe('It must be there. Not offered. Unknown.')
})

function Kinds() {
  const [units, setUnits] = useState<Units>({ room: 1 })
  const skus = [testSku('Room', { exclusive: ['GroupRoom'] }), testSku('GroupRoom', { exclusive: ['Room'] })]
  return (
    <>
      <SubscriptionSelect
        id="skus"
        label="Room type"
        skus={skus}
        held={{}}
        value={units}
        onValue={setUnits}
        pricing={{ currency: 'CHF', discount: 0 }}
      />
      <output>{JSON.stringify(units)}</output>
    </>
  )
}

test('mutually exclusive subscriptions behave like radio buttons, with the keyboard too', async () => {
  render(<Kinds />)
  const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
  expect([radio('Room').checked, radio('GroupRoom').checked, radio('Room').disabled]).toEqual([
    true,
    false,
    false,
  ])
  expect(screen.queryAllByRole('checkbox')).toEqual([])
  expect(radio('Room').name).toBe(radio('GroupRoom').name)
  const user = userEvent.setup()
  await user.tab()
  expect(document.activeElement).toBe(radio('Room'))
  await user.keyboard('{ArrowDown}')
  expect(radio('GroupRoom').checked).toBe(true)
  screen.getByText('{"grouproom":1}')
})
