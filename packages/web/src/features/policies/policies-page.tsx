import type { AccountPolicies } from '@gatehouse/contract/policies'
import IconPackageExport from '@tabler/icons-react/dist/esm/icons/IconPackageExport.mjs'
import { useQuery } from '@tanstack/react-query'
import { useT } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { useApi } from '../../platform/api/query.tsx'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { usePanelForm } from '../../ui/form/save-panel.tsx'
import { SaveScope } from '../../ui/form/save-scope.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { type Tab, Tabs } from '../../ui/page/tabs.tsx'
import { FactorTab } from './factor-tab.tsx'
import { MailTab } from './mail-tab.tsx'
import { OwnersTab } from './owners/owners-tab.tsx'
import { PasswordTab } from './password-tab.tsx'
import { PoliciesSkeleton } from './policies-skeleton.tsx'
import { policiesQuery } from './save-policies.ts'
import { StaffTab } from './staff-tab.tsx'
import { useFactorForm, useMailForm, usePasswordForm, useStaffForm } from './use-policy-forms.ts'
import './policies.css'

/** Policies that apply to everyone in the account, unless a user has their own setting. */
export function PoliciesPage() {
  const t = useT()
  const policies = useQuery(policiesQuery)
  const users = useApi('GET /api/v4/users', { query: { size: 1 } })
  const count = users.data?.total
  return (
    <>
      <PageHead
        title={t('words.policies')}
        facts={count === undefined ? t('policies.facts') : t('policies.factsCount', { count })}
        actions={
          <ButtonLink to="/export" icon={IconPackageExport}>
            {t('words.exportData')}
          </ButtonLink>
        }
      />
      <SaveScope>
        <Content {...policies} />
      </SaveScope>
    </>
  )
}

interface ContentProps {
  data: AccountPolicies | undefined
  isPending: boolean
  error: unknown
  refetch: () => unknown
}

function Content({ data, isPending, error, refetch }: ContentProps) {
  if (data) return <Forms key={data.ownerId} policies={data} />
  if (isPending) return <PoliciesSkeleton />
  // Messages from a proxy or the browser aren't meant for users.
  const reason = error instanceof ApiError && error.fromServer ? error.message : undefined
  return <LoadFailed onRetry={refetch} reason={reason} />
}

/** Holds the forms of all tabs, so that input survives switching tabs. */
function Forms({ policies }: { policies: AccountPolicies }) {
  const t = useT()
  const password = usePasswordForm(policies)
  const mail = useMailForm(policies)
  const staff = useStaffForm(policies)
  const factor = useFactorForm(policies)
  usePanelForm(password, t('words.password'), 'password')
  usePanelForm(factor, t('words.secondFactor'), 'factor')
  usePanelForm(mail, t('words.mailDelivery'), 'mail')
  usePanelForm(staff, t('policies.staff'), 'staff')
  const tabs: Tab[] = []
  if (policies.password.length > 0)
    tabs.push({
      name: 'password',
      label: t('words.password'),
      content: () => <PasswordTab policies={policies} form={password} />,
    })
  tabs.push({
    name: 'factor',
    label: t('words.secondFactor'),
    content: () => <FactorTab policies={policies} form={factor} />,
  })
  if (policies.mailDelivery.length > 0)
    tabs.push({
      name: 'mail',
      label: t('words.mailDelivery'),
      content: () => <MailTab policies={policies} form={mail} />,
    })
  tabs.push({
    name: 'staff',
    label: t('policies.staff'),
    content: () => <StaffTab policies={policies} form={staff} />,
  })
  tabs.push({ name: 'owners', label: t('words.owners'), content: () => <OwnersTab /> })
  const forms = [password, factor, mail, staff]
  return (
    <>
      <Tabs outside label={t('policies.tabs')} tabs={tabs} />
      <UnsavedGuard
        form={{ dirty: forms.some((form) => form.dirty), busy: forms.some((form) => form.busy) }}
        within="/policies"
      />
    </>
  )
}
