import type { HealthPart } from '@gatehouse/contract/staff/operations'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import { moment, number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Chip, type Tone } from '../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../ui/icon.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Note, type NoteTone } from '../../ui/page/note.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'

const partNames: Record<HealthPart['name'], MessageKey> = {
  database: 'operations.database',
  queue: 'operations.queue',
  mail: 'operations.mail',
  provisioning: 'operations.provisioning',
  payments: 'operations.payments',
  exchange: 'operations.exchange',
  countries: 'operations.countries',
}

const looks: Record<HealthPart['state'], { tone: Tone; icon: Glyph; label: MessageKey }> = {
  ok: { tone: 'success', icon: IconCircleCheck, label: 'operations.stateOk' },
  degraded: { tone: 'warning', icon: IconAlertTriangle, label: 'operations.stateDegraded' },
  down: { tone: 'danger', icon: IconCircleX, label: 'operations.stateDown' },
  unused: { tone: 'muted', icon: IconClock, label: 'operations.stateUnused' },
}

/** Labels of the figures of a part. */
const factTexts: Record<string, MessageKey> = {
  milliseconds: 'operations.factMilliseconds',
  waiting: 'operations.factWaiting',
  running: 'operations.factRunning',
  retrying: 'operations.factRetrying',
  dead: 'operations.factDead',
  oldestSeconds: 'operations.factOldest',
  sent: 'operations.factSent',
  failed: 'operations.factFailed',
  alarms: 'operations.factAlarms',
  pending: 'operations.factPending',
  ageDays: 'operations.factAgeDays',
}

const verdicts = {
  ok: { tone: 'success', title: 'operations.allWell' },
  degraded: { tone: 'warning', title: 'operations.someDegraded' },
  down: { tone: 'danger', title: 'operations.someDown' },
} as const satisfies Record<string, { tone: NoteTone; title: MessageKey }>

/** Polling interval in milliseconds. */
const every = 30_000

/** Health of the installation's parts. */
export function HealthTab() {
  const t = useT()
  const { data, isError, refetch } = useApi(
    'GET /api/v4/health',
    {},
    { staleTime: 0, refetchInterval: every },
  )
  if (!data) {
    return (
      <Panel flush={!isError} busy={!isError}>
        {isError ? <LoadFailed onRetry={refetch} /> : <SkeletonRows count={5} />}
      </Panel>
    )
  }
  const verdict = verdicts[data.state]
  return (
    <div className="stack">
      <Note
        tone={verdict.tone}
        title={t(verdict.title)}
        actions={
          <Button size="small" icon={IconRefresh} onPress={() => refetch()}>
            {t('operations.again')}
          </Button>
        }
      >
        {t('operations.checked', { time: moment(data.checkedAt), version: data.version })}
      </Note>
      <section className="panel" aria-label={t('operations.health')}>
        <ul className="health">
          {data.parts.map((part) => (
            <Part key={part.name} part={part} />
          ))}
        </ul>
      </section>
    </div>
  )
}

function Part({ part: { name, state, message, facts } }: { part: HealthPart }) {
  const t = useT()
  const { tone, icon, label } = looks[state]
  const known = Object.entries(facts).flatMap(([key, value]) => {
    const text = factTexts[key]
    if (value === null) return []
    return typeof value === 'number' && text ? t(text, { count: number(value) }) : String(value)
  })
  return (
    <li>
      <h2>{t(partNames[name])}</h2>
      <div>
        <p>{message}</p>
        {known.length > 0 && <p className="small text-3">{known.join(' · ')}</p>}
      </div>
      <Chip tone={tone} icon={icon}>
        {t(label)}
      </Chip>
    </li>
  )
}
