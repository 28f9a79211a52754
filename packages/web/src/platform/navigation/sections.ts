import type { MessageKey } from '../../i18n/areas.ts'
import { hasPermission, type Permission, type UserInfo } from '../session/auth.ts'

export interface Section {
  to: string
  label: MessageKey
  perm?: Permission
  /** First path segments that belong to the section. */
  covers: readonly string[]
}

const userSections: readonly Section[] = [
  { to: '/dashboard', label: 'section.overview', covers: ['dashboard', 'settings', 'payment', 'export'] },
  { to: '/users', label: 'words.users', perm: 'users', covers: ['users', 'user', 'import', 'batch'] },
  { to: '/domains', label: 'words.domains', perm: 'domains', covers: ['domains', 'domain'] },
  { to: '/distlists', label: 'section.distlists', perm: 'distlists', covers: ['distlists', 'distlist'] },
  {
    to: '/resources',
    label: 'words.resources',
    perm: 'resources',
    covers: ['resources', 'resource', 'booking-requests'],
  },
  {
    to: '/shared-folders',
    label: 'words.sharedFolders',
    perm: 'folders',
    covers: ['shared-folders', 'shared-folder'],
  },
  { to: '/files', label: 'words.files', perm: 'files', covers: ['files', 'file'] },
  { to: '/rooms', label: 'section.rooms', perm: 'rooms', covers: ['rooms', 'room'] },
  { to: '/wallet', label: 'words.wallet', perm: 'wallets', covers: ['wallet'] },
  { to: '/policies', label: 'words.policies', perm: 'settings', covers: ['policies'] },
  {
    to: '/mail',
    label: 'words.mail',
    covers: ['mail', 'mail-filters', 'mail-import', 'deleted-mail', 'devices'],
  },
  { to: '/activity', label: 'words.activity', perm: 'users', covers: ['activity'] },
]

/** Section for everyone, at the end of each variant's navigation. */
const security: Section = { to: '/security', label: 'section.security', covers: ['security'] }

let sections = userSections

/** Sets a variant's navigation, before the first screen is shown. */
export function setSections(own: readonly Section[]): void {
  sections = own
}

/** Returns the sections the user may open, in product order. */
export function sectionsFor(user: UserInfo): Section[] {
  return [...sections, security].filter(({ perm }) => !perm || hasPermission(perm, user))
}
