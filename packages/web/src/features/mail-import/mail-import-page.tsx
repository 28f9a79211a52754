import { useState } from 'react'
import { MailNotConnected } from '../../domain/mail-connection/mail-not-connected.tsx'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useUser } from '../../platform/session/auth.ts'
import { useParams } from '../../router/router-context.tsx'
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { FolderChoice } from './folder-choice.tsx'
import { ImportPanel } from './import-panel.tsx'
import { type OldServer, type Preview, ServerForm } from './server-form.tsx'
import './mail-import.css'

/** Copies old mail from another server into the mailbox of the reader, or of a user of the account. */
export function MailImportPage() {
  const t = useT()
  const self = useUser()
  const { user } = useParams()
  const id = user ?? (self && String(self.id))
  const of = useApi('GET /api/v4/users/{id}', { params: { id: id ?? '' } }, { enabled: user !== undefined })
  if (id === undefined) return null
  const trail =
    user === undefined
      ? [{ label: t('words.mail'), to: '/mail' }]
      : [
          { label: t('words.users'), to: '/users' },
          { label: of.data?.email ?? t('words.user'), to: `/user/${user}` },
        ]
  return (
    <>
      <PageHead title={t('words.importMail')} facts={t('mailimport.facts')} trail={trail} />
      <Imports key={id} id={id} />
    </>
  )
}

function Imports({ id }: { id: string }) {
  const [found, setFound] = useState<{ server: OldServer; preview: Preview }>()
  const imports = useApi(
    'GET /api/v4/users/{id}/mail-imports',
    { params: { id } },
    {
      staleTime: 0,
      refetchInterval: ({ state }) =>
        state.data?.list.some(({ ended_at }) => ended_at === null) ? 2000 : false,
    },
  )
  const { data } = imports
  if (data === undefined) {
    return imports.isPending ? <FormSkeleton /> : <LoadFailed onRetry={imports.refetch} />
  }
  const isActive = data.list.some(({ ended_at }) => ended_at === null)
  return (
    <div className="stack mail-import">
      {!data.isConnected && <MailNotConnected />}
      {data.isConnected && !isActive && !found && (
        <ServerForm id={id} onPreview={(server, preview) => setFound({ server, preview })} />
      )}
      {!isActive && found && <FolderChoice id={id} {...found} onClose={() => setFound(undefined)} />}
      {data.list.map((one) => (
        <ImportPanel
          key={`${one.id} ${one.ended_at}`}
          id={id}
          of={one}
          isBlocked={isActive || !data.isConnected}
        />
      ))}
    </div>
  )
}
