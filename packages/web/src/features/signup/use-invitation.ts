import { useEffect } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api.ts'
import { useApi } from '../../platform/api/query.tsx'
import { showStatusPage } from '../../platform/error-page-store.ts'

export interface InvitationCheck {
  /** The invitation's validity is unknown, or it is invalid. */
  open: boolean
  /** The request failed. */
  failed: boolean
  retry: () => void
  /** As entered by the inviter. */
  names: { first_name: string; last_name: string } | undefined
}

/** Checks whether the invitation can be used; shows an error page if not. */
export function useInvitation(id: string | undefined): InvitationCheck {
  const t = useT()
  const query = useApi(
    'GET /api/auth/signup/invitations/{id}',
    { params: { id: id ?? '' } },
    {
      enabled: id !== undefined,
      // checked once; the last step detects later changes
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
