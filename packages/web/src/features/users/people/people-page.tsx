import type { SubscriptionPackage } from '@gatehouse/contract/billing/subscriptions'
import { useState } from 'react'
import { useOwnDomains } from '../../../domain/domain-select/use-own-domains.ts'
import { domainsOf } from '../../../domain/new-objects/user-fields.tsx'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { type UserInfo, useUser } from '../../../platform/session/auth.ts'
import { ButtonLink } from '../../../ui/buttons/button.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { FormSkeleton } from '../../../ui/form/form-skeleton.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Note } from '../../../ui/page/note.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { Loading } from '../../../ui/page/skeleton.tsx'
import { Outcome } from './outcome.tsx'
import { Sheet } from './sheet.tsx'
import { SheetFoot } from './sheet-foot.tsx'
import { usePeople } from './use-people.ts'
import './people.css'

/** Creates several users at once in a sheet. */
export function PeoplePage() {
  const t = useT()
  const self = useUser()
  const packages = useApi('GET /api/v4/packages')
  const { confirmed, isError } = useOwnDomains()
  const isDegraded = self?.isDegraded || self?.isAccountDegraded
  const isBorrowed = self?.impersonatedBy !== undefined
  const forUsers = packages.data?.filter((item) => !item.isDomain)
  const isReady = forUsers !== undefined && (confirmed !== undefined || isError)
  return (
    <>
      <PageHead
        title={t('words.addPeople')}
        facts={t('people.lead')}
        trail={[{ label: t('words.users'), to: '/users' }]}
      />
      {isDegraded && <Refused title={t('users.degradedTitle')} text={t('users.degradedText')} isDegraded />}
      {!isDegraded && isBorrowed && (
        <Refused title={t('people.borrowedTitle')} text={t('people.borrowedText')} />
      )}
      {!isDegraded && !isBorrowed && packages.isError && !packages.data && (
        <LoadFailed onRetry={() => packages.refetch()} />
      )}
      {!isDegraded && !isBorrowed && !isReady && !packages.isError && (
        <Loading>
          <FormSkeleton />
        </Loading>
      )}
      {!isDegraded && !isBorrowed && isReady && self && (
        <People self={self} packages={forUsers} domains={domainsOf(self.email, confirmed ?? [])} />
      )}
    </>
  )
}

function Refused({ title, text, isDegraded = false }: { title: string; text: string; isDegraded?: boolean }) {
  const t = useT()
  return (
    <Panel flush>
      <EmptyState
        title={title}
        action={
          isDegraded ? (
            <ButtonLink to="/wallet">{t('degraded.topUp')}</ButtonLink>
          ) : (
            <ButtonLink to="/users">{t('words.users')}</ButtonLink>
          )
        }
      >
        {text}
      </EmptyState>
    </Panel>
  )
}

interface PeopleProps {
  self: UserInfo
  packages: readonly SubscriptionPackage[]
  domains: readonly string[]
}

function People({ self, packages, domains }: PeopleProps) {
  const t = useT()
  // prefer the account's own domain to a public one
  const [domain, setDomain] = useState(domains.at(-1) ?? '')
  const skus = useApi('GET /api/v4/skus', { query: { type: 'user' } })
  const people = usePeople({ packages, domain })
  const storage = skus.data?.find(({ handler }) => handler === 'Storage')
  const failed = people.rows.filter((row) => people.of(row).failure !== undefined).length
  return (
    <>
      <UnsavedGuard form={people} />
      {people.created.length > 0 && <Outcome created={people.created} isOnly={people.filled === 0} />}
      {failed > 0 && (
        <Note tone="danger" live title={t('people.failedTitle', { count: failed, number: number(failed) })}>
          {t('people.failedText')}
        </Note>
      )}
      <form
        className="panel people"
        aria-label={t('words.addPeople')}
        aria-busy={people.busy || undefined}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void people.submit()
        }}
      >
        <div className="people-intro">
          <p className="text-2">{t('people.pasteHint')}</p>
          {domains.length > 1 && (
            <Select
              id="people-domain"
              label={t('people.domain')}
              value={domain}
              onValue={setDomain}
              options={domains.map((name) => ({ value: name, label: name }))}
            />
          )}
        </div>
        <Sheet
          people={people}
          packages={packages}
          domain={domain}
          currency={self.wallet.currency}
          storageUnit={storage?.range?.unit}
        />
        <SheetFoot people={people} />
      </form>
    </>
  )
}
