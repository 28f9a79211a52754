import type { ApiKey } from '@gatehouse/contract/sessions/api-keys'
import type { ReactNode } from 'react'
import { day, moment } from '../../i18n/format.ts'
import { currentLanguage, useT } from '../../i18n/i18n.ts'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { Tag } from '../../ui/page/panel.tsx'
import { regionName } from '../country-picker/countries.ts'
import { scopeWords } from './group-labels.ts'

export interface ApiKeyTableProps {
  label: string
  rows: readonly ApiKey[]
  actions: (row: ApiKey) => ReactNode
}

/** API keys with their permissions, last use and expiry. */
export function ApiKeyTable({ label, rows, actions }: ApiKeyTableProps) {
  const t = useT()
  const columns: Column<ApiKey>[] = [
    { name: 'name', label: t('words.name'), phone: 'main', cell: (row) => <Name row={row} /> },
    {
      name: 'lastUse',
      label: t('words.lastUse'),
      phone: 'meta',
      width: '26%',
      cell: (row) => <LastUse row={row} />,
    },
    {
      name: 'expires',
      label: t('words.expires'),
      phone: 'hidden',
      width: '20%',
      cell: (row) => <Expiry row={row} />,
    },
    {
      name: 'actions',
      label: t('words.actions'),
      align: 'end',
      width: '136px',
      phone: 'aside',
      cell: actions,
    },
  ]
  return <DataTable label={label} columns={columns} rows={rows} rowKey={({ id }) => id} />
}

function Name({ row }: { row: ApiKey }) {
  const t = useT()
  return (
    <>
      <span className="row">
        <span className="medium truncate">{row.name}</span>
        {row.isExpired && <Tag>{t('apikeys.expired')}</Tag>}
      </span>
      <span className="data-second">
        <code>{row.prefix}…</code>
      </span>
      <span className="data-second">{scopeWords(row.scopes)}</span>
    </>
  )
}

function LastUse({ row: { lastUse } }: { row: ApiKey }) {
  const t = useT()
  if (!lastUse) return <span className="text-3">{t('apikeys.unused')}</span>
  const { at, ipAddress, countryCode } = lastUse
  return (
    <>
      <span>{moment(at)}</span>
      <span className="data-second">
        {countryCode ? `${ipAddress}, ${regionName(countryCode, currentLanguage())}` : ipAddress}
      </span>
    </>
  )
}

function Expiry({ row: { expires_at: end, previousUntil } }: { row: ApiKey }) {
  const t = useT()
  return (
    <>
      <span>{end === null ? t('words.never') : day(end)}</span>
      {previousUntil !== null && (
        <span className="data-second">{t('apikeys.previousUntil', { moment: moment(previousUntil) })}</span>
      )}
    </>
  )
}
