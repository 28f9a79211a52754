import { displayAddress } from '@gatehouse/contract/canonical-address'
import { securitySections } from '../../app/security-sections.ts'
import { useUser } from '../../app/session/auth.ts'
import { useT } from '../../i18n/i18n.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Tabs } from '../../ui/page/tabs.tsx'
import { RecoveryNote } from '../../ui/recovery/recovery-note.tsx'
import { LazySection } from './lazy-section.tsx'

/** What protects one's own account. Its tabs are rows of `app/security-sections.ts`, each a feature of its own. */
export function SecurityPage() {
  const t = useT()
  const user = useUser()
  if (!user) return null
  const sections = securitySections.filter(({ isFor }) => !isFor || isFor(user))
  return (
    <>
      <PageHead
        title={t('section.security')}
        facts={t('security.facts', { email: displayAddress(user.email) })}
      />
      <RecoveryNote />
      <Tabs
        outside
        label={t('security.parts')}
        keep={[]}
        tabs={sections.map((section) => ({
          name: section.name,
          label: t(section.label),
          content: () => <LazySection key={section.name} section={section} />,
        }))}
      />
    </>
  )
}
