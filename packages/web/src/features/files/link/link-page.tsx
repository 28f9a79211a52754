import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import type { Answer } from '../../../platform/api/api.ts'
import { call } from '../../../platform/api/api.ts'
import { ApiError } from '../../../platform/api/api-error.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { errorText } from '../../../platform/api/report-error.ts'
import { useParams } from '../../../router/router-context.tsx'
import { ButtonLink } from '../../../ui/buttons/button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'
import { LinkPassword } from './link-password.tsx'
import { OpenedLink } from './opened-link.tsx'
import '../files.css'

export type Opened = Answer<'POST /api/v4/fs/links/{token}/open'>

/** Public page of a shared link. */
export function LinkPage() {
  const { token = '' } = useParams()
  return <LoadedLink key={token} token={token} />
}

function LoadedLink({ token }: { token: string }) {
  const [opened, setOpened] = useState<Opened>()
  const query = useApi(
    'GET /api/v4/fs/links/{token}',
    { params: { token } },
    { staleTime: 0, refetchOnWindowFocus: false },
  )
  const close = () => {
    setOpened(undefined)
    void query.refetch()
  }
  if (opened) return <OpenedLink token={token} opened={opened} onClosed={close} />
  if (query.isError) return <Closed error={query.error} onRetry={query.refetch} />
  if (!query.data) return <Waiting />
  if (query.data.requiresPassword) return <LinkPassword token={token} onOpen={setOpened} />
  return <OpenWithout token={token} onOpen={setOpened} />
}

/** Opens a link that needs no password. */
function OpenWithout({ token, onOpen }: { token: string; onOpen: (opened: Opened) => void }) {
  const query = useQuery({
    queryKey: ['opened-link', token],
    queryFn: async ({ signal }) => {
      const opened = await call('POST /api/v4/fs/links/{token}/open', {
        params: { token },
        body: {},
        signal,
        ignoreErrors: true,
      })
      onOpen(opened)
      return opened
    },
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  if (query.isError) return <Closed error={query.error} onRetry={query.refetch} />
  return <Waiting />
}

function Waiting() {
  const t = useT()
  return (
    <>
      <PageHead title={t('filelink.title')} facts={'\u00a0'} />
      <Panel flush busy>
        <SkeletonRows count={2} />
      </Panel>
    </>
  )
}

/** Unknown, expired and used-up links look the same, so that nobody can tell whether a link existed. */
function Closed({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const t = useT()
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <>
      <PageHead title={t(isGone ? 'filelink.closed' : 'filelink.title')} />
      {isGone ? (
        <Panel flush>
          <EmptyState
            title={t('filelink.closedTitle')}
            action={<ButtonLink to="/">{t('filelink.toStart')}</ButtonLink>}
          >
            {t('filelink.closedText')}
          </EmptyState>
        </Panel>
      ) : (
        <LoadFailed onRetry={onRetry} reason={errorText(error)} />
      )}
    </>
  )
}
