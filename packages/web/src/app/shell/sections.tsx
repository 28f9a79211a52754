import { useT } from '../../i18n/i18n.ts'
import { sectionsFor } from '../../platform/navigation/sections.ts'
import { isHeldBack, type UserInfo, useUser } from '../../platform/session/auth.ts'
import { Link } from '../../router/link.tsx'
import { useLocation } from '../../router/router-context.tsx'

/** The second navigation level: what the signed-in person may open. */
export function Sections() {
  const t = useT()
  const user = useUser()
  if (!user || isHeldBack(user)) return null
  return (
    <nav className="sections" aria-label={t('shell.sections')}>
      <div className="page">
        <SectionLinks user={user} />
      </div>
    </nav>
  )
}

/** The same in the phone menu, since the row shows only some of them at a time. */
export function MenuSections() {
  const user = useUser()
  if (!user || isHeldBack(user)) return null
  return (
    <div className="lintel-sections">
      <SectionLinks user={user} />
    </div>
  )
}

function SectionLinks({ user }: { user: UserInfo }) {
  const t = useT()
  const segment = useLocation().pathname.split('/')[1] ?? ''
  return sectionsFor(user).map(({ to, label, covers }) => (
    <Link key={to} to={to} aria-current={covers.includes(segment) ? 'page' : undefined}>
      {t(label)}
    </Link>
  ))
}
