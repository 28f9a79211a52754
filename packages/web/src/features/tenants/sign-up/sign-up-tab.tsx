import type { Tenant } from '@gatehouse/contract/staff/tenants'
import { useT } from '../../../i18n/i18n.ts'
import { Tabs } from '../../../ui/page/tabs.tsx'
import { Programs } from './programs.tsx'
import { PublicDomains } from './public-domains.tsx'
import { Tokens } from './tokens.tsx'

/** Sign-up settings of the tenant: public domains, tokens and referral programmes. */
export function SignUpTab({ tenant }: { tenant: Tenant }) {
  const t = useT()
  return (
    <section className="panel">
      <Tabs
        label={t('offer.signUpParts')}
        param="part"
        keep={['tab']}
        tabs={[
          {
            name: 'domains',
            label: t('words.publicDomains'),
            content: () => <PublicDomains tenant={tenant} />,
          },
          { name: 'tokens', label: t('offer.tokens'), content: () => <Tokens tenant={tenant} /> },
          {
            name: 'programs',
            label: t('words.referralProgrammes'),
            content: () => <Programs tenant={tenant} />,
          },
        ]}
      />
    </section>
  )
}
