// @vitest-environment happy-dom
import type { PasswordRule } from '@gatehouse/contract/sessions/passwords'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { switchLanguage } from '../../i18n/switch-language.ts'
import { toastStore } from '../../ui/toasts/store.ts'
import { PasswordInput, type PasswordInputProps, type PasswordValue } from './password-input.tsx'

interface Check {
  password: string
  body: Record<string, unknown>
  signal: AbortSignal
  answer: (rules: PasswordRule[]) => void
  fail: () => void
}

/** The pending checks, oldest first; the tests answer them. */
let checks: Check[] = []

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('password')
})
beforeEach(() => {
  checks = []
  vi.stubGlobal('fetch', (_url: string, init: { body: string; signal: AbortSignal }) => {
    const body: Check['body'] & { password: string } = JSON.parse(init.body)
    return new Promise<Response>((resolve, reject) => {
      init.signal.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')))
      checks.push({
        password: body.password,
        body,
        signal: init.signal,
        answer: (list) => resolve(Response.json({ status: 'error', list, count: list.length })),
        fail: () => resolve(new Response('', { status: 500 })),
      })
    })
  })
})
afterEach(async () => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  await switchLanguage('en')
})

const rule = (label: PasswordRule['label'], name: string, status: boolean): PasswordRule => ({
  ...{ label, name, status },
  param: null,
  enabled: true,
})

const emitted = vi.fn<(value: PasswordValue) => void>()

function Sample(props: Partial<PasswordInputProps>) {
  const [value, setValue] = useState({ password: '', password_confirmation: '' })
  return (
    <form aria-label="form">
      <PasswordInput
        prefix="signup_"
        value={value}
        onValue={(next) => {
          emitted(next)
          setValue(next)
        }}
        {...props}
      />
    </form>
  )
}

function setup(props: Partial<PasswordInputProps> = {}) {
  emitted.mockClear()
  render(<Sample {...props} />)
  return userEvent.setup()
}

const password = () => screen.getByLabelText('Password')
const confirmation = () => screen.getByLabelText('Confirm password')
const lastCheck = () => {
  const check = checks.at(-1)
  if (!check) throw new Error('nothing was checked')
  return check
}
const ruleTexts = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)

test('checks an empty password on mount and shows the rules once they arrive', async () => {
  setup()
  expect(checks.map((check) => check.password)).toEqual([''])
  expect(ruleTexts()).toEqual([])
  lastCheck().answer([rule('min', 'Six characters', false), rule('lower', 'A small letter', true)])
  await waitFor(() => expect(ruleTexts()).toEqual(['Six characters, not met', 'A small letter, met']))
})

test('hides the maximum length until it is exceeded', async () => {
  const user = setup()
  lastCheck().answer([rule('min', 'Six characters', false), rule('max', 'At most 255 characters', false)])
  await waitFor(() => expect(ruleTexts()).toEqual(['Six characters, not met']))
  await user.type(password(), 'a')
  lastCheck().answer([rule('min', 'Six characters', true), rule('max', 'At most 255 characters', false)])
  await waitFor(() => expect(ruleTexts()).toEqual(['Six characters, met', 'At most 255 characters, not met']))
})

test('each keystroke starts a new check and cancels the one in flight', async () => {
  const user = setup()
  await user.type(password(), 'abc')
  expect(checks.map((check) => check.password)).toEqual(['', 'a', 'ab', 'abc'])
  expect(checks.map(({ signal }) => signal.aborted)).toEqual([true, true, true, false])
})

test('ignores late responses to earlier checks', async () => {
  const user = setup()
  await user.type(password(), 'ab')
  lastCheck().answer([rule('min', 'new', true)])
  await waitFor(() => expect(ruleTexts()).toEqual(['new, met']))
  await act(async () => checks[1]?.answer([rule('min', 'old', false)]))
  expect(ruleTexts()).toEqual(['new, met'])
})

test('typing in the confirmation reports both values and starts no check', async () => {
  const user = setup()
  await user.type(password(), 'a')
  await user.type(confirmation(), 'bc')
  expect(emitted.mock.calls.map(([value]) => value)).toEqual([
    { password: 'a', password_confirmation: '' },
    { password: 'a', password_confirmation: 'b' },
    { password: 'a', password_confirmation: 'bc' },
  ])
  expect(checks).toHaveLength(2)
})

test('ignores failed checks', async () => {
  const user = setup()
  lastCheck().answer([rule('min', 'Six characters', false)])
  await waitFor(() => expect(ruleTexts()).toHaveLength(1))
  await user.type(password(), 'a')
  await act(async () => lastCheck().fail())
  expect(ruleTexts()).toEqual(['Six characters, not met'])
  expect(toastStore.get()).toEqual([])
})

test('resetting the form starts a new check', async () => {
  setup()
  await act(async () => screen.getByRole('form').dispatchEvent(new Event('reset')))
  expect(checks.map((check) => check.password)).toEqual(['', ''])
  expect(checks[0]?.signal.aborted).toBe(true)
})

test('reloads the rules when the language changes', async () => {
  setup()
  await act(() => switchLanguage('de'))
  expect(checks).toHaveLength(2)
})

test('sends the owner of the policy', () => {
  setup({ policyOf: { user: 7, code: 'long', short_code: 'SHORT' } })
  expect(lastCheck().body).toEqual({ password: '', user: 7, code: 'long', short_code: 'SHORT' })
})

test('sends the other personal fields once there is a password', async () => {
  const user = setup({ person: { first_name: 'Ada', organization: 'Acme' }, username: 'ada@acme.test' })
  expect(lastCheck().body).toEqual({ password: '' })
  await user.type(password(), 'x')
  expect(lastCheck().body).toEqual({
    ...{ password: 'x', email: 'ada@acme.test' },
    ...{ first_name: 'Ada', organization: 'Acme' },
  })
})

test('the confirmation hint follows both fields', async () => {
  const user = setup()
  const hint = () => document.getElementById('signup_password_confirmation-hint')?.textContent
  expect(hint()).toBe('Must match the password above.')
  await user.type(password(), 'ab')
  await user.type(confirmation(), 'a')
  expect(hint()).toBe('The passwords don’t match yet.')
  await user.type(confirmation(), 'b')
  expect(hint()).toBe('The passwords match.')
})

test('announces the summary once typing pauses', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  render(<Sample />)
  await act(async () => lastCheck().answer([rule('min', 'Six', false), rule('lower', 'Small', false)]))
  const summary = await screen.findByRole('status')
  await act(() => vi.advanceTimersByTimeAsync(2000))
  expect(summary.textContent).toBe('')
  await user.type(password(), 'a')
  await act(async () => lastCheck().answer([rule('min', 'Six', false), rule('lower', 'Small', true)]))
  expect(summary.textContent).toBe('')
  await act(() => vi.advanceTimersByTimeAsync(2000))
  expect(summary.textContent).toBe('1 of 2 rules met')
})

test('toggles the visibility of the password and marks it as a new password', async () => {
  const user = setup({ errors: { password: 'Too easy.' } })
  expect(password().getAttribute('autocomplete')).toBe('new-password')
  expect(confirmation().getAttribute('autocomplete')).toBe('new-password')
  expect(password().getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Too easy.')).toBeTruthy()
  const [show] = screen.getAllByRole('button', { name: 'Show password' })
  if (show) await user.click(show)
  expect(password().getAttribute('type')).toBe('text')
  expect(confirmation().getAttribute('type')).toBe('password')
})
