import type { Chart } from '@gatehouse/contract/staff/stats'
import { expect, test } from 'vitest'
import { readChart, worthDrawing } from './read-chart.ts'

const frame: Chart = {
  title: 'T',
  type: 'bar',
  colors: [],
  data: { labels: ['2026-46', '2026-47'], datasets: [] },
}

test('keeps the styles of bars and lines over weeks and marks the average', () => {
  const chart = readChart({
    ...frame,
    data: {
      ...frame.data,
      datasets: [
        { name: 'Created', chartType: 'bar', values: [3, 4] },
        { name: 'Deleted', chartType: 'line', values: [0, 1] },
      ],
      yMarkers: [{ label: 'average = 3.5', value: 3.5, options: { labelPos: 'right' } }],
    },
  })
  expect(chart).toEqual({
    kind: 'course',
    labels: ['2026-46', '2026-47'],
    series: [
      { name: 'Created', values: [3, 4], look: 'bar' },
      { name: 'Deleted', values: [0, 1], look: 'line' },
    ],
    mark: { value: 3.5 },
  })
})

test('draws a chart over a year as an area', () => {
  const chart = readChart({ ...frame, type: 'line', data: { ...frame.data, datasets: [{ values: [1, 2] }] } })
  expect(chart).toMatchObject({ series: [{ look: 'area' }], mark: undefined })
})

test('names parts of a whole by their labels', () => {
  const data = { labels: ['10%', '30%'], datasets: [{ values: [2, 5] }] }
  expect(readChart({ ...frame, type: 'donut', data })).toEqual({
    kind: 'shares',
    slices: [
      { label: '10%', value: 2 },
      { label: '30%', value: 5 },
    ],
  })
})

test.each([[[]], [[{ values: [0, 0] }]]])('draws nothing without numbers', (datasets) => {
  expect(readChart({ ...frame, data: { ...frame.data, datasets } })).toBeUndefined()
})

test('skips a series of zeros beside another one', () => {
  const [created, deleted] = [
    { name: 'Created', values: [0, 4], look: 'bar' },
    { name: 'Deleted', values: [0, 0], look: 'line' },
  ] as const
  expect(worthDrawing([created, deleted])).toEqual([created])
})
