import { displayAddress } from '@gatehouse/contract/canonical-address'
import IconArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import type { OwnerRow } from '../../../domain/owners/owner-rows.ts'
import { OwnerTable } from '../../../domain/owners/owner-table.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'
import { EndDialog } from './end-dialog.tsx'
import { OfferDialog } from './offer-dialog.tsx'

/** The owners of an account and open invitations, with the actions available to the reader. */
export function OwnersPanel({ id }: { id: string }) {
  const t = useT()
  const [offering, setOffering] = useState<'invite' | 'handOver'>()
  const [ending, setEnding] = useState<OwnerRow>()
  const query = useApi('GET /api/v4/wallets/{id}/controllers', { params: { id } })
  const { data } = query
  const owner = data?.list.find(({ isOwner }) => isOwner)?.email ?? ''
  const title = t('owners.title', { email: displayAddress(owner) })
  return (
    <Panel
      flush
      title={title}
      actions={
        <span className="row">
          {data?.canHandOver && !data.handOver && (
            <Button icon={IconArrowsExchange} onPress={() => setOffering('handOver')}>
              {t('owners.handOver')}
            </Button>
          )}
          {data?.canChange && (
            <Button icon={IconPlus} onPress={() => setOffering('invite')}>
              {t('owners.invite')}
            </Button>
          )}
        </span>
      }
      footer={<p className="small text-2">{t('owners.note')}</p>}
    >
      {data && <OwnerTable label={title} owners={data} onEnd={setEnding} />}
      {query.isPending && <SkeletonRows count={2} />}
      {query.isError && !data && (
        <div className="panel-body">
          <LoadFailed onRetry={query.refetch} />
        </div>
      )}
      {offering && <OfferDialog id={id} act={offering} onClose={() => setOffering(undefined)} />}
      {ending && <EndDialog id={id} row={ending} account={owner} onClose={() => setEnding(undefined)} />}
    </Panel>
  )
}
