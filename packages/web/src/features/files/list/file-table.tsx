import type { FileItem } from '@gatehouse/contract/files/file-items'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { fileSize } from '../../../i18n/file-size.ts'
import { moment } from '../../../i18n/format.ts'
import { type Translate, useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { type Column, PageBox, RowBox, type RowChoice } from '../../../ui/data-table/data-table.tsx'
import type { Order } from '../../../ui/data-table/list-place.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Thumbnail } from '../thumbnail.tsx'
import { canMoveInto } from './acts.ts'
import type { Chosen } from './chosen.ts'
import { useDropTarget } from './dragging.ts'
import type { Ask } from './item-dialogs.tsx'
import { ItemMenu } from './item-menu.tsx'
import { ItemName } from './item-name.tsx'
import { type RowsProps, useRows } from './list-rows.ts'

export interface FileTableProps extends RowsProps {
  sort: string
  order: Order
  onSort: (name: string) => void
}

/** Columns of a list of items, for its headers, skeleton and sort menu. */
export function fileColumns(t: Translate): readonly Column<FileItem>[] {
  return [
    { name: 'name', label: t('words.name'), sortable: true, phone: 'main', cell: () => null },
    {
      name: 'size',
      label: t('files.size'),
      sortable: true,
      align: 'end',
      phone: 'hidden',
      width: '12%',
      cell: () => null,
    },
    {
      name: 'mtime',
      label: t('words.changed'),
      sortable: true,
      align: 'end',
      phone: 'hidden',
      width: '20%',
      cell: () => null,
    },
    {
      name: 'menu',
      label: t('words.actions'),
      align: 'end',
      phone: 'aside',
      width: '96px',
      cell: () => null,
    },
  ]
}

/** The items of a folder as rows. */
export function FileTable(props: FileTableProps) {
  const { label, items, chosen, sort, order, onSort, busy } = props
  const t = useT()
  const rows = useRows(props)
  const choice = choiceOf(chosen)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys and clicks of rows with real controls
    <div className="files-rows" onClick={rows.onClick} onKeyDown={rows.onKeyDown}>
      <table className="data-table" aria-label={label} aria-busy={busy || undefined}>
        <thead>
          <tr>
            <PageBox choice={choice} />
            {fileColumns(t).map((column) => (
              <Head key={column.name} column={column} sort={sort} order={order} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row key={item.id} item={item} choice={choice} rows={rows} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Checkboxes like those of other tables. */
export function choiceOf(chosen: Chosen<FileItem>): RowChoice<FileItem> {
  return {
    name: ({ name }) => name,
    isChosen: chosen.has,
    page: chosen.page,
    onRow: chosen.press,
    onPage: chosen.pressPage,
    onClear: chosen.clear,
  }
}

interface HeadProps extends Pick<FileTableProps, 'sort' | 'order' | 'onSort'> {
  column: Column<FileItem>
}

function Head({ column: { name, label, sortable, align, width }, sort, order, onSort }: HeadProps) {
  const isSorted = sort === name
  const ariaSort = order === 'desc' ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      style={{ width }}
      className={align && 'data-end'}
      aria-sort={isSorted ? ariaSort : undefined}
    >
      {sortable ? (
        <button type="button" onClick={() => onSort(name)}>
          {label}
          {isSorted && <Icon of={order === 'desc' ? IconChevronDown : IconChevronUp} size="small" />}
        </button>
      ) : (
        <span className="visually-hidden">{label}</span>
      )}
    </th>
  )
}

interface RowProps extends RowsProps {
  item: FileItem
  choice: RowChoice<FileItem>
  rows: ReturnType<typeof useRows>
}

function Row({ item, choice, rows, chosen, ask, onPreview, onMove, onFiles }: RowProps) {
  const isFolder = item.type === 'collection'
  const drop = useDropTarget({
    canTake: (items) => isFolder && item.canUpdate && canMoveInto(items, item.id),
    onItems: (items) => onMove(items, item),
    onFiles: isFolder && item.canUpdate ? (transfer) => onFiles(transfer, item) : undefined,
  })
  const size = isFolder ? '' : fileSize(item.size)
  return (
    <tr
      data-item={item.id}
      className={rowClass(chosen.has(item), drop.isOver)}
      draggable={item.canUpdate}
      onDragStart={(event) => rows.onDragStart(event, item)}
      onDragEnd={rows.onDragEnd}
      {...drop.props}
    >
      <RowBox row={item} choice={choice} />
      <td className="data-main">
        <span className="files-name">
          <Thumbnail item={item} size="64" />
          <ItemName item={item} facts={[size, moment(item.mtime)].filter(Boolean).join(' · ')} />
        </span>
      </td>
      <td className="data-hidden data-end">{isFolder ? <span className="text-3">–</span> : size}</td>
      <td className="data-hidden data-end text-3">{moment(item.mtime)}</td>
      <td className="data-aside data-end">
        <span className="files-acts">
          {item.canShare && <ShareButton item={item} ask={ask} />}
          <ItemMenu item={item} ask={ask} onPreview={onPreview} />
        </span>
      </td>
    </tr>
  )
}

function ShareButton({ item, ask }: { item: FileItem; ask: Ask }) {
  const t = useT()
  return (
    <Button
      variant="quiet"
      size="small"
      icon={IconUsers}
      label={t('files.shareTitle', { name: item.name })}
      onPress={() => ask('share', [item])}
    />
  )
}

export function rowClass(isChosen: boolean, isOver: boolean): string {
  return [isChosen && 'data-chosen', isOver && 'files-over'].filter(Boolean).join(' ')
}
