import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ReadMetric, readMetrics } from '../../testing/monitoring/metric-text.ts'
import { hasPromtool, promtool } from '../../testing/monitoring/promtool.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const root = join(import.meta.dirname, '../../../../..')
const folder = join(root, 'deploy/monitoring')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Panel {
  readonly type: string
  readonly id: number
  readonly title: string
  readonly datasource?: { readonly uid: string }
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[]
}

let known: readonly ReadMetric[] = []

beforeAll(async () => {
  known = readMetrics((await app().call('GET /api/webhooks/metrics')).body)
})

/** Names of metrics in some text, without the suffixes of a histogram's series. */
function namesIn(text: string): string[] {
  const names = text.match(/\b(?:gatehouse|nodejs|process)_[a-z0-9_]+/g) ?? []
  return [...new Set(names.map((name) => name.replace(/_(?:bucket|count|sum)$/, '')))]
}

describe('the files for monitoring', () => {
  test.each(['alerts.yaml', 'alerts.test.yaml', 'grafana-dashboard.json'])(
    'name only metrics that exist: %s',
    (file) => {
      const names = namesIn(read(`deploy/monitoring/${file}`))
      expect(names.length).toBeGreaterThan(10)
      const exported = new Set(known.map(({ name }) => name.replace(/_(?:bucket|count|sum)$/, '')))
      expect(names.filter((name) => !exported.has(name))).toEqual([])
    },
  )

  test('say for each alert how bad it is, what it means, and where the guide says what to do', () => {
    const anchors = new Set(
      [...read('docs/OPERATIONS.md').matchAll(/^#{2,3} (.+)$/gm)].map(([, title = '']) =>
        title.toLowerCase().replaceAll(' ', '-'),
      ),
    )
    const alerts = read('deploy/monitoring/alerts.yaml')
      .split(/^ {6}- alert: /m)
      .slice(1)
    expect(alerts.length).toBeGreaterThan(15)
    for (const alert of alerts) {
      expect(alert).toMatch(/\n {10}severity: (critical|warning)\n/)
      expect(alert).toMatch(/\n {10}summary: '.+'\n {10}description: '.+'\n/)
      const [, anchor = ''] = /\n {10}runbook: docs\/OPERATIONS\.md#(\S+)\n/.exec(alert) ?? []
      expect(anchors, alert).toContain(anchor)
    }
  })

  test('have a dashboard with a chosen data source, whose panels all ask something', () => {
    const { panels, templating } = JSON.parse(read('deploy/monitoring/grafana-dashboard.json'))
    expect(templating.list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource' }),
    )
    expect(new Set(panels.map(({ id }: Panel) => id)).size).toBe(panels.length)
    const charts: readonly Panel[] = panels.filter(({ type }: Panel) => type !== 'row')
    expect(charts.length).toBeGreaterThan(30)
    for (const { title, datasource, targets = [] } of charts) {
      const sources = [datasource, ...targets.map((target) => target.datasource)]
      expect(sources.filter((source) => !/^\$\{datasource\}$/.test(source?.uid ?? ''))).toEqual([])
      expect(targets.length, title).toBeGreaterThan(0)
      expect(targets.every(({ expr }) => namesIn(expr).length > 0)).toBe(true)
    }
  })

  describe.skipIf(!hasPromtool)('with promtool of Debian’s prometheus', () => {
    test('have valid rules, and a valid configuration that includes them', async () => {
      expect(await promtool(['check', 'config', join(folder, 'prometheus.yaml')])).toMatch(
        /SUCCESS: \d\d rules found/,
      )
    })

    test('send the alerts of each fault, and none on a quiet day', async () => {
      expect(await promtool(['test', 'rules', join(folder, 'alerts.test.yaml')])).toContain('SUCCESS')
    })

    test('test each alert', () => {
      const names = [...read('deploy/monitoring/alerts.yaml').matchAll(/alert: (\w+)/g)].map(
        ([, name = '']) => name,
      )
      const tested = read('deploy/monitoring/alerts.test.yaml')
      const untested = names.filter((name) => !tested.includes(name))
      expect(untested).toEqual(['GatehouseRestarting', 'GatehouseSlow'])
    })
  })
})

test('docs/OPERATIONS.md lists the metrics of a server', () => {
  const table = [
    '| Metric | Type | Meaning |',
    '|---|---|---|',
    ...known
      .filter(({ name }) => name.startsWith('gatehouse_'))
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help} |`),
  ].join('\n')
  const [, written] =
    /<!-- metrics -->\n([\s\S]*?)\n<!-- end of metrics -->/.exec(read('docs/OPERATIONS.md')) ?? []
  expect(written).toBe(table)
})
