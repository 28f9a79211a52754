import type { Metrics } from '../../platform/metrics/metrics.ts'
import { version } from '../../platform/release/version.ts'
import { migrations } from '../schema/migrations.ts'

/** Says which build a process runs: version, Node.js, and the newest migration it knows. */
export function measureBuild(metrics: Metrics): void {
  const newest = Object.keys(migrations).sort().at(-1) ?? ''
  const labels = { version, node: process.version, schema: newest.slice(0, 4) }
  metrics.gauge(
    {
      name: 'gatehouse_build_info',
      help: 'Always 1; the labels say which build a process runs',
      labelNames: ['version', 'node', 'schema'],
    },
    () => [{ labels, value: 1 }],
  )
}
