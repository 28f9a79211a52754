import type { JobItem } from '@gatehouse/contract/staff/operations'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { toasts } from '../../ui/toasts/store.ts'

/** Has a job tried now, or gives it up. What runs is left alone. */
export function JobActions({ job }: { job: JobItem }) {
  const t = useT()
  const client = useQueryClient()
  const [asked, setAsked] = useState(false)
  const params = { id: job.id }
  const done = async ({ message }: { message: string }) => {
    toasts.success(message)
    await client.invalidateQueries({ queryKey: ['GET /api/v4/jobs'] })
  }
  if (job.state === 'running') return null
  return (
    <>
      <Button
        variant="quiet"
        icon={IconRefresh}
        label={t('operations.retryOf', { name: job.name })}
        onPress={() => call('POST /api/v4/jobs/{id}/retry', { params, body: {} }).then(done)}
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
            onPress: () => call('DELETE /api/v4/jobs/{id}', { params }).then(done),
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
