import type { Chart } from '@gatehouse/contract/staff/stats'
import type { Series } from '../../ui/chart/course-chart.tsx'
import type { Slice } from '../../ui/chart/slices.ts'

/** A chart over weeks. */
export interface Course {
  kind: 'course'
  labels: readonly string[]
  series: readonly Series[]
  /** The average. */
  mark: { value: number } | undefined
}

/** A chart of parts. */
export interface Shares {
  kind: 'shares'
  slices: readonly Slice[]
}

/** Reads what the server describes for any drawing library into what ours draws; undefined: there is nothing in it. */
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

/** What a picture shows: a row of nothing beside another one is told by the table alone. */
export function worthDrawing(series: readonly Series[]): readonly Series[] {
  return series.filter(({ values }) => values.some((value) => value !== 0))
}
