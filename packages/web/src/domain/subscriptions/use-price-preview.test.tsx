// @vitest-environment happy-dom
import type { PricePreview } from '@gatehouse/contract/billing/subscriptions'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { usePricePreview } from './use-price-preview.ts'

interface Question {
  about: string
  signal: AbortSignal
  answer: (next: number) => void
  fail: () => void
}

/** Pending requests, oldest first; the tests answer them. */
let asked: Question[] = []

const priceOf = (next: number): PricePreview => ({
  currency: 'CHF',
  discount: 0,
  dueNow: 0,
  monthly: { now: 0, next },
  change: next,
  billed: { now: { month: 0, year: 0 }, next: { month: next, year: 0 } },
  lines: [],
  options: [],
  packages: [],
  trialUntil: null,
  later: [],
})

function setup(first: string | undefined) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return renderHook(
    ({ about }: { about: string | undefined }) =>
      usePricePreview({
        about,
        ask: (signal) =>
          new Promise<PricePreview>((resolve, reject) => {
            asked.push({
              about: about ?? '',
              signal,
              answer: (next) => resolve(priceOf(next)),
              fail: () => reject(new Error('no price')),
            })
          }),
      }),
    { wrapper, initialProps: { about: first } },
  )
}

const nth = (index: number): Question => {
  const question = asked[index]
  if (!question) throw new Error(`question ${index} was not asked`)
  return question
}

beforeEach(() => {
  asked = []
})
afterEach(cleanup)

test('sends the first request at once', async () => {
  const { result } = setup('a')
  await waitFor(() => expect(asked).toHaveLength(1))
  expect(result.current.preview).toBeUndefined()
  act(() => nth(0).answer(100))
  await waitFor(() => expect(result.current.preview?.monthly.next).toBe(100))
  expect(result.current.pending).toBe(false)
})

test('sends one request for choices in quick succession', async () => {
  const { rerender } = setup('a')
  await waitFor(() => expect(asked).toHaveLength(1))
  for (const about of ['b', 'c', 'd']) rerender({ about })
  await waitFor(() => expect(asked).toHaveLength(2))
  expect(asked.map(({ about }) => about)).toEqual(['a', 'd'])
})

test('never shows the response to an older request', async () => {
  const { result, rerender } = setup('a')
  await waitFor(() => expect(asked).toHaveLength(1))
  rerender({ about: 'b' })
  await waitFor(() => expect(asked).toHaveLength(2))
  expect(nth(0).signal.aborted).toBe(true)
  act(() => nth(1).answer(200))
  await waitFor(() => expect(result.current.preview?.monthly.next).toBe(200))
  await act(async () => nth(0).answer(100))
  expect(result.current.preview?.monthly.next).toBe(200)
})

test('keeps the last price, marked as pending, until the new one arrives', async () => {
  const { result, rerender } = setup('a')
  await waitFor(() => expect(asked).toHaveLength(1))
  act(() => nth(0).answer(100))
  await waitFor(() => expect(result.current.pending).toBe(false))
  rerender({ about: 'b' })
  expect(result.current).toMatchObject({ pending: true, failed: false })
  expect(result.current.preview?.monthly.next).toBe(100)
  await waitFor(() => expect(asked).toHaveLength(2))
  act(() => nth(1).answer(300))
  await waitFor(() => expect(result.current).toMatchObject({ pending: false }))
  expect(result.current.preview?.monthly.next).toBe(300)
})

test('shows no price after a failure and can retry', async () => {
  const { result } = setup('a')
  await waitFor(() => expect(asked).toHaveLength(1))
  act(() => nth(0).fail())
  await waitFor(() => expect(result.current.failed).toBe(true))
  expect(result.current.preview).toBeUndefined()
  act(() => void result.current.retry())
  await waitFor(() => expect(asked).toHaveLength(2))
  act(() => nth(1).answer(100))
  await waitFor(() => expect(result.current).toMatchObject({ failed: false, pending: false }))
})

test('sends no request before anything is chosen', async () => {
  const { rerender } = setup(undefined)
  rerender({ about: 'a' })
  await waitFor(() => expect(asked).toHaveLength(1))
  expect(nth(0).about).toBe('a')
})
