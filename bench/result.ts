/** One measured figure and its limit. */
export interface Result {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** `≤` or `≥` a number in the same unit. */
  readonly bar: { readonly at: 'most' | 'least'; readonly limit: number }
  /** Raw figures. */
  readonly detail: string
}

export interface Benchmark {
  readonly name: string
  run(): Promise<Result[]>
}

export function reaches({ value, bar }: Result): boolean {
  return bar.at === 'most' ? value <= bar.limit : value >= bar.limit
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Formats minimum, median and maximum as `1.2 … 1.4 … 1.9`. */
export function spread(values: readonly number[], digits = 2): string {
  return [Math.min(...values), median(values), Math.max(...values)]
    .map((value) => value.toFixed(digits))
    .join(' … ')
}
