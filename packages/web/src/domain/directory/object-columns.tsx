import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { DirectoryKind } from '@gatehouse/contract/directory/kinds'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { FoundText } from '../../ui/data-table/found-text.tsx'
import { TableLink } from '../../ui/data-table/table-link.tsx'
import { StatusChip, type StatusFlags } from '../../ui/facts/status-chip.tsx'
import { type Glyph, Icon } from '../../ui/icon.tsx'
import { looks, pageOf } from './kind.ts'
import { useRestore } from './use-restore.ts'

/** Common fields of all list rows. */
export interface ObjectRow extends StatusFlags {
  id: number
  name: string
  email: string
  created_at: string
  deleted_at: string | null
  restorable_until: string | null
}

export interface ColumnOptions<Row extends ObjectRow> {
  kind: DirectoryKind
  /** The list shows deleted objects. */
  deleted: boolean
  /** Between address and status. */
  more?: readonly Column<Row>[]
  icon?: (row: Row) => Glyph
  /** Shown after the address on phones, where there is no room for columns. */
  fact?: (row: Row) => string
}

/** Returns the common columns of lists, including those of the kind. */
export function useObjectColumns<Row extends ObjectRow>(options: ColumnOptions<Row>): readonly Column<Row>[] {
  const { kind, deleted, more = [] } = options
  const t = useT()
  const common: Column<Row>[] = [
    {
      name: 'name',
      label: t('words.name'),
      sortable: true,
      phone: 'main',
      width: '34%',
      cell: (row) => <NameCell row={row} {...options} />,
    },
    {
      name: 'email',
      label: t('words.address'),
      sortable: true,
      phone: 'hidden',
      cell: ({ email }) => (
        <span className="directory-address">
          <FoundText text={displayAddress(email)} />
        </span>
      ),
    },
  ]
  if (deleted) return [...common, ...deletionColumns<Row>(t, kind)]
  return [
    ...common,
    ...more,
    {
      name: 'status',
      label: t('words.status'),
      phone: 'aside',
      width: '14%',
      cell: (row) => <StatusChip of={row} />,
    },
    {
      name: 'created',
      label: t('words.created'),
      sortable: true,
      align: 'end',
      phone: 'hidden',
      width: '13%',
      cell: ({ created_at }) => <span className="text-3">{day(created_at)}</span>,
    },
  ]
}

function deletionColumns<Row extends ObjectRow>(
  t: ReturnType<typeof useT>,
  kind: DirectoryKind,
): Column<Row>[] {
  return [
    {
      name: 'deleted',
      label: t('words.deletedOn'),
      phone: 'hidden',
      width: '14%',
      cell: ({ deleted_at }) => <span className="text-3 nowrap">{deleted_at && day(deleted_at)}</span>,
    },
    {
      name: 'restorable',
      label: t('directory.restorableUntil'),
      phone: 'meta',
      width: '17%',
      cell: ({ restorable_until }) => (
        <>
          <span className="directory-phone">{t('directory.restorableUntil')} </span>
          {restorable_until ? day(restorable_until) : '–'}
        </>
      ),
    },
    {
      name: 'restore',
      label: t('words.action'),
      align: 'end',
      phone: 'meta',
      width: '14%',
      cell: (row) => <RestoreButton row={row} kind={kind} />,
    },
  ]
}

function NameCell<Row extends ObjectRow>({
  row,
  kind,
  deleted,
  icon,
  fact,
}: { row: Row } & ColumnOptions<Row>) {
  return (
    <span className="directory-name">
      <span className="directory-icon" aria-hidden="true">
        <Icon of={icon?.(row) ?? looks[kind].icon} size="small" />
      </span>
      <span className="directory-name-text">
        {deleted ? (
          <span className="medium text-3">
            <FoundText text={row.name} />
          </span>
        ) : (
          <TableLink to={`${pageOf(kind)}/${row.id}`}>
            <FoundText text={row.name} />
          </TableLink>
        )}
        <span className="data-second truncate directory-phone">
          {[displayAddress(row.email), !deleted && fact?.(row)].filter(Boolean).join(' · ')}
        </span>
      </span>
    </span>
  )
}

function RestoreButton({ row, kind }: { row: ObjectRow; kind: DirectoryKind }) {
  const t = useT()
  const restore = useRestore(kind)
  return (
    <Button size="small" icon={IconArrowBackUp} onPress={() => restore(row.id)}>
      {t('words.restore')}
      <span className="visually-hidden"> {row.name}</span>
    </Button>
  )
}
