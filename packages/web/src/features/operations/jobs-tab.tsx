import type { JobItem, JobState, jobStates } from '@gatehouse/contract/staff/operations'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { useState } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { moment, number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { SearchedList } from '../../ui/data-table/searched-list.tsx'
import { Chip, type Tone } from '../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../ui/icon.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { JobActions } from './job-actions.tsx'

// Importing the contract's array would pull its validator into the bundle.
const states = ['waiting', 'running', 'retrying', 'dead'] as const satisfies typeof jobStates

const looks: Record<JobState, { tone: Tone; icon: Glyph; label: MessageKey }> = {
  waiting: { tone: 'muted', icon: IconClock, label: 'operations.waiting' },
  running: { tone: 'info', icon: IconPlayerPlay, label: 'operations.running' },
  retrying: { tone: 'warning', icon: IconAlertTriangle, label: 'operations.retrying' },
  dead: { tone: 'danger', icon: IconCircleX, label: 'operations.dead' },
}

const options = { sorts: ['due'], filters: { state: states } } as const

/** Pending and failed jobs with their errors. */
export function JobsTab() {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, search, filters } = navigation.place
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const query = useApiPage(
    'GET /api/v4/jobs',
    {
      query: { page, size, search: search || null, state: filters.state ?? null },
    },
    { staleTime: 0 },
  )
  const counts = query.data?.counts
  const toggle = (id: string) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const name = (state: JobState) =>
    counts ? `${t(looks[state].label)} (${number(counts[state])})` : t(looks[state].label)
  return (
    <SearchedList
      label={t('operations.jobs')}
      columns={useColumns(open, toggle)}
      rowKey={({ id }) => id}
      detail={(job) => (open.has(job.id) ? <JobData job={job} /> : undefined)}
      query={query}
      navigation={navigation}
      search={{
        label: t('operations.searchJobs'),
        placeholder: t('operations.searchJobsText'),
        maxLength: 64,
      }}
      filter={{
        label: t('words.status'),
        all: t('words.all'),
        options: states.map((state) => ({ value: state, label: name(state) })),
        value: filters.state,
        onFilter: (state) => navigation.go({ filters: { state } }),
      }}
      empty={<EmptyState title={t('operations.noJobs')}>{t('operations.noJobsText')}</EmptyState>}
    />
  )
}

function useColumns(open: ReadonlySet<string>, toggle: (id: string) => void): readonly Column<JobItem>[] {
  const t = useT()
  return [
    {
      name: 'name',
      label: t('operations.job'),
      phone: 'main',
      width: '46%',
      cell: ({ name, error }) => (
        <>
          <span className="medium mono">{name}</span>
          {error && <span className="data-second jobs-error">{firstLine(error)}</span>}
        </>
      ),
    },
    {
      name: 'state',
      label: t('words.status'),
      phone: 'meta',
      cell: ({ state }) => {
        const { tone, icon, label } = looks[state]
        return (
          <Chip tone={tone} icon={icon}>
            {t(label)}
          </Chip>
        )
      },
    },
    {
      name: 'attempts',
      label: t('operations.attempts'),
      phone: 'meta',
      cell: ({ attempts, maxAttempts }) => (
        <span className="text-2 nowrap">
          {t('operations.attemptsOf', { count: number(attempts), most: number(maxAttempts) })}
        </span>
      ),
    },
    {
      name: 'due',
      label: t('operations.due'),
      phone: 'meta',
      cell: ({ runAt }) => <span className="text-2 nowrap">{moment(runAt)}</span>,
    },
    {
      name: 'actions',
      label: t('words.actions'),
      phone: 'aside',
      align: 'end',
      cell: (job) => (
        <span className="jobs-actions">
          <JobActions job={job} />
          <Button
            variant="quiet"
            icon={open.has(job.id) ? IconChevronUp : IconChevronDown}
            label={t('operations.detailsOf', { name: job.name })}
            aria-expanded={open.has(job.id)}
            onPress={() => toggle(job.id)}
          />
        </span>
      ),
    },
  ]
}

function firstLine(error: string): string {
  const line = error.split('\n')[0] ?? ''
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}

function JobData({ job: { error, payload, createdAt, updatedAt } }: { job: JobItem }) {
  const t = useT()
  return (
    <div className="stack stack-tight small">
      <span className="text-2">
        {t('operations.jobTimes', { created: moment(createdAt), updated: moment(updatedAt) })}
      </span>
      {error && <pre className="jobs-data">{error}</pre>}
      {payload && <pre className="jobs-data">{JSON.stringify(payload, null, 2)}</pre>}
    </div>
  )
}
