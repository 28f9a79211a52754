import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../i18n/i18n.ts'
import { ApiError, call } from '../../platform/api/api.ts'
import { showErrorPage, showStatusPage } from '../../platform/error-page-store.ts'
import { useParams } from '../../router/router-context.tsx'
import { useLoading } from '../../ui/page/page-loader.tsx'

/** The codes of a reset as sent in requests. */
export interface ResetCodes {
  code: string
  short_code: string
}

/** Parses `<SHORT>-<code>` from the path; undefined if it has another format. */
export function readResetLink(text: string): ResetCodes | undefined {
  const [, short_code, code] = /^([A-Z0-9]+)-([A-Za-z0-9]+)$/.exec(text) ?? []
  return short_code && code ? { code, short_code } : undefined
}

/**
 * Checks the link from a mail when opened. An invalid one leads to the error page. Returns whether there is
 * a link, and whether it is still being checked.
 */
export function useResetLink(onAccepted: (codes: ResetCodes, userId: number) => void): {
  given: boolean
  open: boolean
} {
  const { code: text } = useParams()
  const [checked, setChecked] = useState<string>()
  const accept = useEffectEvent(onAccepted)
  const open = text !== undefined && checked !== text
  useLoading(open)

  useEffect(() => {
    if (!open) return
    const codes = readResetLink(text)
    if (!codes) return showStatusPage(404)
    const controller = new AbortController()
    const { signal } = controller
    call('POST /api/auth/password-reset/verify', { body: codes, signal, ignoreErrors: true }).then(
      ({ userId }) => {
        if (signal.aborted) return
        setChecked(text)
        accept(codes, userId)
      },
      (error: unknown) => {
        if (signal.aborted) return
        const isWrong = error instanceof ApiError && error.status === 422
        if (isWrong) showStatusPage(404, t('reset.invalidLink'))
        else showErrorPage(error)
      },
    )
    return () => controller.abort()
  }, [text, open])

  return { given: text !== undefined, open }
}
