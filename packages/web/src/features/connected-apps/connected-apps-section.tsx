import type { ConsentItem } from '@gatehouse/contract/sessions/oauth'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { apiQuery } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import './connected-apps.css'

const consents = apiQuery('GET /api/v4/consents')

/** Applications the user has authorized, with their permissions and a button to revoke each. */
export function ConnectedAppsSection() {
  const t = useT()
  const { data, isError, refetch } = useQuery(consents)
  const [leaving, setLeaving] = useState<ConsentItem>()
  return (
    <>
      <Panel flush busy={!data && !isError} title={t('oauth.apps')}>
        {!data && (isError ? <LoadFailed onRetry={refetch} /> : <SkeletonRows count={2} />)}
        {data?.count === 0 && <EmptyState title={t('oauth.noApps')}>{t('oauth.noAppsText')}</EmptyState>}
        {data && data.count > 0 && (
          <ul className="connected-apps">
            {data.list.map((item) => (
              <App key={item.client} item={item} onDisconnect={() => setLeaving(item)} />
            ))}
          </ul>
        )}
      </Panel>
      {leaving && <Disconnect item={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  )
}

function App({ item, onDisconnect }: { item: ConsentItem; onDisconnect: () => void }) {
  const t = useT()
  const claims = Object.values(item.claims)
  const used = item.used_at === null ? t('oauth.neverUsed') : t('oauth.used', { date: day(item.used_at) })
  return (
    <li>
      <div>
        <h3>{item.name}</h3>
        <p className="small text-2">{claims.length > 0 ? claims.join(' · ') : t('oauth.onlyNumber')}</p>
        <p className="small text-3">
          {t('oauth.since', { date: day(item.created_at) })} · {used}
        </p>
      </div>
      <Button variant="danger-outline" size="small" onPress={onDisconnect}>
        {t('oauth.disconnect')}
        <span className="visually-hidden"> {item.name}</span>
      </Button>
    </li>
  )
}

function Disconnect({ item, onClose }: { item: ConsentItem; onClose: () => void }) {
  const t = useT()
  const act = useAct('DELETE /api/v4/consents/{client}', [consents.queryKey])
  const disconnect = async () => {
    await act({ params: { client: item.client } })
  }
  return (
    <Dialog
      open
      cancelFocus
      title={t('oauth.disconnectTitle', { name: item.name })}
      onClose={onClose}
      actions={[{ preset: 'delete', label: t('oauth.disconnect'), onPress: disconnect }]}
    >
      <p>{t('oauth.disconnectText', { name: item.name })}</p>
    </Dialog>
  )
}
