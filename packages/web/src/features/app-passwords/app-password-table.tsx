import type { AppPassword } from '@gatehouse/contract/sessions/app-passwords'
import type { ReactNode } from 'react'
import { scopeLabels } from '../../domain/app-passwords/scope-labels.ts'
import { regionName } from '../../domain/country-picker/countries.ts'
import { day, moment } from '../../i18n/format.ts'
import { currentLanguage, type Translate, useT } from '../../i18n/i18n.ts'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { Tag } from '../../ui/page/panel.tsx'

export interface AppPasswordTableProps {
  rows: readonly AppPassword[]
  actions: (row: AppPassword) => ReactNode
}

/** App passwords with their scopes and last use. */
export function AppPasswordTable({ rows, actions }: AppPasswordTableProps) {
  const t = useT()
  const columns: Column<AppPassword>[] = [
    { name: 'name', label: t('words.name'), phone: 'main', cell: (row) => <Name row={row} /> },
    {
      name: 'lastUse',
      label: t('words.lastUse'),
      phone: 'meta',
      width: '30%',
      cell: (row) => <LastUse row={row} />,
    },
    {
      name: 'expires',
      label: t('words.expires'),
      phone: 'hidden',
      width: '20%',
      cell: (row) => expiryWords(t, row),
    },
    {
      name: 'actions',
      label: t('words.actions'),
      align: 'end',
      width: '96px',
      phone: 'aside',
      cell: actions,
    },
  ]
  return <DataTable label={t('words.appPasswords')} columns={columns} rows={rows} rowKey={({ id }) => id} />
}

function Name({ row }: { row: AppPassword }) {
  const t = useT()
  return (
    <>
      <span className="row">
        <span className="medium truncate">{row.name}</span>
        {row.isExpired && <Tag>{t('apppasswords.expired')}</Tag>}
      </span>
      <span className="data-second">{row.scopes.map((scope) => t(scopeLabels[scope])).join(' · ')}</span>
    </>
  )
}

function LastUse({ row: { lastUse } }: { row: AppPassword }) {
  const t = useT()
  if (!lastUse) return <span className="text-3">{t('apppasswords.unused')}</span>
  const { at, ipAddress, countryCode, service } = lastUse
  const place = countryCode ? `${ipAddress}, ${regionName(countryCode, currentLanguage())}` : ipAddress
  return (
    <>
      <span>{moment(at)}</span>
      <span className="data-second">{`${t(scopeLabels[service])} · ${place}`}</span>
    </>
  )
}

function expiryWords(t: Translate, { expires_at: end }: AppPassword): string {
  return end === null ? t('words.never') : day(end)
}
