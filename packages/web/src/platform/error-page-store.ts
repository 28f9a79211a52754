import { t } from '../i18n/i18n.ts'
import { createStore } from '../state/store.ts'
import { ApiError, isCancelled } from './api/api-error.ts'

/** Error page over the content area; header, footer and URL stay. Cleared by the next navigation. */
export interface PageError {
  code: number
  message?: string
  hint?: string
  requestId?: string
}

export const errorPage = createStore<PageError | undefined>(undefined)

/** Replaces the current screen with an error page, if its initial load failed. */
export function showErrorPage(error: unknown, hint?: string): void {
  if (isCancelled(error)) return
  errorPage.set(toPageError(error, hint))
}

/** Shows the error page of a status code, for example 404 for a malformed link. */
export function showStatusPage(code: number, hint?: string): void {
  errorPage.set({ code, hint })
}

export function toPageError(error: unknown, hint?: string): PageError {
  if (error instanceof ApiError) {
    const { status, message, fromServer, requestId } = error
    if (status === 0) return { code: 500, hint: hint ?? t('error.network') }
    return { code: status, message: fromServer ? message : undefined, hint, requestId }
  }
  return { code: 500, hint }
}
