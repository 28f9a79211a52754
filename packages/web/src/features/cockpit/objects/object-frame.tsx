import { displayAddress } from '@gatehouse/contract/canonical-address'
import { kinds } from '@gatehouse/contract/directory/kinds'
import type { SubscribedType } from '@gatehouse/contract/staff/staff-subscriptions'
import type { ProvisioningFailure } from '@gatehouse/contract/staff/staff-views'
import type { ReactNode } from 'react'
import { EventLog } from '../../../domain/events/event-log.tsx'
import { useRecentObject } from '../../../domain/search/use-recent-object.ts'
import { customerNumber, day } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Link } from '../../../router/link.tsx'
import type { Fact } from '../../../ui/facts/facts.tsx'
import { StatusChip, type StatusFlags } from '../../../ui/facts/status-chip.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { type Tab, Tabs } from '../../../ui/page/tabs.tsx'
import type { SetupProcess } from '../../../ui/status-box/setup-process.ts'
import { FactList } from '../shared/fact-list.tsx'
import { SetupNote } from '../shared/setup-note.tsx'
import { ObjectSubscriptionsTab } from '../shared/subscriptions.tsx'
import '../cockpit.css'

/** What staff see of every kind of object. */
export interface StaffObject extends StatusFlags {
  id: number
  created_at: string
  updated_at: string
  deleted_at: string | null
  statusInfo: SetupProcess
  failures: readonly ProvisioningFailure[]
  /** For kinds with an address. */
  email?: string
  owner: { id: number; email: string } | null
  tenant: { id: number | null; title: string }
}

export interface ObjectFrameProps {
  object: StaffObject
  title: string
  /** Title of the facts panel, such as "Domain". */
  kind: string
  /** In addition to those of all kinds; facts without a value are omitted. */
  facts: readonly Fact[]
  tabs: readonly Tab[]
  log: SubscribedType
  actions?: ReactNode
  /** Shown above the columns, such as a deletion notice. */
  notes?: ReactNode
}

/** The page of a domain, list, resource or folder as staff see it. */
export function ObjectFrame(props: ObjectFrameProps) {
  const { object, title, kind, facts, tabs, log, actions, notes } = props
  const t = useT()
  const { owner } = object
  useRecentObject(kinds[log].name, { id: object.id, title, detail: object.email ?? null })
  const all: Fact[] = [
    {
      label: t('customer.managedBy'),
      value: owner ? (
        <Link to={`/user/${owner.id}`}>{displayAddress(owner.email)}</Link>
      ) : (
        t('customer.nobody')
      ),
    },
    { label: t('words.tenant'), value: object.tenant.id === null ? '' : object.tenant.title },
    { label: t('customer.id'), value: String(object.id) },
    { label: t('words.created'), value: day(object.created_at) },
    { label: t('words.changed'), value: day(object.updated_at) },
    ...facts,
  ]
  return (
    <>
      <PageHead
        title={title}
        status={<StatusChip of={object} />}
        facts={t('customer.objectId', { kind, id: customerNumber(object.id) })}
        trail={[
          { label: t('cockpit.customers'), to: '/dashboard' },
          ...(owner ? [{ label: displayAddress(owner.email), to: `/user/${owner.id}` }] : []),
        ]}
        actions={actions}
      />
      {notes}
      {object.deleted_at === null && <SetupNote process={object.statusInfo} failures={object.failures} />}
      <div className="cockpit-columns">
        <Panel title={kind}>
          <FactList facts={all.filter(({ value }) => Boolean(value))} />
        </Panel>
        <div className="cockpit-main">
          <Tabs
            label={t('words.partsOfThePage')}
            outside
            keep={[]}
            tabs={[
              ...tabs,
              {
                name: 'subscriptions',
                label: t('customer.subscriptions'),
                content: () => <ObjectSubscriptionsTab type={log} id={object.id} name={title} />,
              },
              {
                name: 'history',
                label: t('words.history'),
                content: () => <EventLog type={log} id={object.id} />,
              },
            ]}
          />
        </div>
      </div>
    </>
  )
}
