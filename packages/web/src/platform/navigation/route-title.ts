import { useMatches } from '@tanstack/react-router'
import type { MessageKey } from '../../i18n/areas.ts'

/** The name that the route table gives to the current screen. */
export function useRouteTitle(): MessageKey {
  return useMatches({ select: (matches) => matches.at(-1)?.staticData.entry?.title ?? 'error.404' })
}
