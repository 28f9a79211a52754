import type { MessageKey } from '../../i18n/areas.ts'
import { useRoute } from '../../router/router-context.tsx'

/** The name that the route table gives to the current screen. */
export function useRouteTitle(): MessageKey {
  return useRoute()?.title ?? 'error.404'
}
