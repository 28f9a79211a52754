import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useDropped } from '../uploads/use-dropped.ts'
import { bringsFiles } from './dragging.ts'

export interface DropPageProps {
  /** The target folder. */
  name: string
  parent: string | null
  enabled: boolean
  children: ReactNode
}

/**
 * Accepts files and folders from the desktop anywhere on the page: missing a target would make the browser
 * leave the page.
 */
export function DropPage({ name, parent, enabled, children }: DropPageProps) {
  const t = useT()
  const take = useDropped()
  const [isOver, setOver] = useState(false)
  const onOver = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer || !bringsFiles(event.dataTransfer)) return
    const isTaken = event.defaultPrevented
    event.preventDefault()
    if (isTaken) return setOver(false)
    event.dataTransfer.dropEffect = enabled ? 'copy' : 'none'
    setOver(enabled)
  })
  const onLeave = useEffectEvent((event: DragEvent) => {
    // it left the window
    if (event.relatedTarget === null) setOver(false)
  })
  const onDrop = useEffectEvent((event: DragEvent) => {
    setOver(false)
    if (event.defaultPrevented || !event.dataTransfer || !bringsFiles(event.dataTransfer)) return
    event.preventDefault()
    if (enabled) take(event.dataTransfer, parent)
  })

  useEffect(() => {
    const over = (event: DragEvent) => onOver(event)
    const leave = (event: DragEvent) => onLeave(event)
    const drop = (event: DragEvent) => onDrop(event)
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])

  return (
    <div className="files-drop" data-over={isOver || undefined}>
      {children}
      {isOver && (
        <div className="files-drop-words">
          <Icon of={IconUpload} size="large" />
          <b>{t('files.dropHere', { name })}</b>
          <span>{t('files.dropHint')}</span>
        </div>
      )}
    </div>
  )
}
