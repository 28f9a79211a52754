import { displayAddress } from '@gatehouse/contract/canonical-address'
import { RecoveryNote } from '../../domain/recovery/recovery-note.tsx'
import { useT } from '../../i18n/i18n.ts'
import { useUser } from '../../platform/session/auth.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Tabs } from '../../ui/page/tabs.tsx'
import { LazySection } from './lazy-section.tsx'
import type { SecuritySection } from './security-section.ts'

/**
 * Security of the user's own account. Its tabs are rows in `app/security-screen.tsx`, each a separate
 * feature.
 */
export function SecurityPage({ sections }: { sections: readonly SecuritySection[] }) {
  const t = useT()
  const user = useUser()
  if (!user) return null
  const shown = sections.filter(({ isFor }) => !isFor || isFor(user))
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
        tabs={shown.map((section) => ({
          name: section.name,
          label: t(section.label),
          content: () => <LazySection key={section.name} section={section} />,
        }))}
      />
    </>
  )
}
