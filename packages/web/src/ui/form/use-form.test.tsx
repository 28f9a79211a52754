// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { Button } from '../buttons/button.tsx'
import { Checkbox } from '../fields/checkbox.tsx'
import { ListInput } from '../fields/list-input.tsx'
import { TextField } from '../fields/text-field.tsx'
import { useForm } from './use-form.ts'

beforeAll(() => activateLanguage('en'))
afterEach(cleanup)

interface Values {
  name: string
  email: string
  aliases: string[]
  news: boolean
}

class Refusal extends Error {
  readonly toast = { update: vi.fn() }
  readonly errors: Record<string, string | string[] | Record<string, string>>

  constructor(errors: Refusal['errors']) {
    super('refused')
    this.errors = errors
  }
}

function Sample({ send }: { send: (values: Values) => unknown }) {
  const form = useForm<Values>({
    initial: { name: '', email: '', aliases: ['one', 'two'], news: false },
    prefix: 'signup_',
    submit: send,
  })
  return (
    <form {...form.props}>
      <TextField {...form.field('name')} label="Name" />
      <TextField {...form.field('email')} label="E-mail" type="email" hint="We write to it." />
      <ListInput {...form.list('aliases')} label="Aliases" />
      <Checkbox {...form.check('news')} label="News" />
      <Button type="submit" busy={form.busy}>
        Send
      </Button>
      <output>{form.dirty ? 'dirty' : 'clean'}</output>
    </form>
  )
}

function fill(send: (values: Values) => unknown) {
  render(<Sample send={send} />)
  return userEvent.setup()
}

test("shows the server's errors at their fields and focuses the first", async () => {
  const refusal = new Refusal({ email: ['Taken.', 'And ugly.'], aliases: { 1: 'Bad alias.' } })
  const user = fill(() => Promise.reject(refusal))
  await user.click(screen.getByRole('button', { name: 'Send' }))

  const email = screen.getByLabelText('E-mail')
  await waitFor(() => expect(document.activeElement).toBe(email))
  expect(email.id).toBe('signup_email')
  expect(email.getAttribute('aria-invalid')).toBe('true')
  const described = email.getAttribute('aria-describedby')?.split(' ') ?? []
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
    'Taken. And ugly.',
    'We write to it.',
  ])
  expect(screen.getByLabelText('Aliases, entry 1').getAttribute('aria-invalid')).toBeNull()
  expect(screen.getByLabelText('Aliases, entry 2').getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Bad alias.')).toBeTruthy()
  expect(refusal.toast.update).toHaveBeenCalledWith({ message: 'Form validation error. Check 2 fields.' })
})

test('the toast counts the invalid fields and lists errors without a field', async () => {
  const refusal = new Refusal({ plan: 'No such plan.', name: 'Missing.' })
  const user = fill(() => Promise.reject(refusal))
  await user.click(screen.getByRole('button', { name: 'Send' }))
  const message = 'Form validation error. No such plan. Check 1 field.'
  expect(refusal.toast.update).toHaveBeenCalledWith({ message })
  expect(screen.getAllByText('Missing.')).toHaveLength(1)
})

test('shows errors without a field in the toast', async () => {
  const refusal = new Refusal({ plan: 'No such plan.' })
  const user = fill(() => Promise.reject(refusal))
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(refusal.toast.update).toHaveBeenCalledWith({ message: 'No such plan.' })
})

test('clears old errors before the next submission', async () => {
  const send = vi.fn<(values: Values) => Promise<void>>()
  send.mockRejectedValueOnce(new Refusal({ name: 'Missing.' }))
  let finish = () => {}
  send.mockImplementationOnce(() => new Promise((resolve) => (finish = resolve)))
  const user = fill(send)
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('Missing.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(screen.queryByText('Missing.')).toBeNull()
  finish()
})

test('ignores a second submission while the first is pending', async () => {
  let finish = () => {}
  const send = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
  const user = fill(send)
  const button = screen.getByRole('button', { name: 'Send' })
  await user.click(button)
  await user.click(button)
  await user.type(screen.getByLabelText('Name'), '{Enter}')
  expect(send).toHaveBeenCalledTimes(1)
  expect(button.getAttribute('aria-busy')).toBe('true')
  finish()
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
})

test('Enter submits the input', async () => {
  const send = vi.fn()
  const user = fill(send)
  await user.click(screen.getByLabelText('News'))
  await user.type(screen.getByLabelText('Name'), 'Olivia{Enter}')
  expect(send).toHaveBeenCalledWith({ name: 'Olivia', email: '', aliases: ['one', 'two'], news: true })
})

test("doesn't submit what the browser finds invalid", async () => {
  const send = vi.fn()
  const user = fill(send)
  await user.type(screen.getByLabelText('E-mail'), 'no address{Enter}')
  expect(send).not.toHaveBeenCalled()
  expect(screen.getByLabelText('E-mail').getAttribute('aria-invalid')).toBe('true')
})

test('tracks whether something was changed', async () => {
  const user = fill(() => {})
  const name = screen.getByLabelText('Name')
  await user.type(name, 'x')
  expect(screen.getByText('dirty')).toBeTruthy()
  await user.clear(name)
  expect(screen.getByText('clean')).toBeTruthy()
})

test('also submits pending text of a list input', async () => {
  const send = vi.fn()
  const user = fill(send)
  await user.type(screen.getByLabelText('Aliases: new entry'), 'three')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(send).toHaveBeenCalledWith(expect.objectContaining({ aliases: ['one', 'two', 'three'] }))
})
