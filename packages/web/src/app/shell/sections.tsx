import { Link, useRouterState } from '@tanstack/react-router'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { hasPermission, isHeldBack, type Permission, type UserInfo, useUser } from '../session/auth.ts'

export interface Section {
  to: string
  label: MessageKey
  perm?: Permission
  /** First segments of the paths that lie in it. */
  covers: readonly string[]
}

const userSections: readonly Section[] = [
  { to: '/dashboard', label: 'section.overview', covers: ['dashboard', 'settings', 'payment'] },
  { to: '/users', label: 'section.users', perm: 'users', covers: ['users', 'user', 'import', 'batch'] },
  { to: '/domains', label: 'section.domains', perm: 'domains', covers: ['domains', 'domain'] },
  { to: '/distlists', label: 'section.distlists', perm: 'distlists', covers: ['distlists', 'distlist'] },
  { to: '/resources', label: 'section.resources', perm: 'resources', covers: ['resources', 'resource'] },
  {
    to: '/shared-folders',
    label: 'section.folders',
    perm: 'folders',
    covers: ['shared-folders', 'shared-folder'],
  },
  { to: '/files', label: 'section.files', perm: 'files', covers: ['files', 'file'] },
  { to: '/rooms', label: 'section.rooms', perm: 'rooms', covers: ['rooms', 'room'] },
  { to: '/wallet', label: 'section.wallet', perm: 'wallets', covers: ['wallet'] },
  { to: '/policies', label: 'section.policies', perm: 'settings', covers: ['policies'] },
  { to: '/activity', label: 'section.activity', perm: 'users', covers: ['activity'] },
]

/** Everybody's own, at the end of each variant's navigation. */
const security: Section = { to: '/security', label: 'section.security', covers: ['security'] }

let sections = userSections

/** Gives a variant its own navigation, before the first screen is shown. */
export function setSections(own: readonly Section[]): void {
  sections = own
}

/** What a signed-in person may open, in the order of the product. */
export function sectionsFor(user: UserInfo): Section[] {
  return [...sections, security].filter(({ perm }) => !perm || hasPermission(perm, user))
}

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
