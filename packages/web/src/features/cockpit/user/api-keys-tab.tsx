import type { ApiKey } from '@gatehouse/contract/sessions/api-keys'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { ApiKeyTable } from '../../../domain/api-keys/api-key-table.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { everything, useAct } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'

/** A customer's API keys, and those of the account if the customer owns it. */
export function ApiKeysTab({ userId }: { userId: number }) {
  const t = useT()
  const [row, setRow] = useState<ApiKey>()
  const query = useApi('GET /api/v4/users/{id}/api-keys', { params: { id: String(userId) } })
  const { data } = query
  return (
    <Panel flush title={t('words.apiKeys')}>
      {data?.count === 0 && <EmptyState title={t('apikeys.none')}>{t('apikeys.staffNone')}</EmptyState>}
      {data && data.count > 0 && (
        <ApiKeyTable
          label={t('words.apiKeys')}
          rows={data.list}
          actions={(key) => (
            <Button
              variant="quiet"
              size="small"
              icon={IconTrash}
              label={t('apikeys.revokeOne', { name: key.name })}
              onPress={() => setRow(key)}
            />
          )}
        />
      )}
      {query.isPending && <SkeletonRows count={2} />}
      {query.isError && !data && (
        <div className="panel-body">
          <LoadFailed onRetry={query.refetch} />
        </div>
      )}
      {row && <RevokeDialog userId={userId} row={row} onClose={() => setRow(undefined)} />}
    </Panel>
  )
}

interface RevokeDialogProps {
  userId: number
  row: ApiKey
  onClose: () => void
}

function RevokeDialog({ userId, row, onClose }: RevokeDialogProps) {
  const t = useT()
  const act = useAct('POST /api/v4/users/{id}/api-keys/{key}/revoke', everything)
  const revoke = async () => {
    await act({ params: { id: String(userId), key: row.id } })
  }
  return (
    <Dialog
      open
      cancelFocus
      title={t('apikeys.revokeTitle', { name: row.name })}
      onClose={onClose}
      actions={[{ preset: 'delete', label: t('apikeys.revoke'), onPress: revoke }]}
    >
      <p>{t('apikeys.revokeText')}</p>
    </Dialog>
  )
}
