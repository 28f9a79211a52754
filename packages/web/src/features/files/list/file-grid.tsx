import type { FileItem } from '@gatehouse/contract/files/file-items'
import { fileSize } from '../../../i18n/file-size.ts'
import { day } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Thumbnail } from '../thumbnail.tsx'
import { canMoveInto } from './acts.ts'
import { useDropTarget } from './dragging.ts'
import { rowClass } from './file-table.tsx'
import { ItemMenu } from './item-menu.tsx'
import { ItemName } from './item-name.tsx'
import { type RowsProps, useRows } from './list-rows.ts'

/** The items of a folder as a grid. */
export function FileGrid(props: RowsProps) {
  const { label, items, busy } = props
  const rows = useRows(props)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys and clicks of cards with real controls
    <div className="files-rows" onClick={rows.onClick} onKeyDown={rows.onKeyDown}>
      <ul className="files-grid" aria-label={label} aria-busy={busy || undefined}>
        {items.map((item) => (
          <Card key={item.id} item={item} rows={rows} {...props} />
        ))}
      </ul>
    </div>
  )
}

interface CardProps extends RowsProps {
  item: FileItem
  rows: ReturnType<typeof useRows>
}

function Card({ item, rows, chosen, ask, onPreview, onMove, onFiles }: CardProps) {
  const t = useT()
  const isFolder = item.type === 'collection'
  const drop = useDropTarget({
    canTake: (items) => isFolder && item.canUpdate && canMoveInto(items, item.id),
    onItems: (items) => onMove(items, item),
    onFiles: isFolder && item.canUpdate ? (transfer) => onFiles(transfer, item) : undefined,
  })
  return (
    <li
      data-item={item.id}
      className={`files-card ${rowClass(chosen.has(item), drop.isOver)}`}
      draggable={item.canUpdate}
      onDragStart={(event) => rows.onDragStart(event, item)}
      onDragEnd={rows.onDragEnd}
      {...drop.props}
    >
      <Thumbnail item={item} size="256" />
      <label className="files-card-box">
        <input
          type="checkbox"
          aria-label={t('list.selectRow', { name: item.name })}
          checked={chosen.has(item)}
          onChange={(event) =>
            chosen.press(item, {
              range: event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey,
            })
          }
        />
      </label>
      <span className="files-card-foot" title={item.name}>
        <ItemName item={item} facts="" />
        <ItemMenu item={item} ask={ask} onPreview={onPreview} />
      </span>
      <span className="files-card-facts">
        {[isFolder ? '' : fileSize(item.size), day(item.mtime)].filter(Boolean).join(' · ')}
      </span>
    </li>
  )
}
