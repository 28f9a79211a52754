import type { FileItem } from '@gatehouse/contract/files/file-items'
import { type DragEvent, useState } from 'react'

/** Media type of our own drags, to tell them from those of other pages and programs. */
const ownType = 'application/x-gatehouse-items'

/** Browsers reveal the content of a drag only on drop, so it is kept here for drags within the page. */
let dragged: readonly FileItem[] = []

/** Starts dragging items. */
export function startDrag(event: DragEvent, items: readonly FileItem[], words: string): void {
  dragged = items
  event.dataTransfer.effectAllowed = 'move'
  event.dataTransfer.setData(ownType, JSON.stringify(items.map(({ id }) => id)))
  if (items.length < 2) return
  const badge = document.createElement('div')
  badge.className = 'files-drag-badge'
  badge.textContent = words
  document.body.append(badge)
  event.dataTransfer.setDragImage(badge, 12, 12)
  // the browser has rendered it by then
  setTimeout(() => badge.remove())
}

export function endDrag(): void {
  dragged = []
}

/** Whether a drag contains files from the desktop. */
export function bringsFiles(transfer: DataTransfer): boolean {
  return transfer.types.includes('Files') && !transfer.types.includes(ownType)
}

export interface DropTargetOptions {
  /** Whether the items may be dropped here. */
  canTake: (items: readonly FileItem[]) => boolean
  onItems: (items: readonly FileItem[]) => void
  /** Files from the desktop; undefined if they may not be dropped here. */
  onFiles?: (transfer: DataTransfer) => void
}

export interface DropTarget {
  isOver: boolean
  props: {
    onDragOver: (event: DragEvent) => void
    onDragLeave: () => void
    onDrop: (event: DragEvent) => void
  }
}

/** A drop target for items of the list or files from the desktop. */
export function useDropTarget({ canTake, onItems, onFiles }: DropTargetOptions): DropTarget {
  const [isOver, setOver] = useState(false)
  const takes = ({ dataTransfer }: DragEvent) =>
    dataTransfer.types.includes(ownType)
      ? dragged.length > 0 && canTake(dragged)
      : onFiles !== undefined && bringsFiles(dataTransfer)
  return {
    isOver,
    props: {
      onDragOver: (event) => {
        if (!takes(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = event.dataTransfer.types.includes(ownType) ? 'move' : 'copy'
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event) => {
        setOver(false)
        if (!takes(event)) return
        // surrounding drop targets ignore events handled here
        event.preventDefault()
        if (event.dataTransfer.types.includes(ownType)) onItems(dragged)
        else onFiles?.(event.dataTransfer)
        endDrag()
      },
    },
  }
}
