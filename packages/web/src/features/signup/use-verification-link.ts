import { useEffect, useEffectEvent, useState } from 'react'
import { type Answer, ApiError, call } from '../../platform/api/api.ts'
import { reportFieldErrors } from '../../platform/api/report-error.ts'
import { useLoading } from '../../ui/page/page-loader.tsx'
import type { SignupEntry } from './entry.ts'
import { isUsedCode } from './use-signup-flow.ts'

interface Codes {
  code: string
  shortCode: string
}

export interface VerificationLinkOptions {
  onProved: (codes: Codes, answer: Answer<'POST /api/auth/signup/verify'>) => void
  /** The link is invalid, used or expired. */
  onRefused: (refusal: ApiError) => void
}

export interface VerificationLink {
  /** The link's validity is unknown. */
  open: boolean
  /** The request failed. */
  failed: boolean
  retry: () => void
}

/** Verifies the link from a mail when opened; the code needn't be typed. */
export function useVerificationLink(
  entry: SignupEntry,
  { onProved, onRefused }: VerificationLinkOptions,
): VerificationLink {
  const shortCode = entry.kind === 'link' ? entry.shortCode : undefined
  const code = entry.kind === 'link' ? entry.code : undefined
  const [checked, setChecked] = useState<string>()
  const [failed, setFailed] = useState(false)
  const prove = useEffectEvent(onProved)
  const refuse = useEffectEvent(onRefused)
  const open = code !== undefined && checked !== code
  useLoading(open && !failed)

  useEffect(() => {
    if (!code || !shortCode || !open || failed) return
    const controller = new AbortController()
    const { signal } = controller
    call('POST /api/auth/signup/verify', { body: { code, short_code: shortCode }, signal }).then(
      (answer) => {
        if (signal.aborted) return
        setChecked(code)
        prove({ code, shortCode }, answer)
      },
      (error: unknown) => {
        if (signal.aborted) return
        if (!(error instanceof ApiError) || error.status !== 422) return setFailed(true)
        if (isUsedCode(error)) error.toast?.close()
        else reportFieldErrors(error)
        setChecked(code)
        refuse(error)
      },
    )
    return () => controller.abort()
  }, [code, shortCode, open, failed])

  return { open, failed, retry: () => setFailed(false) }
}
