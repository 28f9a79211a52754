import { useEffect } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { logout } from '../../platform/session/session.ts'
import { useLoading } from '../../ui/page/page-loader.tsx'

let leaving = false

/** Signs out and shows the sign-in page. */
export function LogoutPage() {
  const t = useT()
  useLoading(true)
  useEffect(() => {
    // React runs effects twice in development; sign out only once.
    if (leaving) return
    leaving = true
    void logout().finally(() => {
      leaving = false
    })
  }, [])
  return <h1 className="visually-hidden">{t('logout.title')}</h1>
}
