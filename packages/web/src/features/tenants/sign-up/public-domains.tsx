import type { PublicDomain } from '@gatehouse/contract/staff/tenant-sign-up'
import type { Tenant } from '@gatehouse/contract/staff/tenants'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCirclePause from '@tabler/icons-react/dist/esm/icons/IconCirclePause.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MessageKey } from '../../../i18n/areas.ts'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useActWith } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CopyValue } from '../../../ui/buttons/copy-value.tsx'
import { Chip, type Tone } from '../../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../../ui/icon.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Note } from '../../../ui/page/note.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'
import { RemoveDialog } from '../remove-dialog.tsx'
import { NewDomainDialog } from './new-domain-dialog.tsx'
import { type PublicDomains as Domains, publicDomainsQuery } from './public-domains-query.ts'
import { WaitingDomain } from './waiting-domain.tsx'

const looks: Record<PublicDomain['state'], { tone: Tone; icon: Glyph; label: MessageKey }> = {
  waiting: { tone: 'info', icon: IconClock, label: 'tenants.nameWaiting' },
  open: { tone: 'success', icon: IconCircleCheck, label: 'words.open' },
  closed: { tone: 'muted', icon: IconCirclePause, label: 'words.closed' },
}

/** Domains in which customers of the tenant get addresses at sign-up. */
export function PublicDomains({ tenant }: { tenant: Tenant }) {
  const t = useT()
  const [adding, setAdding] = useState(false)
  const { data, isError, refetch } = useQuery(publicDomainsQuery(tenant.id))
  if (!data) return isError ? <LoadFailed onRetry={refetch} /> : <SkeletonRows count={3} />
  const add = (
    <Button size="small" icon={IconPlus} onPress={() => setAdding(true)}>
      {t('offer.addDomain')}
    </Button>
  )
  const limit = tenant.offerLimits?.publicDomains
  const used = data.list.filter(({ state }) => state !== 'closed').length
  return (
    <>
      {data.list.length === 0 ? (
        <EmptyState title={t('offer.noDomains')} action={add}>
          {t('offer.noDomainsText')}
        </EmptyState>
      ) : (
        <>
          <div className="offer-tools">
            <p className="text-2 small">
              {t('offer.domainsText')}{' '}
              {limit !== undefined && t('offer.ofDomainsUsed', { used: number(used), limit: number(limit) })}
            </p>
            {add}
          </div>
          <SignUpPlace url={data.signupUrl} />
          {data.list.map((domain) => (
            <DomainRow key={`${domain.name} ${domain.state}`} tenant={tenant} domain={domain} all={data} />
          ))}
        </>
      )}
      {adding && <NewDomainDialog tenant={tenant.id} onClose={() => setAdding(false)} />}
    </>
  )
}

/** The sign-up URL; a tenant without a host has none. */
function SignUpPlace({ url }: { url: string | null }) {
  const t = useT()
  return (
    <div className="offer-place">
      {url === null ? (
        <Note tone="warning" title={t('offer.noHost')}>
          {t('offer.noHostText')}
        </Note>
      ) : (
        <>
          <span className="text-2 small">{t('offer.place')}</span>
          <CopyValue text={url} label={t('offer.copyAddress')} />
        </>
      )}
    </div>
  )
}

interface DomainRowProps {
  tenant: Tenant
  domain: PublicDomain
  all: Domains
}

function DomainRow({ tenant, domain, all }: DomainRowProps) {
  const t = useT()
  const { tone, icon, label } = looks[domain.state]
  return (
    <section className="tenants-proof" aria-label={domain.name}>
      <header>
        <div>
          <h2>{domain.name}</h2>
        </div>
        <span className="row wrap">
          <Chip tone={tone} icon={icon}>
            {t(label)}
          </Chip>
          {domain.state !== 'waiting' && <OpenOrClose tenant={tenant} domain={domain} all={all} />}
        </span>
      </header>
      {domain.state === 'waiting' && (
        <WaitingDomain tenant={tenant.id} domain={domain} canConfirm={all.canConfirm} />
      )}
    </section>
  )
}

function OpenOrClose({ tenant, domain, all }: DomainRowProps) {
  const t = useT()
  const client = useQueryClient()
  const act = useActWith()
  const [closing, setClosing] = useState(false)
  const { name, state } = domain
  const change = async (open: boolean) => {
    const params = { id: String(tenant.id), domain: name }
    const done = await call('PUT /api/v4/tenants/{id}/public-domains/{domain}', { params, body: { open } })
    await client.invalidateQueries({ queryKey: publicDomainsQuery(tenant.id).queryKey })
    return done
  }
  const isLast = all.list.filter((one) => one.state === 'open').length === 1
  return (
    <>
      <Button
        size="small"
        onPress={async () => {
          if (state === 'open') return setClosing(true)
          await act(() => change(true))
        }}
      >
        <span className="visually-hidden">{`${name}: `}</span>
        {t(state === 'open' ? 'offer.closeDomain' : 'offer.reopenDomain')}
      </Button>
      {closing && (
        <RemoveDialog
          title={t('offer.closeDomainTitle', { name })}
          label={t('offer.closeDomainNow')}
          field="domain"
          act={() => change(false)}
          onClose={() => setClosing(false)}
        >
          <p>{t('offer.closeDomainText')}</p>
          {isLast && (
            <Note tone="warning" title={t('offer.lastDomain')}>
              {t('offer.lastDomainText')}
            </Note>
          )}
        </RemoveDialog>
      )}
    </>
  )
}
