import type { FileItem } from '@gatehouse/contract/files/file-items'
import { type DragEvent, useState } from 'react'

/** What drags of our own carry, so that those of other pages and programs are told apart. */
const ownType = 'application/x-gatehouse-items'

/** Browsers show the content of a drag only once it is dropped; within a page it is known. */
let dragged: readonly FileItem[] = []

/** Begins a drag of items. */
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
  // the browser has drawn it by then
  setTimeout(() => badge.remove())
}

export function endDrag(): void {
  dragged = []
}

/** Whether a drag brings files of the desktop. */
export function bringsFiles(transfer: DataTransfer): boolean {
  return transfer.types.includes('Files') && !transfer.types.includes(ownType)
}

export interface DropTargetOptions {
  /** Items of the list may come here. */
  canTake: (items: readonly FileItem[]) => boolean
  onItems: (items: readonly FileItem[]) => void
  /** Files of the desktop; absent: they may not. */
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

/** A place in the page on which items of the list, or files of the desktop, can be dropped. */
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
        // the page around it leaves alone what was taken here
        event.preventDefault()
        if (event.dataTransfer.types.includes(ownType)) onItems(dragged)
        else onFiles?.(event.dataTransfer)
        endDrag()
      },
    },
  }
}
