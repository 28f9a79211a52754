// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { StepLine } from './step-line.tsx'

afterEach(cleanup)

const paths = (line: Parameters<typeof StepLine>[0]) => {
  const { container } = render(<StepLine {...line} />)
  return [...container.querySelectorAll('path')].map((path) => path.getAttribute('d'))
}

test('draws a small line from its first point through now to its last', () => {
  const past = [
    { at: 0, value: 100 },
    { at: 50, value: 50 },
  ]
  expect(paths({ past, future: [{ at: 200, value: 0 }], now: 100 })).toEqual([
    'M0 53H200',
    'M0 3H50V28H100',
    'M100 28H200V53H200',
  ])
})

test('draws a negative value below the zero line', () => {
  expect(paths({ past: [{ at: 0, value: -50 }], future: [{ at: 100, value: 50 }], now: 50 })).toEqual([
    'M0 28H200',
    'M0 53H100',
    'M100 53H200V3H200',
  ])
})

test('renders nothing without data', () => {
  expect(paths({ past: [], future: [], now: 5 })).toEqual([])
})
