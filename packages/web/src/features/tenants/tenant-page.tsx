import type { Tenant } from '@gatehouse/contract/staff/tenants'
import { EventLog } from '../../domain/events/event-log.tsx'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { variant } from '../../platform/config.ts'
import { SaveScope } from '../../ui/form/save-scope.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Tabs } from '../../ui/page/tabs.tsx'
import { CatalogueTab } from './catalogue/catalogue-tab.tsx'
import { DiscountsTab } from './discounts-tab.tsx'
import { LimitsForm } from './limits-form.tsx'
import { NamesPanel } from './names-panel.tsx'
import { OfferLimitsPanel } from './offer-limits-panel.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SettlementsTab } from './settlements-tab.tsx'
import { SignUpTab } from './sign-up/sign-up-tab.tsx'
import { UsagePanel } from './usage-panel.tsx'
import { TenantLoader } from './use-tenant.tsx'
import './tenants.css'

/** Page of a tenant: settlements, offer and settings. A reseller has only one. */
export function TenantPage() {
  return (
    <SaveScope>
      <TenantLoader>{(tenant) => <TenantScreen tenant={tenant} />}</TenantLoader>
    </SaveScope>
  )
}

function TenantScreen({ tenant }: { tenant: Tenant }) {
  const t = useT()
  const id = String(tenant.id)
  const { wallet } = tenant
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
            label={t('words.partsOfThePage')}
            outside
            keep={[]}
            tabs={[
              {
                name: 'settlements',
                label: t('tenants.settlements'),
                content: () => <SettlementsTab id={id} />,
              },
              { name: 'discounts', label: t('tenants.discounts'), content: () => <DiscountsTab id={id} /> },
              {
                name: 'catalogue',
                label: t('tenants.catalogue'),
                content: () => <CatalogueTab tenant={tenant} />,
              },
              { name: 'sign-up', label: t('offer.signUp'), content: () => <SignUpTab tenant={tenant} /> },
              {
                name: 'settings',
                label: t('words.settings'),
                content: () => (
                  <div className="stack">
                    <NamesPanel tenant={tenant} />
                    <SettingsForm tenant={tenant} />
                    {tenant.canChangeLimits && <LimitsForm tenant={tenant} />}
                  </div>
                ),
              },
              {
                name: 'history',
                label: t('words.history'),
                content: () => (
                  <EventLog type="tenant" id={tenant.id} {...(wallet && { currency: wallet.currency })} />
                ),
              },
            ]}
          />
        </div>
        <aside className="stack">
          <UsagePanel tenant={tenant} />
          <OfferLimitsPanel tenant={tenant} />
        </aside>
      </div>
    </>
  )
}
