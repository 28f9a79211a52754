import type { MailFilters } from '@gatehouse/contract/mail/mail-filters'
import { MailNotConnected } from '../../domain/mail-connection/mail-not-connected.tsx'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Note } from '../../ui/page/note.tsx'

/** Says whether the mail server uses the filters, unless it does. */
export function StateNote({ id, filters }: { id: string; filters: MailFilters }) {
  const t = useT()
  const save = useAct('PUT /api/v4/users/{id}/mail-filters', ['GET /api/v4/users/{id}/mail-filters'])
  const { state, rules, outOfOffice, revision, otherScript, problem } = filters
  if (state === 'not-connected') return <MailNotConnected>{t('mailfilters.notConnected')}</MailNotConnected>
  if (state === 'pending') return <Note title={t('mailfilters.pending')}>{t('mailfilters.pendingText')}</Note>
  if (state === 'failed')
    return (
      <Note tone="danger" title={t('mailfilters.failed')}>
        {t('mailfilters.failedText', { problem: problem ?? '' })}
      </Note>
    )
  if (state !== 'inactive') return null
  const replace = () => save({ params: { id }, body: { rules, outOfOffice, revision, replacesOther: true } })
  return (
    <Note
      tone="warning"
      title={t('mailfilters.inactive')}
      actions={
        <Button size="small" onPress={replace}>
          {t('mailfilters.replace')}
        </Button>
      }
    >
      {t('mailfilters.inactiveText', { name: otherScript ?? '' })}
    </Note>
  )
}
