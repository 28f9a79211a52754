import type { ComponentType } from 'react'
import type { Area, MessageKey } from '../../i18n/areas.ts'
import type { UserInfo } from '../../platform/session/auth.ts'

/**
 * A tab of the security page, `/security?tab=<name>`. A feature that belongs there has a row in `app/security-screen.tsx`, with the name of the
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
