/** A metric as Prometheus reads it. */
export interface ReadMetric {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly series: readonly string[]
  /** Values by label. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>
}

/** Reads a metrics page. */
export function readMetrics(page: string): ReadMetric[] {
  return page
    .split(/^(?=# HELP )/m)
    .filter((part) => part.startsWith('# HELP '))
    .map((part) => {
      const [, name = '', help = ''] = /^# HELP (\S+) (.*)$/m.exec(part) ?? []
      const [, type = ''] = new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(part) ?? []
      const series = part.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      const labels = new Map<string, Set<string>>()
      for (const [, label = '', value = ''] of series.join('\n').matchAll(/[{,](\w+)="([^"]*)"/g)) {
        labels.set(label, (labels.get(label) ?? new Set()).add(value))
      }
      return { name, help, type, series, labels }
    })
}
