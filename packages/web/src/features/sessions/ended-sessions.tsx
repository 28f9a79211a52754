import type { EndedSession, SessionEnd } from '@gatehouse/contract/sessions/own-sessions'
import type { MessageKey } from '../../i18n/areas.ts'
import { moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { DeviceCell, placeWords } from './device.tsx'

const endLabels: Readonly<Record<SessionEnd, MessageKey>> = {
  'signed-out': 'sessions.endSignedOut',
  ended: 'sessions.endEnded',
  expired: 'sessions.endExpired',
  'password-changed': 'sessions.endPassword',
  'factors-changed': 'sessions.endFactors',
  'token-stolen': 'sessions.endStolen',
  lockdown: 'sessions.endLockdown',
  'by-controller': 'sessions.endController',
  'by-staff': 'sessions.endStaff',
  'device-removed': 'sessions.endDevice',
  other: 'sessions.endOther',
}

/** Sessions ended in the last weeks, with the reason; collapsed, since no action is needed. */
export function EndedSessions({ rows, days }: { rows: readonly EndedSession[]; days: number }) {
  const t = useT()
  const columns: Column<EndedSession>[] = [
    {
      name: 'device',
      label: t('words.device'),
      phone: 'main',
      cell: (row) => <DeviceCell session={row} />,
    },
    { name: 'place', label: t('sessions.place'), phone: 'meta', width: '26%', cell: placeWords },
    {
      name: 'ended',
      label: t('sessions.ended'),
      phone: 'meta',
      width: '36%',
      cell: (row) => (
        <>
          <span>{moment(row.ended_at)}</span>
          <span className="data-second">{t(endLabels[row.end])}</span>
        </>
      ),
    },
  ]
  const label = t('sessions.endedTitle', { days })
  return (
    <details className="sessions-ended panel">
      <summary>
        <h2>{label}</h2>
        <span className="text-3">{rows.length}</span>
      </summary>
      <DataTable label={label} columns={columns} rows={rows} rowKey={({ id }) => id} />
    </details>
  )
}
