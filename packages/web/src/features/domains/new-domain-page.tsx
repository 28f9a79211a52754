import type { SubscriptionPackage } from '@gatehouse/contract/billing/subscriptions'
import { DomainFields } from '../../domain/new-objects/domain-fields.tsx'
import { type Pricing, pricingOf } from '../../domain/subscriptions/discount.tsx'
import { PricePanel } from '../../domain/subscriptions/price-panel.tsx'
import { useObjectPrice } from '../../domain/subscriptions/use-price-preview.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { useUser } from '../../platform/session/auth.ts'
import { useNavigate } from '../../router/router-context.tsx'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { useFocusFirst } from '../../ui/form/use-focus-first.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Loading } from '../../ui/page/skeleton.tsx'
import { domainsChanged } from './domain-calls.ts'
import './domains.css'

/** A new domain of the account. */
export function NewDomainPage() {
  const t = useT()
  const self = useUser()
  const packages = useApi('GET /api/v4/packages')
  const isDegraded = self?.isDegraded || self?.isAccountDegraded
  return (
    <>
      <PageHead
        title={t('words.newDomain')}
        facts={t('domains.newLead')}
        trail={[{ label: t('words.domains'), to: '/domains' }]}
      />
      {isDegraded && <Degraded />}
      {!isDegraded && !packages.data && packages.isError && <LoadFailed onRetry={packages.refetch} />}
      {!isDegraded && !packages.data && !packages.isError && (
        <Loading>
          <FormSkeleton />
        </Loading>
      )}
      {!isDegraded && packages.data && self && (
        <NewDomain
          packages={packages.data.filter((item) => item.isDomain)}
          pricing={pricingOf(self.wallet)}
        />
      )}
    </>
  )
}

function Degraded() {
  const t = useT()
  return (
    <Panel flush>
      <EmptyState
        title={t('domains.degradedTitle')}
        action={<ButtonLink to="/wallet">{t('degraded.topUp')}</ButtonLink>}
      >
        {t('domains.degradedText')}
      </EmptyState>
    </Panel>
  )
}

interface NewDomainProps {
  packages: readonly SubscriptionPackage[]
  pricing: Pricing
}

function NewDomain({ packages, pricing }: NewDomainProps) {
  const t = useT()
  const form = useNewDomain(packages[0]?.id ?? '')
  useFocusFirst(form.props.ref)
  const chosen = form.values.package
  const skus = useApi('GET /api/v4/skus', { query: { type: 'domain' } })
  const price = useObjectPrice(chosen ? { type: 'domain', action: 'create', package: chosen } : undefined)
  return (
    <div className="columns">
      <UnsavedGuard form={form} />
      <form {...form.props} className="panel" aria-label={t('words.newDomain')}>
        <DomainFields
          namespace={form.field('namespace')}
          package={form.field('package')}
          packages={packages}
          pricing={pricing}
          price={price}
        />
        <FormSection title={t('domains.nextTitle')}>
          <ol className="domains-steps">
            <li>{t('domains.nextConfirm')}</li>
            <li>{t('domains.nextRecords')}</li>
            <li>{t('domains.nextUsers')}</li>
          </ol>
        </FormSection>
        <footer>
          <span className="spacer" />
          <ButtonLink to="/domains">{t('words.cancel')}</ButtonLink>
          <Button
            type="submit"
            variant="primary"
            reason={price.pending ? t('words.priceToCome') : undefined}
            busy={form.busy}
            busyLabel={t('domains.creating')}
          >
            {t('words.addDomain')}
          </Button>
        </footer>
      </form>
      <aside aria-label={t('words.price')}>
        <PricePanel state={price} skus={skus.data} isNew />
      </aside>
    </div>
  )
}

function useNewDomain(packageId: string) {
  const act = useAct('POST /api/v4/domains', domainsChanged)
  const navigate = useNavigate()
  return useForm({
    initial: { namespace: '', package: packageId },
    submit: async ({ namespace, package: chosen }) => {
      const answer = await act({
        body: { namespace: namespace.trim() || null, package: chosen || null },
      })
      await navigate({ to: `/domain/${answer.id}`, ignoreBlocker: true })
    },
  })
}
