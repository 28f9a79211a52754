import { useEffect } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api.ts'
import { useApi } from '../../platform/api/query.tsx'
import { showStatusPage } from '../../platform/error-page-store.ts'

export interface InvitationCheck {
  /** It is not known yet whether the invitation can be used, or it cannot. */
  open: boolean
  /** The server could not be asked. */
  failed: boolean
  retry: () => void
  /** As the inviter gave them. */
  names: { first_name: string; last_name: string } | undefined
}

/** Asks whether the invitation that was followed can be used; shows an error page when it cannot. */
export function useInvitation(id: string | undefined): InvitationCheck {
  const t = useT()
  const query = useApi(
    'GET /api/auth/signup/invitations/{id}',
    { params: { id: id ?? '' } },
    {
      enabled: id !== undefined,
      // looked at once: the last step finds out what has changed since
      staleTime: Number.POSITIVE_INFINITY,
    },
  )
  const isGone = query.error instanceof ApiError && query.error.status === 404
  useEffect(() => {
    if (isGone) showStatusPage(404, t('signup.noInvitation'))
  }, [isGone, t])
  return {
    open: id !== undefined && !query.isSuccess,
    failed: query.isError && !isGone,
    retry: () => void query.refetch(),
    names: query.data && {
      first_name: query.data.first_name ?? '',
      last_name: query.data.last_name ?? '',
    },
  }
}
