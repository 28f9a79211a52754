import { type HrTime, ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { Metrics } from '../metrics/metrics.ts'

/** A value as the Prometheus library gives it. */
interface Value {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number | undefined>>
  readonly metricName?: string
}

/** Gives OpenTelemetry the metrics that Prometheus reads, under the same names. */
export function metricProducer(metrics: Metrics, resource: Resource): MetricProducer {
  return {
    async collect(): Promise<CollectionResult> {
      const endTime = hrTime(performance.timeOrigin + performance.now())
      const all = await metrics.getMetricsAsJSON()
      const data = all.flatMap((metric) => {
        const { name, help, type } = metric
        // the library declares only labels and values, but says here which series of a histogram a value belongs to
        const values = metric.values as readonly Value[]
        const converted = convert(String(type), values, endTime)
        return converted === undefined ? [] : [{ ...converted, descriptor: describe(name, help) }]
      })
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'gatehouse' }, metrics: data }] },
        errors: [],
      }
    },
  }
}

type Converted = {
  [Type in MetricData['dataPointType']]: Omit<MetricData & { dataPointType: Type }, 'descriptor'>
}[MetricData['dataPointType']]

function convert(type: string, values: readonly Value[], endTime: HrTime): Converted | undefined {
  const times = { startTime: hrTime(performance.timeOrigin), endTime }
  const cumulative = { aggregationTemporality: AggregationTemporality.CUMULATIVE }
  const dataPoints = () =>
    values.map(({ value, labels }) => ({ ...times, attributes: textLabels(labels), value }))
  switch (type) {
    case 'gauge':
      return { ...cumulative, dataPointType: DataPointType.GAUGE, dataPoints: dataPoints() }
    case 'counter':
      return { ...cumulative, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: dataPoints() }
    case 'histogram':
      return {
        ...cumulative,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: histograms(values).map((point) => ({ ...times, ...point })),
      }
    default:
      return undefined
  }
}

/** Groups the series of a histogram by their labels. Buckets of Prometheus contain the smaller ones. */
function histograms(values: readonly Value[]) {
  const groups = new Map<string, { labels: Value['labels']; series: Value[] }>()
  for (const value of values) {
    const { le: _, ...labels } = value.labels
    const name = JSON.stringify(labels)
    const group = groups.get(name) ?? { labels, series: [] }
    groups.set(name, group)
    group.series.push(value)
  }
  return [...groups.values()].map(({ labels, series }) => {
    const of = (suffix: string) => series.filter(({ metricName }) => metricName?.endsWith(suffix))
    const buckets = of('_bucket')
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0))
    const boundaries = buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite)
    const count = of('_count')[0]?.value ?? 0
    const sum = of('_sum')[0]?.value ?? 0
    return { attributes: textLabels(labels), value: { buckets: { boundaries, counts }, count, sum } }
  })
}

function textLabels(labels: Value['labels']): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))
}

function describe(name: string, description: string): MetricData['descriptor'] {
  const unit = /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : ''
  return { name, description, unit, valueType: ValueType.DOUBLE }
}

function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000)
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1_000_000)]
}
