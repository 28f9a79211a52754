import type { ComponentType } from 'react'
import type { Area, MessageKey } from '../../i18n/areas.ts'
import type { UserInfo } from '../../platform/session/auth.ts'

/**
 * A tab of the security page, `/security?tab=<name>`. A feature adds its tab as a row in
 * `app/security-screen.tsx`, named as in the catalogue `security`. The page lazy-loads code and texts when
 * the tab is first opened, so that features don't depend on each other. The component is the content below
 * the tabs: panels without a page heading.
 */
export interface SecuritySection {
  /** Name in the URL. */
  name: string
  label: MessageKey
  load: () => Promise<ComponentType>
  /** Required texts. */
  messages: readonly Area[]
  /** Who sees the tab; by default everyone, including staff. */
  isFor?: (user: UserInfo) => boolean
}
