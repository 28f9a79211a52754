import { type MouseEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react'
import { Link } from '../../router/link.tsx'
import { type Glyph, Icon } from '../icon.tsx'
import { logUnexpected } from '../log-unexpected.ts'
import './button.css'

export type ButtonVariant = 'primary' | 'default' | 'quiet' | 'danger' | 'danger-outline'

interface LookProps {
  variant?: ButtonVariant
  size?: 'small' | 'normal' | 'large'
  icon?: Glyph
  /** Fills the width of its container. */
  full?: boolean
  className?: string
  children?: ReactNode
  /** Accessible name of an icon button. */
  label?: string
}

export interface ButtonProps extends LookProps {
  type?: 'button' | 'submit'
  /** While a returned promise is pending, the button is busy and can't be pressed. */
  onPress?: (event: MouseEvent<HTMLButtonElement>) => unknown
  busy?: boolean
  /** Label while busy, such as "Saving…"; space for it is reserved. */
  busyLabel?: string
  disabled?: boolean
  /** Why it can't be pressed now: disables it and stands beside it. */
  reason?: string | undefined
  id?: string
  form?: string
  autoFocus?: boolean
  ref?: Ref<HTMLButtonElement>
  'aria-expanded'?: boolean
  'aria-controls'?: string
  'aria-haspopup'?: 'menu' | 'dialog'
  'aria-pressed'?: boolean
  'aria-describedby'?: string
}

export function Button(props: ButtonProps) {
  const {
    variant,
    size,
    icon,
    full,
    className,
    children,
    label,
    onPress,
    busyLabel,
    busy: given,
    type,
    reason,
    disabled,
    ...rest
  } = props
  const reasonId = useId()
  const [working, setWorking] = useState(false)
  const pressed = useRef(false)
  const busy = given || working

  const press = async (event: MouseEvent<HTMLButtonElement>) => {
    if (busy || pressed.current) {
      event.preventDefault()
      return
    }
    const result = onPress?.(event)
    if (!(result instanceof Promise)) return
    pressed.current = true
    setWorking(true)
    try {
      await result
    } catch (failure) {
      logUnexpected(failure)
    } finally {
      pressed.current = false
      setWorking(false)
    }
  }

  // the button stays the same one when a reason comes or goes
  return (
    <>
      {reason !== undefined && (
        <span className="button-reason" id={reasonId}>
          {reason}
        </span>
      )}
      <button
        {...rest}
        type={type ?? 'button'}
        disabled={disabled || reason !== undefined}
        aria-describedby={reason === undefined ? rest['aria-describedby'] : reasonId}
        className={look({ variant, size, full, className, label })}
        aria-label={label}
        aria-busy={busy || undefined}
        aria-disabled={busy || undefined}
        onClick={press}
      >
        <Face icon={icon} busy={busy} busyLabel={busyLabel}>
          {children}
        </Face>
      </button>
    </>
  )
}

export interface ButtonLinkProps extends LookProps {
  /** A path of ours, or a URL with a scheme. */
  to: string
  search?: Record<string, string>
}

/** A link styled as a button: for navigation, not for actions. */
export function ButtonLink({ to, search, icon, children, label, ...looks }: ButtonLinkProps) {
  const className = look({ ...looks, label })
  const face = <Face icon={icon}>{children}</Face>
  return /^[a-z]+:/.test(to) ? (
    <a href={to} className={className} aria-label={label}>
      {face}
    </a>
  ) : (
    <Link to={to} search={search} className={className} aria-label={label}>
      {face}
    </Link>
  )
}

function look({ variant = 'default', size = 'normal', full, className, label }: LookProps): string {
  const names = ['button', `button-${variant}`, size !== 'normal' && `button-${size}`]
  return [...names, full && 'button-full', label && 'button-icon', className].filter(Boolean).join(' ')
}

interface FaceProps {
  icon?: Glyph
  busy?: boolean
  busyLabel?: string
  children?: ReactNode
}

function Face({ icon, busy = false, busyLabel, children }: FaceProps) {
  if (!busyLabel) {
    return (
      <>
        {busy ? <Spinner over={!icon} /> : icon && <Icon of={icon} size="small" />}
        {children && <span className={busy && !icon ? 'button-covered' : undefined}>{children}</span>}
      </>
    )
  }
  return (
    <span className="button-faces">
      <span aria-hidden={busy}>
        {icon && <Icon of={icon} size="small" />}
        {children}
      </span>
      <span aria-hidden={!busy}>
        <Spinner />
        {busyLabel}
      </span>
    </span>
  )
}

function Spinner({ over = false }: { over?: boolean }) {
  return <span className={over ? 'spinner spinner-over' : 'spinner'} aria-hidden="true" />
}
