// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { DayFilter, isDay } from './day-filter.tsx'

afterEach(cleanup)

test.each([
  ['2026-03-10', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['0002-03-10', false],
  ['2026-3-1', false],
  ['yesterday', false],
  ['', false],
])('%j as a day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected)
})

test('a partially typed year neither filters nor gets lost', () => {
  const onFilter = vi.fn()
  render(<DayFilter label="From" value="2026-03-10" onFilter={onFilter} />)
  const field = screen.getByLabelText<HTMLInputElement>('From')
  fireEvent.change(field, { target: { value: '0002-03-10' } })
  expect(onFilter).not.toHaveBeenCalled()
  expect(field.value).toBe('0002-03-10')
  fireEvent.change(field, { target: { value: '2025-03-10' } })
  expect(onFilter).toHaveBeenLastCalledWith('2025-03-10')
  fireEvent.change(field, { target: { value: '' } })
  expect(onFilter).toHaveBeenLastCalledWith(undefined)
})
