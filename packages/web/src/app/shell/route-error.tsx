import { createElement } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { toPageError } from '../../platform/error-page-store.ts'
import { ChunkError } from '../../platform/navigation/chunks.ts'
import { type Permission, useUser } from '../../platform/session/auth.ts'
import { useRouter } from '../../router/router-context.tsx'
import type { ScreenFailure } from '../../router/screen-boundary.tsx'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { accessReason } from '../access-reason.ts'
import { ForbiddenError, WrongRoleError } from '../routes/guards.ts'
import { ErrorPage } from './error-page.tsx'

/** Reloads the page. */
export function loadAnew(): void {
  window.location.reload()
}

/** Rendered instead of a screen that is not allowed or failed to load. */
export function RouteError({ error, reset }: ScreenFailure) {
  const t = useT()
  const router = useRouter()
  if (error instanceof WrongRoleError) return createElement(error.Page)
  if (error instanceof ForbiddenError) {
    return <NoAccess perm={error.perm} />
  }
  // Browsers may cache that a file was missing until the page is reloaded.
  if (error instanceof ChunkError) {
    return <ErrorPage error={{ code: 500, hint: t('error.hintChunk') }} onRetry={loadAnew} />
  }
  const retry = () => {
    reset()
    void router.recheck()
  }
  return <ErrorPage error={toPageError(error)} onRetry={retry} />
}

/** A screen the signed-in person may not open: why, and what gives access. */
function NoAccess({ perm }: { perm: Permission }) {
  const t = useT()
  const { hint, remedy } = accessReason(perm, useUser())
  return (
    <ErrorPage
      error={{ code: 403, hint: t(hint) }}
      remedy={
        remedy && (
          <ButtonLink variant="primary" to={remedy.to} search={remedy.search}>
            {t(remedy.label)}
          </ButtonLink>
        )
      }
    />
  )
}
