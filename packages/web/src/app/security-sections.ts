import type { ComponentType } from 'react'
import type { Area, MessageKey } from '../i18n/areas.ts'
import type { UserInfo } from './session/auth.ts'

/**
 * A tab of the security page, `/security?tab=<name>`. A feature that belongs there adds a row here, with the name of the
 * tab in the catalogue `security`; the page fetches its code and its texts when the tab is opened first, so that
 * features need not know each other. The component is the content below the tabs: panels, without a heading of the page.
 */
export interface SecuritySection {
  /** In the address. */
  name: string
  label: MessageKey
  load: () => Promise<ComponentType>
  /** Texts that it needs. */
  messages: readonly Area[]
  /** For whom it is there; absent: for everybody, staff included. */
  isFor?: (user: UserInfo) => boolean
}

/** In the order in which they are shown. */
export const securitySections: readonly SecuritySection[] = [
  {
    name: 'factors',
    label: 'security.factors',
    load: () => import('../features/factors/factors-section.tsx').then((m) => m.FactorsSection),
    messages: ['factors', 'proof', 'copy'],
  },
  {
    name: 'app-passwords',
    label: 'security.appPasswords',
    load: () =>
      import('../features/app-passwords/app-passwords-section.tsx').then((m) => m.AppPasswordsSection),
    messages: ['apppasswords', 'copy'],
  },
  {
    name: 'apps',
    label: 'security.apps',
    load: () =>
      import('../features/connected-apps/connected-apps-section.tsx').then((m) => m.ConnectedAppsSection),
    messages: ['oauth'],
  },
  {
    name: 'sessions',
    label: 'security.sessions',
    load: () => import('../features/sessions/sessions-section.tsx').then((m) => m.SessionsSection),
    messages: ['sessions', 'password'],
  },
  {
    name: 'activity',
    label: 'security.activity',
    load: () => import('../features/sign-ins/sign-ins-section.tsx').then((m) => m.SignInsSection),
    messages: ['events', 'list'],
  },
]
