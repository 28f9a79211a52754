import type { MessageKey } from '../../i18n/areas.ts'

/** Field labels by API name. */
export type FieldLabels = Readonly<Record<string, MessageKey>>
