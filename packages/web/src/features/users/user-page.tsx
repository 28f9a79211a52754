import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { showErrorPage, showStatusPage } from '../../platform/error-page-store.ts'
import { useFocusWhenReady } from '../../platform/navigation/screen-focus.ts'
import { useUser } from '../../platform/session/auth.ts'
import { useParams } from '../../router/router-context.tsx'
import { SaveScope } from '../../ui/form/save-scope.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { ObjectSkeleton } from '../../ui/page/object-skeleton.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { NewUserPage } from './new-user-page.tsx'
import { userQuery } from './user-calls.ts'
import { UserScreen } from './user-screen.tsx'

/** Page of a user, or of a new one. */
export function UserPage() {
  const { user = '' } = useParams()
  if (user === 'new') return <NewUserPage />
  return /^[1-9]\d{0,9}$/.test(user) ? <LoadedUser key={user} id={user} /> : <Missing />
}

/** The user's own account. */
export function SettingsPage() {
  const t = useT()
  const self = useUser()
  return self ? <LoadedUser key={self.id} id={String(self.id)} title={t('words.myAccount')} /> : null
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
  if (query.data)
    return (
      <SaveScope>
        <UserScreen user={query.data} isSelf={query.data.id === self?.id} title={title} />
      </SaveScope>
    )
  const head = {
    title: title ?? t('words.user'),
    trail: title ? undefined : [{ label: t('words.users'), to: '/users' }],
  }
  if (!query.isError) return <ObjectSkeleton {...head} />
  return (
    <>
      <PageHead {...head} />
      <LoadFailed onRetry={query.refetch} />
    </>
  )
}
