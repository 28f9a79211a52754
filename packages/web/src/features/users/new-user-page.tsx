import type { SubscriptionPackage } from '@gatehouse/contract/billing/subscriptions'
import { DeletedAddressDialog } from '../../domain/deleted-address/deleted-address-dialog.tsx'
import { fullAddress } from '../../domain/domain-select/full-address.ts'
import { useOwnDomains } from '../../domain/domain-select/use-own-domains.ts'
import { domainsOf, UserFields, UserPackage } from '../../domain/new-objects/user-fields.tsx'
import { pricingOf } from '../../domain/subscriptions/discount.tsx'
import { PricePanel } from '../../domain/subscriptions/price-panel.tsx'
import { useObjectPrice } from '../../domain/subscriptions/use-price-preview.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { type UserInfo, useUser } from '../../platform/session/auth.ts'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { useFocusFirst } from '../../ui/form/use-focus-first.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Loading } from '../../ui/page/skeleton.tsx'
import { PasswordSection } from './form/password-section.tsx'
import { useNewUser } from './form/use-new-user.ts'
import './users.css'

/** A new user of the account. */
export function NewUserPage() {
  const t = useT()
  const self = useUser()
  const packages = useApi('GET /api/v4/packages')
  const { confirmed, isError } = useOwnDomains()
  const isDegraded = self?.isDegraded || self?.isAccountDegraded
  const forUsers = packages.data?.filter((item) => !item.isDomain)
  const isReady = forUsers !== undefined && (confirmed !== undefined || isError)
  const retry = () => packages.refetch()
  return (
    <>
      <PageHead
        title={t('words.newUser')}
        facts={t('users.newLead')}
        trail={[{ label: t('words.users'), to: '/users' }]}
      />
      {isDegraded && <Degraded />}
      {!isDegraded && packages.isError && !packages.data && <LoadFailed onRetry={retry} />}
      {!isDegraded && !isReady && !packages.isError && (
        <Loading>
          <FormSkeleton />
        </Loading>
      )}
      {!isDegraded && isReady && self && (
        <NewUser self={self} packages={forUsers} domains={domainsOf(self.email, confirmed ?? [])} />
      )}
    </>
  )
}

function Degraded() {
  const t = useT()
  return (
    <Panel flush>
      <EmptyState
        title={t('users.degradedTitle')}
        action={<ButtonLink to="/wallet">{t('degraded.topUp')}</ButtonLink>}
      >
        {t('users.degradedText')}
      </EmptyState>
    </Panel>
  )
}

interface NewUserProps {
  self: UserInfo
  packages: readonly SubscriptionPackage[]
  domains: readonly string[]
}

function NewUser({ self, packages, domains }: NewUserProps) {
  const t = useT()
  const { form, offer } = useNewUser({ domain: domains[0] ?? '', packageId: packages[0]?.id ?? '' })
  const { values } = form
  useFocusFirst(form.props.ref)
  const chosen = values.package
  const skus = useApi('GET /api/v4/skus', { query: { type: 'user' } })
  const price = useObjectPrice(chosen ? { type: 'user', action: 'create', package: chosen } : undefined)
  return (
    <div className="columns">
      <UnsavedGuard form={form} />
      <DeletedAddressDialog offer={offer} onReleased={() => form.submit()} />
      <form {...form.props} className="panel" aria-label={t('words.newUser')}>
        <UserFields
          field={(name) => form.field(name)}
          local={form.field('email')}
          domain={form.field('domain')}
          domains={domains}
          aliases={form.list('aliases')}
        />
        {self.impersonatedBy ? (
          <FormSection title={t('words.password')}>
            <p className="text-2">{t('users.passwordByAccount')}</p>
          </FormSection>
        ) : (
          <PasswordSection
            form={form}
            username={fullAddress(values.email, values.domain)}
            person={{
              first_name: values.first_name,
              last_name: values.last_name,
              organization: values.organization,
            }}
          />
        )}
        <UserPackage
          field={form.field('package')}
          packages={packages}
          pricing={pricingOf(self.wallet)}
          price={price}
        />
        <footer>
          <span className="spacer" />
          <ButtonLink to="/users">{t('words.cancel')}</ButtonLink>
          <Button
            type="submit"
            variant="primary"
            reason={price.pending ? t('words.priceToCome') : undefined}
            busy={form.busy}
            busyLabel={t('users.creating')}
          >
            {t('users.create')}
          </Button>
        </footer>
      </form>
      <aside className="users-aside" aria-label={t('words.price')}>
        <PricePanel state={price} skus={skus.data} isNew />
      </aside>
    </div>
  )
}
