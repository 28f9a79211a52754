import type { DeletedMail } from '@gatehouse/contract/mail/deleted-mail'
import { MailNotConnected } from '../../domain/mail-connection/mail-not-connected.tsx'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useUser } from '../../platform/session/auth.ts'
import { useParams } from '../../router/router-context.tsx'
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { FoldersPanel } from './folders-panel.tsx'
import { MessagesPanel } from './messages-panel.tsx'
import './deleted-mail.css'

/** Messages and folders that the reader, or a user of the account, deleted and can have back. */
export function DeletedMailPage() {
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
      <PageHead title={t('words.deletedMail')} facts={t('deletedmail.facts')} trail={trail} />
      <div className="stack deleted-mail">
        <Loaded key={id} id={id} />
      </div>
    </>
  )
}

function Loaded({ id }: { id: string }) {
  const deleted = useApi('GET /api/v4/users/{id}/deleted-mail', { params: { id } }, { staleTime: 0 })
  if (deleted.data) return <Deleted id={id} deleted={deleted.data} />
  return deleted.isPending ? <FormSkeleton /> : <LoadFailed onRetry={deleted.refetch} />
}

function Deleted({ id, deleted }: { id: string; deleted: DeletedMail }) {
  const t = useT()
  if (!deleted.isConnected) return <MailNotConnected>{t('deletedmail.notConnected')}</MailNotConnected>
  return (
    <>
      <MessagesPanel id={id} periods={deleted.periods} />
      <FoldersPanel id={id} folders={deleted.folders} />
    </>
  )
}
