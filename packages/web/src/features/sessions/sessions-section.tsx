import type { LockdownReport, OwnSession } from '@gatehouse/contract/sessions/own-sessions'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import { useState } from 'react'
import { moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { logout } from '../../platform/session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel, Tag } from '../../ui/page/panel.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import { DeviceCell, placeWords, sessionName } from './device.tsx'
import { EndedSessions } from './ended-sessions.tsx'
import { LockdownCard } from './lockdown-card.tsx'
import { LockdownResult } from './lockdown-result.tsx'
import './sessions.css'

type Open = { act: 'end'; row: OwnSession } | { act: 'others' }

/** The user's sessions, with buttons to end them. */
export function SessionsSection() {
  const [report, setReport] = useState<LockdownReport>()
  if (report) return <LockdownResult report={report} onDone={() => setReport(undefined)} />
  return <Sessions onLocked={setReport} />
}

function Sessions({ onLocked }: { onLocked: (report: LockdownReport) => void }) {
  const t = useT()
  const [open, setOpen] = useState<Open>()
  const sessions = useApi('GET /api/v4/sessions', {}, { staleTime: 0 })
  const { data } = sessions
  const close = () => setOpen(undefined)
  return (
    <div className="stack">
      <Panel
        flush
        title={t('sessions.title')}
        actions={
          data &&
          data.count > 1 && (
            <Button icon={IconLogout} onPress={() => setOpen({ act: 'others' })}>
              {t('sessions.endOthers')}
            </Button>
          )
        }
      >
        {data && <SessionTable rows={data.list} onEnd={(row) => setOpen({ act: 'end', row })} />}
        {data && data.count > data.list.length && (
          <p className="sessions-more small text-3">
            {t('sessions.more', { shown: data.list.length, count: data.count })}
          </p>
        )}
        {sessions.isPending && <SkeletonRows count={3} />}
        {sessions.isError && !data && (
          <div className="panel-body">
            <LoadFailed onRetry={sessions.refetch} />
          </div>
        )}
      </Panel>
      {data && data.ended.length > 0 && <EndedSessions rows={data.ended} days={data.endedDays} />}
      <LockdownCard onLocked={onLocked} />
      {open?.act === 'end' && <EndDialog row={open.row} onClose={close} />}
      {open?.act === 'others' && data && <OthersDialog count={data.count - 1} onClose={close} />}
    </div>
  )
}

function SessionTable({ rows, onEnd }: { rows: readonly OwnSession[]; onEnd: (row: OwnSession) => void }) {
  const t = useT()
  const columns: Column<OwnSession>[] = [
    {
      name: 'device',
      label: t('words.device'),
      phone: 'main',
      cell: (row) => (
        <DeviceCell session={row} mark={row.isCurrent && <Tag accent>{t('sessions.current')}</Tag>} />
      ),
    },
    { name: 'place', label: t('sessions.place'), phone: 'meta', width: '26%', cell: placeWords },
    {
      name: 'used',
      label: t('words.lastUse'),
      phone: 'meta',
      width: '26%',
      cell: (row) => (
        <>
          <span>{row.isCurrent ? t('sessions.now') : moment(row.last_used_at)}</span>
          <span className="data-second session-since">
            {t('sessions.since', { moment: moment(row.created_at) })}
          </span>
        </>
      ),
    },
    {
      name: 'actions',
      label: t('words.actions'),
      align: 'end',
      width: '116px',
      phone: 'aside',
      cell: (row) => (
        <Button
          size="small"
          label={t('sessions.endLabel', { name: sessionName(t, row) })}
          icon={IconLogout}
          variant="quiet"
          onPress={() => onEnd(row)}
        />
      ),
    },
  ]
  return <DataTable label={t('sessions.title')} columns={columns} rows={rows} rowKey={({ id }) => id} />
}

function EndDialog({ row, onClose }: { row: OwnSession; onClose: () => void }) {
  const t = useT()
  const act = useAct('DELETE /api/v4/sessions/{id}', ['GET /api/v4/sessions'])
  const end = async () => {
    if (row.isCurrent) return logout()
    await act({ params: { id: row.id } })
  }
  const name = sessionName(t, row)
  return (
    <Dialog
      open
      cancelFocus
      title={t('sessions.endTitle', { name })}
      onClose={onClose}
      actions={[{ preset: 'delete', icon: IconLogout, label: t('words.logOut'), onPress: end }]}
    >
      <p>
        {row.isCurrent ? t('sessions.endCurrentText') : t('sessions.endText', { place: placeWords(row) })}
      </p>
    </Dialog>
  )
}

function OthersDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const t = useT()
  const act = useAct('POST /api/v4/sessions/revoke-others', ['GET /api/v4/sessions'])
  const end = async () => {
    await act({ body: {} })
  }
  return (
    <Dialog
      open
      cancelFocus
      title={t('sessions.othersTitle')}
      onClose={onClose}
      actions={[{ preset: 'delete', icon: IconLogout, label: t('sessions.endOthers'), onPress: end }]}
    >
      <p>{t('sessions.othersText', { count })}</p>
    </Dialog>
  )
}
