import type { MessageKey } from '../../i18n/areas.ts'
import { useRoute } from '../../router/router-context.tsx'

/** Title of the current screen from the route table. */
export function useRouteTitle(): MessageKey {
  return useRoute()?.title ?? 'error.404'
}
