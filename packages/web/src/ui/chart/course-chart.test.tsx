// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { CourseChart, shownLabels } from './course-chart.tsx'

afterEach(cleanup)

const weeks = ['5 Oct', '12 Oct', '19 Oct', '26 Oct']

test('thins out axis labels evenly and always keeps the last one', () => {
  expect(shownLabels(weeks, 80)).toEqual([0, 1, 2, 3])
  expect(shownLabels(weeks, 30)).toEqual([1, 3])
  expect(shownLabels(weeks, 10)).toContain(3)
  expect(shownLabels([], 10)).toEqual([])
})

function draw(onPoint?: (index: number | undefined) => void) {
  return render(
    <CourseChart
      label="Users, four weeks"
      categories={weeks}
      series={[
        { name: 'Created', values: [1, 4, 0, 2], look: 'bar' },
        { name: 'Deleted', values: [0, 1, 0, 0], look: 'line' },
      ]}
      mark={{ value: 1.75 }}
      sayValue={String}
      onPoint={onPoint}
    />,
  )
}

test('a chart is one labelled image with a bar per value and a point per line value', () => {
  const { container } = draw()
  expect(screen.getByRole('img', { name: 'Users, four weeks' })).toBeTruthy()
  const bars = [...container.querySelectorAll('.chart-bar')]
  const heights = bars.map((bar) => Number(bar.getAttribute('height')))
  expect(heights).toHaveLength(4)
  expect(heights[1]).toBeCloseTo(4 * Number(heights[0]))
  expect(heights[2]).toBe(0)
  expect(container.querySelectorAll('.chart-dot')).toHaveLength(4)
  expect(container.querySelectorAll('.chart-mark')).toHaveLength(1)
})

test('hovering reports the week, leaving reports none', () => {
  const onPoint = vi.fn()
  draw(onPoint)
  const picture = screen.getByRole('img')
  fireEvent.pointerMove(picture, { clientX: 515 })
  expect(onPoint).toHaveBeenLastCalledWith(3)
  fireEvent.pointerLeave(picture)
  expect(onPoint).toHaveBeenLastCalledWith(undefined)
})
