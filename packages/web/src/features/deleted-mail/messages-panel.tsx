import type { DeletedMail } from '@gatehouse/contract/mail/deleted-mail'
import { restorePeriods } from '@gatehouse/contract/mail/restore-periods'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import { useState } from 'react'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Panel } from '../../ui/page/panel.tsx'

interface MessagesPanelProps {
  id: string
  periods: DeletedMail['periods']
}

const labels = { 1: 'deletedmail.day', 7: 'deletedmail.week', 30: 'deletedmail.month' } as const

/** Restores all messages that were deleted in a period. */
export function MessagesPanel({ id, periods }: MessagesPanelProps) {
  const t = useT()
  const restore = useAct('POST /api/v4/users/{id}/deleted-mail/messages', [
    'GET /api/v4/users/{id}/deleted-mail',
  ])
  const [days, setDays] = useState<(typeof restorePeriods)[number]>(1)
  const count = periods.find((period) => period.days === days)?.messages ?? 0
  return (
    <Panel title={t('deletedmail.messages')} footer={<p>{t('deletedmail.trash')}</p>}>
      <div className="stack">
        <div className="deleted-mail-period">
          <span className="field-label" aria-hidden="true">
            {t('deletedmail.period')}
          </span>
          <Segmented
            label={t('deletedmail.period')}
            choices={restorePeriods.map((period) => ({ value: String(period), label: t(labels[period]) }))}
            value={String(days)}
            onValue={(chosen) => setDays(restorePeriods.find((period) => String(period) === chosen) ?? 1)}
          />
        </div>
        <p aria-live="polite">
          {t('deletedmail.count', { count, number: number(count) })} {count > 0 && t('deletedmail.where')}
        </p>
        {count > 0 && (
          <div>
            <Button
              variant="primary"
              icon={IconArrowBackUp}
              busyLabel={t('deletedmail.restoring')}
              onPress={() => restore({ params: { id }, body: { days } })}
            >
              {t('deletedmail.restoreMessages', { count, number: number(count) })}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  )
}
