import { SecurityPage } from '../features/security/security-page.tsx'
import type { SecuritySection } from '../features/security/security-section.ts'
import { variant } from '../platform/config.ts'

/** In display order. */
const sections: readonly SecuritySection[] = [
  {
    name: 'factors',
    label: 'security.factors',
    load: () => import('../features/factors/factors-section.tsx').then((m) => m.FactorsSection),
    messages: ['factors', 'proof', 'copy'],
  },
  {
    name: 'app-passwords',
    label: 'words.appPasswords',
    load: () =>
      import('../features/app-passwords/app-passwords-section.tsx').then((m) => m.AppPasswordsSection),
    messages: ['apppasswords', 'copy'],
  },
  {
    name: 'api-keys',
    label: 'words.apiKeys',
    load: () => import('../features/api-keys/api-keys-section.tsx').then((m) => m.ApiKeysSection),
    messages: ['apikeys', 'copy'],
    isFor: () => variant() === 'user',
  },
  {
    name: 'webhooks',
    label: 'words.webhooks',
    load: () => import('../features/webhooks/webhooks-section.tsx').then((m) => m.WebhooksSection),
    messages: ['webhooks', 'copy', 'list'],
    isFor: () => variant() === 'user',
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
    label: 'words.sessions',
    load: () => import('../features/sessions/sessions-section.tsx').then((m) => m.SessionsSection),
    messages: ['sessions', 'password'],
  },
  {
    name: 'activity',
    label: 'words.activity',
    load: () => import('../features/sign-ins/sign-ins-section.tsx').then((m) => m.SignInsSection),
    messages: ['events', 'sentences', 'list'],
  },
]

/** The security page with all its tabs. */
export function SecurityScreen() {
  return <SecurityPage sections={sections} />
}
