// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { Dialog, type DialogAction, type DialogProps } from './dialog.tsx'

beforeAll(() => activateLanguage('en'))
beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>'
})
afterEach(cleanup)

function setup(props: Partial<DialogProps>, body: ReactNode = <input aria-label="Field" />) {
  const closed = vi.fn()
  function Sample() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        <Dialog
          title="Delete jane?"
          {...props}
          open={open}
          onClose={() => {
            closed()
            setOpen(false)
          }}
        >
          {body}
        </Dialog>
      </>
    )
  }
  render(<Sample />, { container: document.getElementById('app') ?? undefined })
  return { user: userEvent.setup(), closed }
}

async function open(props: Partial<DialogProps> = {}, body?: ReactNode) {
  const context = setup(props, body)
  await context.user.click(screen.getByText('Open'))
  return context
}

const save: DialogAction = { preset: 'save', onPress: () => {} }

test('is named by its title', async () => {
  await open()
  expect(screen.getByRole('dialog', { name: 'Delete jane?' }).getAttribute('aria-modal')).toBe('true')
})

test.each([
  ['input', <input key="i" aria-label="Field" />],
  ['select', <select key="s" aria-label="Field" />],
  ['textarea', <textarea key="t" aria-label="Field" />],
])('focuses the first %s', async (_, body) => {
  await open({ actions: [save] }, body)
  expect(document.activeElement).toBe(screen.getByLabelText('Field'))
})

test('focuses cancel if told to, even if there is a field', async () => {
  await open({ cancelFocus: true, actions: [save] })
  expect(document.activeElement?.textContent).toBe('Cancel')
})

test('focuses itself if there is no field', async () => {
  await open({}, <p>Text</p>)
  expect(document.activeElement).toBe(screen.getByRole('dialog'))
})

test('the footer says close without actions and cancel with them', async () => {
  await open({}, <p>Text</p>)
  const foot = () => document.querySelector('.dialog > footer')?.textContent
  expect(foot()).toBe('Close')
  cleanup()
  document.body.innerHTML = '<div id="app"></div>'
  await open({ actions: [save] })
  expect(foot()).toBe('CancelSave')
})

test('Esc closes the dialog, unlocks the page and restores the focus', async () => {
  const { user, closed } = await open()
  expect(document.getElementById('app')?.hasAttribute('inert')).toBe(true)
  await user.keyboard('{Escape}')
  expect(closed).toHaveBeenCalledTimes(1)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.getElementById('app')?.hasAttribute('inert')).toBe(false)
  expect(document.activeElement).toBe(screen.getByText('Open'))
})

test('Tab stays inside', async () => {
  const { user } = await open({ actions: [save] })
  const last = screen.getByRole('button', { name: 'Save' })
  act(() => last.focus())
  await user.tab()
  expect(document.activeElement).toBe(document.querySelector('.dialog > header button'))
  await user.tab({ shift: true })
  expect(document.activeElement).toBe(last)
})

test('delete closes the dialog after success', async () => {
  let finish = () => {}
  const onPress = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
  const { user, closed } = await open({ actions: [{ preset: 'delete', onPress }], cancelFocus: true })
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(onPress).toHaveBeenCalledTimes(1)
  expect(closed).not.toHaveBeenCalled()
  await act(async () => finish())
  expect(closed).toHaveBeenCalledTimes(1)
})

test('delete keeps the dialog open after a failure', async () => {
  const failure = Object.assign(new Error('no'), { name: 'ApiError' })
  const onPress = () => Promise.reject(failure)
  const { user, closed } = await open({ actions: [{ preset: 'delete', onPress }] })
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(closed).not.toHaveBeenCalled()
})

test('submit without a handler submits the form in the body', async () => {
  const submitted = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  const { user, closed } = await open(
    { actions: [{ preset: 'submit' }] },
    <form onSubmit={submitted}>
      <input aria-label="Field" />
    </form>,
  )
  await user.click(screen.getByRole('button', { name: 'Submit' }))
  expect(submitted).toHaveBeenCalledTimes(1)
  expect(closed).not.toHaveBeenCalled()
})

test('a custom button has its own label and class, and closes the dialog if told to', async () => {
  const onPress = vi.fn()
  const { user, closed } = await open({
    actions: [{ label: 'Send all', className: 'send', dismiss: true, onPress }],
  })
  const button = screen.getByRole('button', { name: 'Send all' })
  expect(button.classList.contains('send')).toBe(true)
  await user.click(button)
  expect(onPress).toHaveBeenCalledTimes(1)
  expect(closed).toHaveBeenCalledTimes(1)
})
