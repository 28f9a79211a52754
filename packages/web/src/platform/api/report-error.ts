import type { MessageKey } from '../../i18n/areas.ts'
import { t } from '../../i18n/i18n.ts'
import { errorLine, readFieldError } from '../../ui/form/field-errors.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { ApiError, isCancelled } from './api-error.ts'

const labels: Record<number, MessageKey> = {
  400: 'error.400',
  401: 'error.401',
  403: 'error.403',
  404: 'error.404',
  405: 'error.405',
  429: 'error.429',
  500: 'error.500',
}

/** Returns the short name of an HTTP status. */
export function statusLabel(status: number): string {
  return t(labels[status] ?? 'error.unknown')
}

/** Returns the user-facing message of an error. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return (error instanceof Error && error.message) || t('error.server')
  if (error.errors) return t('error.form')
  if (error.status === 0) return t('error.network')
  if (error.status === 429 && error.retryAfter)
    return t('error.wait', { time: waitingTime(error.retryAfter) })
  if (error.message) return error.message
  return error.status in labels ? statusLabel(error.status) : t('error.server')
}

/** Reports a failed call in a toast; silent if we cancelled it. */
export function reportError(error: unknown): void {
  if (isCancelled(error) || (error instanceof ApiError && error.endedSession)) return
  const isCalm = error instanceof ApiError && error.calm
  const toast = isCalm ? toasts.info(error.message) : toasts.error(errorText(error))
  if (error instanceof ApiError) error.toast = toast
}

/** Adds field errors to the toast when the form that could show them isn't on screen. */
export function reportFieldErrors({ errors = {}, toast }: ApiError): void {
  const reasons = Object.values(errors).map((error) => errorLine(readFieldError(error)))
  toast?.update({ message: [`${t('error.form')}.`, ...reasons].join(' ') })
}

function waitingTime(seconds: number): string {
  return seconds < 90
    ? t('error.seconds', { count: seconds })
    : t('error.minutes', { count: Math.ceil(seconds / 60) })
}
