import type { Chart } from '@gatehouse/contract/staff/stats'
import type { Series } from '../../ui/chart/course-chart.tsx'
import type { Slice } from '../../ui/chart/slices.ts'

/** A chart over weeks. */
export interface Course {
  kind: 'course'
  labels: readonly string[]
  series: readonly Series[]
  /** Average line. */
  mark: { value: number } | undefined
}

/** A chart of shares. */
export interface Shares {
  kind: 'shares'
  slices: readonly Slice[]
}

/** Converts the server's generic chart description for our renderer; undefined if it is empty. */
export function readChart({ type, data }: Chart): Course | Shares | undefined {
  const { labels, datasets, yMarkers = [] } = data
  if (!datasets.some(({ values }) => values.some((value) => value !== 0))) return undefined
  if (type === 'donut') {
    const [first] = datasets
    return {
      kind: 'shares',
      slices: labels.map((label, index) => ({ label, value: first?.values[index] ?? 0 })),
    }
  }
  const [marker] = yMarkers
  return {
    kind: 'course',
    labels,
    series: datasets.map(({ values, name = '', chartType }) => ({
      name,
      values,
      look: type === 'line' ? 'area' : (chartType ?? 'bar'),
    })),
    mark: marker && { value: marker.value },
  }
}

/** Filters the series to draw: a series of zeros beside another one is shown in the table only. */
export function worthDrawing(series: readonly Series[]): readonly Series[] {
  return series.filter(({ values }) => values.some((value) => value !== 0))
}
