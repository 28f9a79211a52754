import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { type KeyboardEvent, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { fileSize } from '../../../i18n/file-size.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { keepFocusInside, useModal } from '../../../ui/dialog/modal.ts'
import { isPlainKey } from '../../../ui/keyboard/next-stop.ts'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { neighbour } from './preview-kinds.ts'
import { Stage, type StagedFile } from './stage.tsx'
import '../files.css'

export interface PreviewDialogProps {
  /** Undefined until known. */
  item: StagedFile | undefined
  /** The list it belongs to. */
  items: readonly { id: string; hasPreview: boolean }[]
  isLoading: boolean
  isError: boolean
  onRetry: () => unknown
  onTurn: (id: string) => void
  onDownload: () => unknown
  onClose: () => void
}

/** Full-window preview of a file. The arrow keys move to the other items of the list. */
export function PreviewDialog(props: PreviewDialogProps) {
  return createPortal(<OpenPreview {...props} />, document.body)
}

function OpenPreview(props: PreviewDialogProps) {
  const { item, items, isLoading, isError, onRetry, onTurn, onDownload, onClose } = props
  const t = useT()
  const titleId = useId()
  const panel = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLHeadingElement>(null)
  useModal(panel, head)
  const before = item && neighbour(items, item.id, -1)
  const after = item && neighbour(items, item.id, 1)

  const onKeyDown = (event: KeyboardEvent) => {
    const turns = isPlainKey(event) && !(event.target instanceof HTMLMediaElement)
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else if (event.key === 'Tab' && panel.current) keepFocusInside(event, panel.current)
    else if (event.key === 'ArrowLeft' && before && turns) onTurn(before.id)
    else if (event.key === 'ArrowRight' && after && turns) onTurn(after.id)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the dialog's keys, whose buttons do the same
    <div className="preview-scrim" data-dialog="" onKeyDown={onKeyDown}>
      <div
        ref={panel}
        className="preview"
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
      >
        <header>
          <h2 id={titleId} ref={head} tabIndex={-1}>
            <bdi>{item?.name ?? t('load.running')}</bdi>
          </h2>
          {item && <span className="preview-size">{fileSize(item.size)}</span>}
          <span className="spacer" />
          <Button variant="quiet" icon={IconDownload} onPress={onDownload}>
            {t('words.download')}
          </Button>
          <Button variant="quiet" icon={IconX} label={t('words.close')} onPress={onClose} />
        </header>
        <div className="preview-body">
          <Turn icon={IconChevronLeft} label={t('files.previous')} to={before?.id} onTurn={onTurn} />
          {isError ? (
            <LoadFailed onRetry={onRetry} />
          ) : (
            <Stage key={item?.id} file={item} isLoading={isLoading} onDownload={onDownload} />
          )}
          <Turn icon={IconChevronRight} label={t('files.next')} to={after?.id} onTurn={onTurn} />
        </div>
      </div>
    </div>
  )
}

interface TurnProps {
  icon: typeof IconChevronLeft
  label: string
  to: string | undefined
  onTurn: (id: string) => void
}

function Turn({ icon, label, to, onTurn }: TurnProps) {
  return (
    <Button
      variant="quiet"
      className="preview-turn"
      icon={icon}
      label={label}
      disabled={to === undefined}
      onPress={() => to !== undefined && onTurn(to)}
    />
  )
}
