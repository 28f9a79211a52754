import type {
  DelegationAccess,
  DelegationKind,
  DelegationOptions,
  DelegationOptionsInput,
} from '@gatehouse/contract/directory/delegation'
import type { MessageKey } from '../../../i18n/areas.ts'

/** What a user can let somebody work with, in the order of the screen. */
export const kinds: readonly DelegationKind[] = ['mail', 'event', 'task', 'contact']

export const kindLabels: Record<DelegationKind, MessageKey> = {
  mail: 'words.mail',
  event: 'words.calendar',
  task: 'words.tasks',
  contact: 'words.contacts',
}

export const accessLabels: Record<DelegationAccess, MessageKey> = {
  'read-only': 'usersettings.readOnly',
  'read-write': 'usersettings.readWrite',
}

/** The rights as the dialog has them: an empty text is none. */
export interface DelegateValues extends Record<DelegationKind, DelegationAccess | ''> {
  email: string
  send_as: boolean
}

/** The dialog's values for a delegation, or for a new one. */
export function delegateValues(email: string, options: Partial<DelegationOptions> = {}): DelegateValues {
  const { mail = '', event = '', task = '', contact = '', send_as = false } = options
  return { email, mail, event, task, contact, send_as }
}

/** The rights as the wire has them: the whole wanted state. */
export function delegationInput(values: DelegateValues): DelegationOptionsInput {
  const granted = Object.fromEntries(kinds.map((kind) => [kind, values[kind] || null]))
  return { ...granted, send_as: values.send_as }
}

/** Whether anything is granted; a delegation without any right is none. */
export function grantsAnything(values: DelegateValues): boolean {
  return kinds.some((kind) => values[kind] !== '')
}
