import type { FileItem } from '@gatehouse/contract/files/file-items'
import type { DragEvent, KeyboardEvent, MouseEvent } from 'react'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { isPlainKey } from '../../../ui/keyboard/next-stop.ts'
import { itemPath } from '../calls.ts'
import type { Chosen } from './chosen.ts'
import { endDrag, startDrag } from './dragging.ts'
import type { Ask } from './item-dialogs.tsx'

/** Props shared by tables and grids of items. */
export interface RowsProps {
  label: string
  items: readonly FileItem[]
  chosen: Chosen<FileItem>
  ask: Ask
  onPreview: (item: FileItem) => void
  /** Moves items into a folder of the list. */
  onMove: (items: readonly FileItem[], folder: FileItem) => void
  /** Uploads files from the desktop to a folder of the list. */
  onFiles: (transfer: DataTransfer, folder: FileItem) => void
  busy: boolean
}

/** Controls of a row, which handle their own clicks. */
const controls = 'button, input, label, select, [role="menu"]'

/** Handles clicks, keys and drags on the rows of a list. */
export function useRows({ items, chosen, ask }: Pick<RowsProps, 'items' | 'chosen' | 'ask'>) {
  const t = useT()
  const navigate = useNavigate()
  const itemOf = (target: EventTarget | null): FileItem | undefined => {
    const id = target instanceof Element && target.closest<HTMLElement>('[data-item]')?.dataset.item
    return items.find((item) => item.id === id)
  }

  /** Selects with ctrl or shift, otherwise opens. */
  const onClick = (event: MouseEvent) => {
    const item = itemOf(event.target)
    if (!item || !(event.target instanceof Element) || event.target.closest(controls)) return
    if (event.shiftKey || event.ctrlKey || event.metaKey) {
      event.preventDefault()
      chosen.press(item, { range: event.shiftKey })
      // keyboard navigation continues from here
      event.target.closest('[data-item]')?.querySelector<HTMLElement>('[data-item-link]')?.focus()
      return
    }
    const isLink = event.target.closest('a') !== null
    if (isLink || event.detail > 1 || window.getSelection()?.toString()) return
    void navigate({ to: itemPath(item) })
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const item = itemOf(event.target)
    const isTyped = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox'
    if (isTyped || (event.target instanceof Element && event.target.closest('[role="menu"]'))) return
    const acted = item && !chosen.has(item) ? [item] : chosen.items
    const isCommand = event.ctrlKey || event.metaKey
    if (event.key === 'a' && isCommand) chosen.only(items)
    else if (event.key === 'Escape' && chosen.items.length > 0) chosen.clear()
    else if (event.key === 'Delete' && acted.length > 0 && acted.every(({ canDelete }) => canDelete))
      ask('delete', acted)
    else if (event.key === 'F2' && item?.canUpdate) ask('rename', [item])
    else if (event.key === ' ' && item && event.target instanceof HTMLAnchorElement)
      chosen.press(item, { range: event.shiftKey })
    else if (!moveFocus(event, item)) return
    event.preventDefault()
  }

  /** Focuses the row an arrow key points to; with shift, selects it too. */
  const moveFocus = (event: KeyboardEvent<HTMLElement>, item: FileItem | undefined): boolean => {
    if (!isPlainKey(event)) return false
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-item]')]
    const at = rows.findIndex((row) => row.dataset.item === item?.id)
    const next = rowFor(event.key, at, rows)
    const link = next?.querySelector<HTMLElement>('[data-item-link]')
    if (!next || !link) return false
    link.focus()
    const to = items.find(({ id }) => id === next.dataset.item)
    if (event.shiftKey && item && to) chosen.step(item, to)
    return true
  }

  const onDragStart = (event: DragEvent, item: FileItem) => {
    const moved = chosen.has(item) ? chosen.items : [item]
    startDrag(event, moved, t('list.selected', { count: moved.length, number: number(moved.length) }))
  }
  return { onClick, onKeyDown, onDragStart, onDragEnd: endDrag }
}

/** Returns the row, or card of a grid, that a key leads to. */
function rowFor(key: string, at: number, rows: readonly HTMLElement[]): HTMLElement | undefined {
  const from = rows[at]
  if (!from) return undefined
  if (key === 'Home') return rows[0]
  if (key === 'End') return rows.at(-1)
  const columns = rows.filter((row) => row.offsetTop === from.offsetTop).length
  if (key === 'ArrowDown') return rows[at + columns] ?? (columns > 1 ? undefined : rows[at + 1])
  if (key === 'ArrowUp') return rows[at - columns]
  // in a table, left and right are left to the screen reader
  if (columns < 2) return undefined
  if (key === 'ArrowRight') return rows[at + 1]
  return key === 'ArrowLeft' ? rows[at - 1] : undefined
}
