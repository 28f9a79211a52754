// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { renderRouted } from '../routed.test-data.tsx'
import { toastStore } from '../toasts/store.ts'
import type { SetupAnswer } from './setup-process.ts'
import { StatusBox } from './status-box.tsx'

beforeAll(async () => {
  await loadMessages('setup')
  await activateLanguage('en')
})
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  toastStore.set([])
})

function setup(
  done: number,
  processState: SetupAnswer['processState'],
  last = 'user-imap-ready',
): SetupAnswer {
  const labels = ['user-new', 'user-ldap-ready', last]
  return {
    process: labels.map((label, index) => ({
      label,
      title: `Step ${label}`,
      state: index < done,
      ...(label === 'domain-confirmed' && { link: '/domain/7' }),
    })),
    processState,
    isDone: done === labels.length,
  }
}

const load = vi.fn<() => Promise<SetupAnswer>>()

function pageOf(start: SetupAnswer) {
  return function Page() {
    const [process, setProcess] = useState(start)
    return <StatusBox kind="account" process={process} load={load} onAnswer={setProcess} />
  }
}

function show(start: SetupAnswer) {
  const Page = pageOf(start)
  render(<Page />)
}

const wait = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
const box = () => document.querySelector('.status-box')

test('shows the progress of the setup, step by step', () => {
  show(setup(1, 'running'))
  expect(screen.getByText('Your account is being set up')).toBeTruthy()
  const bar = screen.getByRole('progressbar', { name: 'Your account is being set up' })
  expect(bar.getAttribute('aria-valuenow')).toBe('33')
  expect(bar.getAttribute('aria-valuetext')).toBe('33%, Step user-ldap-ready')
  const steps = screen.getAllByRole('listitem').map((item) => item.className)
  expect(steps).toEqual(['status-step-done', 'status-step-now', 'status-step-later'])
  expect(screen.queryByRole('button')).toBeNull()
})

test('disappears when the setup is done', async () => {
  load.mockResolvedValue(setup(3, 'done'))
  show(setup(2, 'running'))
  expect(box()).toBeTruthy()
  await wait(5)
  expect(box()).toBeNull()
})

test('links to the domain in another colour if only its owner can continue', async () => {
  // the router waits in real time
  vi.useRealTimers()
  await renderRouted(pageOf(setup(2, 'failed', 'domain-confirmed')))
  expect(screen.getByText('Your account is almost ready')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Verify domain' }).getAttribute('href')).toBe('/domain/7')
  expect(screen.queryByRole('button')).toBeNull()
  expect(box()?.classList).toContain('status-box-confirm')
})

test('offers to restart a failed setup, shows the outcome, and resets its colour', async () => {
  show(setup(1, 'failed'))
  expect(box()?.classList).toContain('status-box-failed')
  load.mockResolvedValue({ ...setup(1, 'waiting'), status: 'success', message: 'It goes on.' })
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await wait(0)
  expect(load).toHaveBeenLastCalledWith(expect.objectContaining({ refresh: true }))
  expect(toastStore.get()[0]).toMatchObject({ type: 'success', message: 'It goes on.' })
  expect(box()?.classList).toContain('status-box-running')
  expect(screen.queryByRole('button')).toBeNull()
})

test('reports a failed restart and stays', async () => {
  show(setup(1, 'failed'))
  load.mockResolvedValue({ ...setup(1, 'failed'), status: 'error', message: 'Not now.' })
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await wait(0)
  expect(toastStore.get()[0]).toMatchObject({ type: 'error', message: 'Not now.' })
  expect(screen.getByRole('button', { name: 'Refresh' })).toBeTruthy()
})

test('leaving the page stops polling', async () => {
  load.mockClear()
  show(setup(1, 'running'))
  cleanup()
  await wait(60)
  expect(load).not.toHaveBeenCalled()
})
