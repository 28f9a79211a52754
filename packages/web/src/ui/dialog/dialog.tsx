import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { Button, type ButtonVariant } from '../buttons/button.tsx'
import type { Glyph } from '../icon.tsx'
import { keepFocusInside, useModal } from './modal.ts'
import './dialog.css'

type Preset = 'delete' | 'submit' | 'save'

/** A button in the footer of a dialog. */
export interface DialogAction {
  /**
   * `delete`: danger, trash icon, closes. `submit` and `save`: primary, tick icon; they submit the form in the
   * body.
   */
  preset?: Preset
  label?: string
  busyLabel?: string
  className?: string
  icon?: Glyph
  /** Closes the dialog once the work started by `onPress` has succeeded. */
  dismiss?: boolean
  disabled?: boolean
  busy?: boolean
  onPress?: () => unknown
}

export interface DialogProps {
  open: boolean
  title: ReactNode
  children: ReactNode
  /** Called on close, cancel, Esc or a click outside. */
  onClose: () => void
  actions?: readonly DialogAction[]
  /** Shown beside the buttons, such as why one of them is disabled. */
  footnote?: string | undefined
  /** Focuses the cancel button: for destructive actions. */
  cancelFocus?: boolean
  cancelLabel?: string
  wide?: boolean
  /** Fills the window, including its body. */
  full?: boolean
  /** The content can't be shown again, so the dialog only closes by its actions. */
  sealed?: boolean
}

interface Look {
  variant: ButtonVariant
  icon: Glyph
  label: MessageKey
  dismiss: boolean
}

const presets: Record<Preset, Look> = {
  delete: { variant: 'danger', icon: IconTrash, label: 'dialog.delete', dismiss: true },
  submit: { variant: 'primary', icon: IconCheck, label: 'dialog.submit', dismiss: false },
  save: { variant: 'primary', icon: IconCheck, label: 'dialog.save', dismiss: false },
}

/** A modal dialog. Keeps its input while mounted. */
export function Dialog(props: DialogProps) {
  if (!props.open) return null
  return createPortal(<OpenDialog {...props} />, document.body)
}

function OpenDialog(props: DialogProps) {
  const {
    title,
    children,
    onClose,
    actions = [],
    cancelFocus = false,
    cancelLabel,
    wide,
    full,
    footnote,
  } = props
  const { sealed = false } = props
  const t = useT()
  const titleId = useId()
  const footnoteId = useId()
  const panel = useRef<HTMLDivElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  useModal(panel, sealed ? panel : cancelFocus ? cancel : undefined)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      if (!sealed) onClose()
    } else if (event.key === 'Tab' && panel.current) {
      keepFocusInside(event, panel.current)
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut; Esc and two buttons do the same
    <div
      className="dialog-scrim"
      data-dialog=""
      onPointerDown={(event) => event.target === event.currentTarget && !sealed && onClose()}
      onKeyDown={onKeyDown}
    >
      <div
        ref={panel}
        className={full ? 'dialog dialog-full' : wide ? 'dialog dialog-wide' : 'dialog'}
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
      >
        <header>
          <h2 id={titleId}>{title}</h2>
          {!sealed && <Button variant="quiet" icon={IconX} label={t('words.close')} onPress={onClose} />}
        </header>
        <div className="dialog-body stack">{children}</div>
        <footer>
          {footnote && (
            <p className="dialog-footnote small text-2" id={footnoteId}>
              {footnote}
            </p>
          )}
          {!sealed && (
            <Button ref={cancel} onPress={onClose}>
              {cancelLabel ?? t(actions.length > 0 ? 'words.cancel' : 'words.close')}
            </Button>
          )}
          {actions.map((action) => (
            <ActionButton
              key={action.label ?? action.preset}
              action={action}
              panel={panel}
              reasonId={footnote && footnoteId}
              onClose={onClose}
            />
          ))}
        </footer>
      </div>
    </div>
  )
}

interface ActionButtonProps {
  action: DialogAction
  panel: RefObject<HTMLDivElement | null>
  /** Of the text that says why it is disabled. */
  reasonId: string | undefined
  onClose: () => void
}

function ActionButton({ action, panel, reasonId, onClose }: ActionButtonProps) {
  const t = useT()
  const look = action.preset && presets[action.preset]
  const dismiss = action.dismiss ?? look?.dismiss ?? false

  const press = () => {
    if (!action.onPress && look) {
      panel.current?.querySelector('form')?.requestSubmit()
      return undefined
    }
    const result = action.onPress?.()
    if (!dismiss) return result
    if (!(result instanceof Promise)) return onClose()
    return result.then(onClose)
  }

  return (
    <Button
      variant={look?.variant ?? 'default'}
      icon={action.icon ?? look?.icon}
      className={action.className}
      disabled={action.disabled}
      aria-describedby={action.disabled ? reasonId : undefined}
      busy={action.busy}
      busyLabel={action.busyLabel}
      onPress={press}
    >
      {action.label ?? (look && t(look.label))}
    </Button>
  )
}
