// @vitest-environment happy-dom
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { offerUndo } from './offer-undo.ts'
import { closeToast, toastStore, toasts } from './store.ts'
import { ToastViewport } from './viewport.tsx'

beforeAll(() => activateLanguage('en'))
beforeEach(() => {
  vi.useFakeTimers()
  render(<ToastViewport />)
})
afterEach(() => {
  for (const { id } of toastStore.get()) closeToast(id)
  cleanup()
  vi.useRealTimers()
})

test('announces errors assertively, successes politely', () => {
  act(() => {
    toasts.error('Broken')
    toasts.success('Saved')
  })
  expect(screen.getByRole('alert').textContent).toBe('Error: Broken')
  expect(screen.getByRole('status').textContent).toBe('Success: Saved')
})

test('a toast has a title, a text, and a labelled close button', () => {
  act(() => {
    toasts.warning('Careful', { title: 'Before you go' })
  })
  const item = screen.getByRole('listitem')
  expect(within(item).getByText('Before you go')).toBeTruthy()
  act(() => within(item).getByRole('button', { name: 'Close message' }).click())
  expect(screen.queryByRole('listitem')).toBeNull()
})

test('focus inside pauses the toasts, leaving resumes them', () => {
  act(() => {
    toasts.info('Read me')
  })
  act(() => screen.getByRole('button', { name: 'Close message' }).focus())
  act(() => {
    vi.advanceTimersByTime(60_000)
  })
  expect(screen.getByText('Read me')).toBeTruthy()
  act(() => screen.getByRole('button', { name: 'Close message' }).blur())
  act(() => {
    vi.advanceTimersByTime(5000)
  })
  expect(screen.queryByText('Read me')).toBeNull()
})

test('closing a toast restores the previous focus', () => {
  const field = document.body.appendChild(document.createElement('input'))
  field.focus()
  act(() => {
    toasts.info('First')
    toasts.info('Second')
  })
  const [second] = screen.getAllByRole('button', { name: 'Close message' })
  act(() => second?.focus())
  act(() => second?.click())
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toHaveLength(1)
  expect(document.activeElement).toBe(field)
  field.remove()
})

test('so does an action that closes its toast', () => {
  const field = document.body.appendChild(document.createElement('input'))
  field.focus()
  const undo = vi.fn()
  act(() => offerUndo('Deleted', 'Undo', undo))
  act(() => screen.getByRole('button', { name: 'Undo' }).focus())
  act(() => screen.getByRole('button', { name: 'Undo' }).click())
  expect(undo).toHaveBeenCalledOnce()
  expect(screen.queryByRole('listitem')).toBeNull()
  expect(document.activeElement).toBe(field)
  field.remove()
})

test('the bar shows the progress of an operation', () => {
  act(() => {
    toasts.show({ type: 'custom', message: 'Uploading', timeout: 0, progress: 0.69 })
  })
  expect(document.querySelector<HTMLElement>('.toast-bar')?.style.width).toBe('69%')
})
