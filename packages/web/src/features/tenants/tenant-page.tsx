import type { Tenant } from '@gatehouse/contract/tenants'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { variant } from '../../app/config.ts'
import { showStatusPage } from '../../app/error-page-store.ts'
import { apiQuery } from '../../app/query.tsx'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { ObjectLoader } from '../../ui/directory/object-loader.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CatalogueTab } from './catalogue-tab.tsx'
import { DiscountsTab } from './discounts-tab.tsx'
import { LimitsForm } from './limits-form.tsx'
import { NamesPanel } from './names-panel.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SettlementsTab } from './settlements-tab.tsx'
import { UsagePanel } from './usage-panel.tsx'
import './tenants.css'

/** One tenant: what it earned, what it sells, how it is set. A reseller has one only. */
export function TenantPage() {
  // Without registered routes the parameters are an open record.
  const params: Record<string, string | undefined> = useParams({ strict: false })
  const id = params.tenant ?? ''
  if (id === 'own') return <OwnTenant />
  return /^\d{1,9}$/.test(id) ? <LoadedTenant key={id} id={id} /> : <Missing />
}

function Missing() {
  useEffect(() => showStatusPage(404), [])
  return null
}

/** The list of a reseller's tenants holds the own one. */
function OwnTenant() {
  const query = useQuery(apiQuery('GET /api/v4/tenants', { query: {} }))
  const [own] = query.data?.list ?? []
  return (
    <ObjectLoader query={{ ...query, data: query.data && { own } }}>
      {({ own: tenant }) => (tenant ? <TenantScreen tenant={tenant} /> : <Missing />)}
    </ObjectLoader>
  )
}

function LoadedTenant({ id }: { id: string }) {
  const query = useQuery(apiQuery('GET /api/v4/tenants/{id}', { params: { id } }))
  return <ObjectLoader query={query}>{(tenant) => <TenantScreen tenant={tenant} />}</ObjectLoader>
}

function TenantScreen({ tenant }: { tenant: Tenant }) {
  const t = useT()
  const id = String(tenant.id)
  return (
    <>
      <PageHead
        title={tenant.title}
        facts={t('tenants.since', { id, date: day(tenant.created_at) })}
        trail={variant() === 'admin' ? [{ label: t('cockpit.tenants'), to: '/tenants' }] : []}
      />
      <div className="columns">
        <div className="tenants-main">
          <Tabs
            label={t('tenants.parts')}
            outside
            keep={[]}
            tabs={[
              {
                name: 'settlements',
                label: t('tenants.settlements'),
                content: () => <SettlementsTab id={id} />,
              },
              { name: 'discounts', label: t('tenants.discounts'), content: () => <DiscountsTab id={id} /> },
              { name: 'catalogue', label: t('tenants.catalogue'), content: () => <CatalogueTab id={id} /> },
              {
                name: 'settings',
                label: t('tenants.settings'),
                content: () => (
                  <div className="stack">
                    <NamesPanel tenant={tenant} />
                    <SettingsForm tenant={tenant} />
                    {tenant.canChangeLimits && <LimitsForm tenant={tenant} />}
                  </div>
                ),
              },
            ]}
          />
        </div>
        <aside>
          <UsagePanel tenant={tenant} />
        </aside>
      </div>
    </>
  )
}
