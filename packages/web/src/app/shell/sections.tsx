import { Link, useRouterState } from '@tanstack/react-router'
import { useT } from '../../i18n/i18n.ts'
import { sectionsFor } from '../../platform/navigation/sections.ts'
import { isHeldBack, useUser } from '../../platform/session/auth.ts'

/** The second level of the navigation: what the signed-in person may open. */
export function Sections() {
  const t = useT()
  const user = useUser()
  const segment = useRouterState({ select: (state) => state.location.pathname.split('/')[1] ?? '' })
  if (!user || isHeldBack(user)) return null
  return (
    <nav className="sections" aria-label={t('shell.sections')}>
      <div className="page">
        {sectionsFor(user).map(({ to, label, covers }) => (
          <Link key={to} to={to} aria-current={covers.includes(segment) ? 'page' : undefined}>
            {t(label)}
          </Link>
        ))}
      </div>
    </nav>
  )
}
