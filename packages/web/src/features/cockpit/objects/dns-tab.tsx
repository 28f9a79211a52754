import type { DnsRecord } from '@gatehouse/contract/directory/domains'
import type { StaffDomainDetail } from '@gatehouse/contract/staff/staff-views'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import type { MessageKey } from '../../../i18n/areas.ts'
import { useT } from '../../../i18n/i18n.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { Chip, type Tone } from '../../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import { SmallTable } from '../shared/small-table.tsx'

const looks: Record<DnsRecord['state'] | 'optional', { tone: Tone; icon: Glyph; label: MessageKey }> = {
  ok: { tone: 'success', icon: IconCircleCheck, label: 'words.found' },
  different: { tone: 'warning', icon: IconAlertTriangle, label: 'domains.stateDifferent' },
  missing: { tone: 'danger', icon: IconCircleX, label: 'domains.stateMissing' },
  optional: { tone: 'muted', icon: IconInfoCircle, label: 'domains.stateOptional' },
  unknown: { tone: 'muted', icon: IconHelpCircle, label: 'domains.stateUnknown' },
  unchecked: { tone: 'muted', icon: IconClock, label: 'domains.stateUnchecked' },
}

/** Actual and expected DNS records of a domain, with zone lines to send to the customer. */
export function DnsTab({ domain }: { domain: StaffDomainDetail }) {
  const t = useT()
  const columns: readonly Column<DnsRecord>[] = [
    {
      name: 'record',
      label: t('words.record'),
      phone: 'main',
      width: '30%',
      cell: ({ type, name }) => (
        <>
          <span className="medium">{type}</span>
          <span className="data-second mono cockpit-break">{name}</span>
        </>
      ),
    },
    {
      name: 'values',
      label: t('customer.foundOrWanted'),
      phone: 'meta',
      cell: ({ wanted, found, state }) => (
        <span className="cockpit-comment small mono">
          {(state === 'ok' ? wanted : [...found, ...wanted.map((value) => `→ ${value}`)]).join('\n')}
        </span>
      ),
    },
    {
      name: 'state',
      label: t('words.status'),
      phone: 'aside',
      cell: ({ state, isOptional }) => {
        const { tone, icon, label } = looks[state === 'missing' && isOptional ? 'optional' : state]
        return (
          <Chip tone={tone} icon={icon}>
            {t(label)}
          </Chip>
        )
      },
    },
  ]
  return (
    <div className="stack">
      <SmallTable
        label={t('customer.dns')}
        columns={columns}
        rows={domain.dnsReport.records}
        rowKey={({ kind, name }) => `${kind} ${name}`}
        empty={null}
      />
      <Zone title={t('customer.zoneConfirm')} lines={domain.dns} />
      <Zone title={t('customer.zoneMail')} lines={domain.mx} />
    </div>
  )
}

function Zone({ title, lines }: { title: string; lines: readonly string[] }) {
  const t = useT()
  if (lines.length === 0) return null
  return (
    <Panel
      title={title}
      actions={
        <CopyButton
          compact
          text={lines.join('\n')}
          label={title}
          copied={t('words.copied')}
          onRefused={() => toasts.info(t('copy.refused'))}
        />
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: lines that are wider than the page are scrolled by key */}
      <pre className="cockpit-zone" tabIndex={0}>
        {lines.join('\n')}
      </pre>
    </Panel>
  )
}
