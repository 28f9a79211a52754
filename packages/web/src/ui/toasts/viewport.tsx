import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { type FocusEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../buttons/button.tsx'
import { type Glyph, Icon } from '../icon.tsx'
import { closeToast, holdToasts, releaseToasts, type Toast, type ToastType, toastStore } from './store.ts'
import './toast.css'

const icons: Record<ToastType, Glyph> = {
  error: IconCircleX,
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  info: IconInfoCircle,
  custom: IconInfoCircle,
}

const titles: Record<ToastType, MessageKey> = {
  error: 'toast.error',
  success: 'toast.success',
  warning: 'toast.warning',
  info: 'toast.info',
  custom: 'toast.info',
}

/**
 * The corner in which toasts appear. Outside the application, so that an open dialog doesn't make it inert.
 */
export function ToastViewport() {
  const t = useT()
  const list = useStore(toastStore)
  const [held, setHeld] = useState(false)
  const opener = useRef<HTMLElement>(null)

  const hold = () => {
    setHeld(true)
    holdToasts()
  }
  const holdForFocus = (event: FocusEvent<HTMLElement>) => {
    const from = event.relatedTarget
    if (!event.currentTarget.contains(from)) opener.current = from instanceof HTMLElement ? from : null
    hold()
  }
  const release = () => {
    setHeld(false)
    releaseToasts()
  }
  const releaseAfterFocus = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) release()
  }
  /** The button that has the focus goes with its toast. */
  const leave = () => {
    if (opener.current?.isConnected) opener.current.focus()
    // The pointer or focus that held the toasts may leave with the closed one, without an event.
    release()
  }
  const close = (id: number) => {
    closeToast(id)
    leave()
  }
  const press = (id: number, act: () => void) => {
    act()
    if (toastStore.get().every((toast) => toast.id !== id)) leave()
  }

  return createPortal(
    <>
      <Announcer toasts={list} />
      <section
        className="toasts"
        aria-label={t('toast.region')}
        hidden={list.length === 0}
        data-held={held || undefined}
        onPointerEnter={hold}
        onPointerLeave={release}
        onFocus={holdForFocus}
        onBlur={releaseAfterFocus}
      >
        <ol>
          {list.map((toast) => (
            <ToastItem
              key={toast.id}
              toast={toast}
              onClose={() => close(toast.id)}
              onAct={(act) => press(toast.id, act)}
            />
          ))}
        </ol>
      </section>
    </>,
    document.body,
  )
}

interface ToastItemProps {
  toast: Toast
  onClose: () => void
  /** Runs an action of the toast, which may close it. */
  onAct: (act: () => void) => void
}

function ToastItem({ toast, onClose, onAct }: ToastItemProps) {
  const t = useT()
  const { type, title, message, icon, actions, progress, timeout } = toast
  return (
    <li className={`toast toast-${type}`}>
      <Icon of={(type === 'custom' && icon) || icons[type]} />
      <b>{title ?? t(titles[type])}</b>
      <Button variant="quiet" size="small" icon={IconX} label={t('toast.close')} onPress={onClose} />
      <p>{message}</p>
      {actions && (
        <p className="toast-actions">
          {actions.map(({ label, onPress }) => (
            <Button key={label} size="small" onPress={() => onAct(onPress)}>
              {label}
            </Button>
          ))}
        </p>
      )}
      <ProgressBar key={timeout} progress={progress} timeout={timeout} />
    </li>
  )
}

function ProgressBar({ progress, timeout }: { progress: boolean | number; timeout: number }) {
  if (typeof progress === 'number') {
    return <i className="toast-bar" style={{ width: `${Math.round(progress * 100)}%` }} />
  }
  if (!progress || timeout === 0) return null
  return <i className="toast-bar toast-bar-timed" style={{ animationDuration: `${timeout}ms` }} />
}

/**
 * Announces toasts. The live regions are rendered before their text, otherwise screen readers would stay
 * silent.
 */
function Announcer({ toasts }: { toasts: readonly Toast[] }) {
  const t = useT()
  const sentence = ({ type, title, message }: Toast) => `${title ?? t(titles[type])}: ${message}`
  const urgent = toasts.find(isUrgent)
  const calm = toasts.find((toast) => !isUrgent(toast))
  return (
    <div className="visually-hidden">
      <div aria-live="assertive" aria-atomic="true" role="alert">
        {urgent && <p key={urgent.id}>{sentence(urgent)}</p>}
      </div>
      <div aria-live="polite" aria-atomic="true" role="status">
        {calm && <p key={calm.id}>{sentence(calm)}</p>}
      </div>
    </div>
  )
}

function isUrgent({ type }: Toast): boolean {
  return type === 'error' || type === 'warning'
}
