import type { MessageKey } from '../../i18n/areas.ts'

/** Words for fields, by the name that they have on the wire. */
export type FieldLabels = Readonly<Record<string, MessageKey>>
