import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Delegation } from '@gatehouse/contract/directory/delegation'
import type { ReactNode } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { type Column, DataTable } from '../../../ui/data-table/data-table.tsx'
import { Tag } from '../../../ui/page/panel.tsx'
import { presetLabels, presetOf, rightsInWords } from './delegation-rights.ts'

export interface DelegationTableProps {
  label: string
  rows: readonly Delegation[]
  /** Address a person of a row may send as. */
  sender: (row: Delegation) => string
  /** Buttons at the end of a row. */
  actions?: (row: Delegation) => ReactNode
}

/** People with their rights in words. */
export function DelegationTable({ label, rows, sender, actions }: DelegationTableProps) {
  const t = useT()
  const columns: Column<Delegation>[] = [
    { name: 'person', label: t('words.person'), phone: 'main', cell: (row) => <Person row={row} /> },
    {
      name: 'rights',
      label: t('words.rights'),
      phone: 'meta',
      width: '55%',
      cell: (row) => <Rights row={row} sender={sender(row)} />,
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

function Person({ row: { name, email, isReady } }: { row: Delegation }) {
  const t = useT()
  return (
    <>
      <span className="row">
        <span className="medium truncate">{name}</span>
        {!isReady && <Tag>{t('usersettings.pending')}</Tag>}
      </span>
      {name !== email && <span className="data-second truncate">{displayAddress(email)}</span>}
    </>
  )
}

function Rights({ row: { options }, sender }: { row: Delegation; sender: string }) {
  const t = useT()
  const preset = presetOf(options)
  return (
    <span className="delegation-words">
      {preset !== 'custom' && <span className="medium">{t(presetLabels[preset])}</span>}
      {rightsInWords(t, options, displayAddress(sender)).map((sentence) => (
        <span key={sentence}>{sentence}</span>
      ))}
    </span>
  )
}
