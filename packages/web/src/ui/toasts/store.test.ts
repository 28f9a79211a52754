import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { closeToast, holdToasts, releaseToasts, showToast, toastStore, toasts } from './store.ts'

const messages = () => toastStore.get().map((toast) => toast.message)

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  for (const { id } of toastStore.get()) closeToast(id)
  vi.useRealTimers()
})

describe('duration of a toast', () => {
  test.each([
    ['success', 5000],
    ['info', 5000],
    ['custom', 5000],
    ['error', 10_000],
    ['warning', 10_000],
  ] as const)('%s: %d ms', (type, timeout) => {
    showToast({ type, message: 'text' })
    vi.advanceTimersByTime(timeout - 1)
    expect(messages()).toEqual(['text'])
    vi.advanceTimersByTime(1)
    expect(messages()).toEqual([])
  })

  test('defaults to info', () => {
    showToast({ message: 'text' })
    expect(toastStore.get()[0]?.type).toBe('info')
  })

  test('uses a given timeout unchanged, also for errors', () => {
    toasts.error('text', { timeout: 700 })
    vi.advanceTimersByTime(700)
    expect(messages()).toEqual([])
  })

  test.each([{ timeout: 0 }, { autohide: false }])('stays open with %j', (options) => {
    showToast({ message: 'text', ...options })
    vi.advanceTimersByTime(3_600_000)
    expect(messages()).toEqual(['text'])
    expect(toastStore.get()[0]?.progress).toBe(false)
  })
})

test('puts the newest on top', () => {
  showToast({ message: 'first' })
  showToast({ message: 'second' })
  expect(messages()).toEqual(['second', 'first'])
})

test('pauses while the user is reading', () => {
  showToast({ message: 'text' })
  vi.advanceTimersByTime(3000)
  holdToasts()
  vi.advanceTimersByTime(60_000)
  expect(messages()).toEqual(['text'])
  releaseToasts()
  vi.advanceTimersByTime(1999)
  expect(messages()).toEqual(['text'])
  vi.advanceTimersByTime(1)
  expect(messages()).toEqual([])
})

test('pauses a toast that appears while the user is reading', () => {
  holdToasts()
  showToast({ message: 'text' })
  vi.advanceTimersByTime(60_000)
  expect(messages()).toEqual(['text'])
  releaseToasts()
  vi.advanceTimersByTime(5000)
  expect(messages()).toEqual([])
})

test('the handle changes and closes its own toast only', () => {
  const upload = showToast({ type: 'custom', message: '1 of 2', timeout: 0, progress: 0.5 })
  showToast({ message: 'other', timeout: 0 })
  upload.update({ message: '2 of 2', progress: 1 })
  expect(messages()).toEqual(['other', '2 of 2'])
  expect(toastStore.get()[1]?.progress).toBe(1)
  upload.close()
  expect(messages()).toEqual(['other'])
})

test("changing the text doesn't restart the timer", () => {
  const handle = showToast({ message: 'text' })
  vi.advanceTimersByTime(4000)
  handle.update({ message: 'more text' })
  vi.advanceTimersByTime(1000)
  expect(messages()).toEqual([])
})
