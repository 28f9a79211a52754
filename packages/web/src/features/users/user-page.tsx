import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError } from '../../app/api-error.ts'
import { useUser } from '../../app/auth.ts'
import { showErrorPage, showStatusPage } from '../../app/error-page-store.ts'
import { useFocusWhenReady } from '../../app/screen-focus.ts'
import { useT } from '../../i18n/i18n.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { NewUserPage } from './new-user-page.tsx'
import { UserSkeleton } from './skeletons.tsx'
import { userQuery } from './user-calls.ts'
import { UserScreen } from './user-screen.tsx'

/** The page of one user, or that of a user who is still to be made. */
export function UserPage() {
  const { user = '' } = useParams({ strict: false })
  if (user === 'new') return <NewUserPage />
  return /^[1-9]\d{0,9}$/.test(user) ? <LoadedUser key={user} id={user} /> : <Missing />
}

/** One's own account. */
export function SettingsPage() {
  const t = useT()
  const self = useUser()
  return self ? <LoadedUser key={self.id} id={String(self.id)} title={t('title.settings')} /> : null
}

function Missing() {
  useEffect(() => showStatusPage(404), [])
  return null
}

function LoadedUser({ id, title }: { id: string; title?: string }) {
  const t = useT()
  const self = useUser()
  const query = useQuery(userQuery(id))
  const refused = query.error instanceof ApiError && [403, 404].includes(query.error.status)
  useFocusWhenReady(query.data !== undefined)
  useEffect(() => {
    if (refused) showErrorPage(query.error)
  }, [refused, query.error])

  if (refused) return null
  if (query.data) return <UserScreen user={query.data} isSelf={query.data.id === self?.id} title={title} />
  if (!query.isError) return <UserSkeleton title={title ?? t('title.user')} />
  return (
    <>
      <PageHead title={title ?? t('title.user')} />
      <LoadFailed onRetry={query.refetch} />
    </>
  )
}
