import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useT } from '../../i18n/i18n.ts'
import { ChunkError } from '../chunks.ts'
import { toPageError } from '../error-page-store.ts'
import { ForbiddenError } from '../guards.ts'
import { ErrorPage } from './error-page.tsx'

/** What is shown in the place of a screen that may not or cannot be shown. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const t = useT()
  const router = useRouter()
  if (error instanceof ForbiddenError) {
    const hint = error.perm === 'wallets' ? t('error.hintWallet') : undefined
    return <ErrorPage error={{ code: 403, hint }} />
  }
  const retry = () => {
    reset()
    void router.invalidate()
  }
  const hint = error instanceof ChunkError ? t('error.hintChunk') : undefined
  return <ErrorPage error={toPageError(error, hint)} onRetry={retry} />
}
