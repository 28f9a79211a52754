import type { JobItem } from '@gatehouse/contract/staff/operations'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'

/** Retries a job now or discards it. Running jobs have no actions. */
export function JobActions({ job }: { job: JobItem }) {
  const t = useT()
  const retry = useAct('POST /api/v4/jobs/{id}/retry', ['GET /api/v4/jobs'])
  const remove = useAct('DELETE /api/v4/jobs/{id}', ['GET /api/v4/jobs'])
  const [asked, setAsked] = useState(false)
  const params = { id: job.id }
  if (job.state === 'running') return null
  return (
    <>
      <Button
        variant="quiet"
        icon={IconRefresh}
        label={t('operations.retryOf', { name: job.name })}
        onPress={() => retry({ params, body: {} })}
      />
      <Button
        variant="quiet"
        icon={IconTrash}
        label={t('operations.removeOf', { name: job.name })}
        onPress={() => setAsked(true)}
      />
      <Dialog
        open={asked}
        title={t('operations.removeTitle', { name: job.name })}
        onClose={() => setAsked(false)}
        cancelFocus
        actions={[
          {
            preset: 'delete',
            label: t('operations.removeNow'),
            onPress: () => remove({ params }),
          },
        ]}
      >
        <ul className="dialog-effects">
          <li>{t('operations.removeEffect')}</li>
          <li>{t('operations.removeForever')}</li>
        </ul>
      </Dialog>
    </>
  )
}
