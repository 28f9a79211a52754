import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Delegation } from '@gatehouse/contract/directory/delegation'
import type { ReactNode } from 'react'
import { type Translate, useT } from '../../../i18n/i18n.ts'
import { type Column, DataTable } from '../../../ui/data-table/data-table.tsx'
import { Tag } from '../../../ui/page/panel.tsx'
import { accessLabels, kindLabels, kinds } from './delegation-rights.ts'

export interface DelegationTableProps {
  label: string
  rows: readonly Delegation[]
  /** Buttons at the end of a row. */
  actions?: (row: Delegation) => ReactNode
}

/** Persons with what they may do, each kind in a column; on a phone in one line of words. */
export function DelegationTable({ label, rows, actions }: DelegationTableProps) {
  const t = useT()
  const columns: Column<Delegation>[] = [
    { name: 'person', label: t('words.person'), phone: 'main', cell: (row) => <Person row={row} /> },
    ...kinds.map(
      (kind): Column<Delegation> => ({
        name: kind,
        label: t(kindLabels[kind]),
        phone: 'hidden',
        width: '13%',
        cell: ({ options }) => <Right>{options[kind] && t(accessLabels[options[kind]])}</Right>,
      }),
    ),
    {
      name: 'send_as',
      label: t('words.sendAs'),
      phone: 'hidden',
      width: '10%',
      cell: ({ options }) => <Right>{options.send_as ? t('words.yes') : undefined}</Right>,
    },
  ]
  if (actions)
    columns.push({
      name: 'actions',
      label: t('words.actions'),
      align: 'end',
      width: '96px',
      phone: 'aside',
      cell: actions,
    })
  return <DataTable label={label} columns={columns} rows={rows} rowKey={({ email }) => email} />
}

function Person({ row }: { row: Delegation }) {
  const t = useT()
  const { name, email, isReady } = row
  return (
    <>
      <span className="row">
        <span className="medium truncate">{name}</span>
        {!isReady && <Tag>{t('usersettings.pending')}</Tag>}
      </span>
      {name !== email && <span className="data-second truncate">{displayAddress(email)}</span>}
      <span className="delegation-summary">{rightsText(t, row)}</span>
    </>
  )
}

function Right({ children }: { children: string | undefined }) {
  const t = useT()
  if (children) return children
  return (
    <>
      <span className="text-3" aria-hidden="true">
        –
      </span>
      <span className="visually-hidden">{t('words.none')}</span>
    </>
  )
}

/** All rights in one line, such as "Mail: read and write, Calendar: read". */
function rightsText(t: Translate, { options }: Delegation): string {
  const granted = kinds.flatMap((kind) => {
    const access = options[kind]
    return access ? [`${t(kindLabels[kind])}: ${t(accessLabels[access])}`] : []
  })
  return [...granted, ...(options.send_as ? [t('words.sendAs')] : [])].join(' · ')
}
