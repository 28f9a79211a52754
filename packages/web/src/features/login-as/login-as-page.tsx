import { useEffect, useRef } from 'react'
import { t as say, useT } from '../../i18n/i18n.ts'
import { request } from '../../platform/api/http.ts'
import { showErrorPage, showStatusPage } from '../../platform/error-page-store.ts'
import { startedSession } from '../../platform/session/session.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'

/**
 * Takes over a session that staff started as a user. The code is in the fragment, which isn't sent to
 * servers.
 */
export function LoginAsPage() {
  const t = useT()
  const isTaken = useRef(false)
  useEffect(() => {
    // a code can be used only once, and effects may run twice
    if (isTaken.current) return
    isTaken.current = true
    void takeUp(window.location.hash.slice(1))
  }, [])
  return (
    <>
      <PageHead title={t('impersonation.starting')} />
      <Loading>
        <Skeleton width="40%" height={13} />
      </Loading>
    </>
  )
}

async function takeUp(code: string): Promise<void> {
  if (code === '') return showStatusPage(404, say('impersonation.noCode'))
  try {
    startedSession(await request('POST /api/auth/login-as', { body: { code } }))
  } catch (error) {
    showErrorPage(error, say('impersonation.noCode'))
  }
}
