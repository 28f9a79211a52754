import { useT } from '../../i18n/i18n.ts'
import { Note } from '../../ui/note.tsx'

/** What somebody signs in with beside the password. */
export function FactorsSection() {
  const t = useT()
  return <Note tone="warning" title={t('factors.none')} />
}
