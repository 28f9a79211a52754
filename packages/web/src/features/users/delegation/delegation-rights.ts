import type {
  DelegationAccess,
  DelegationKind,
  DelegationOptions,
  DelegationOptionsInput,
} from '@gatehouse/contract/directory/delegation'
import type { MessageKey } from '../../../i18n/areas.ts'
import { wordList } from '../../../i18n/format.ts'
import type { Translate } from '../../../i18n/i18n.ts'

/** Kinds of data that can be delegated, in display order. */
export const kinds: readonly DelegationKind[] = ['mail', 'event', 'task', 'contact']

export const kindLabels: Record<DelegationKind, MessageKey> = {
  mail: 'words.mail',
  event: 'words.calendar',
  task: 'words.tasks',
  contact: 'words.contacts',
}

/** The same words for use within a sentence. */
const kindWords: Record<DelegationKind, MessageKey> = {
  mail: 'usersettings.kindMail',
  event: 'usersettings.kindCalendar',
  task: 'usersettings.kindTasks',
  contact: 'usersettings.kindContacts',
}

export const accessLabels: Record<DelegationAccess, MessageKey> = {
  'read-only': 'usersettings.readOnly',
  'read-write': 'usersettings.readWrite',
}

/** A named set of rights; `custom` is any other. */
export type Preset = 'assistant' | 'deputy' | 'custom'

export const presetLabels: Record<Preset, MessageKey> = {
  assistant: 'usersettings.assistant',
  deputy: 'usersettings.deputy',
  custom: 'usersettings.custom',
}

/** The presets in display order. */
export const presets: readonly Preset[] = ['assistant', 'deputy', 'custom']

/** Rights granted by a preset; undefined for `custom`. */
export const presetOptions: Record<Preset, DelegationOptions | undefined> = {
  assistant: { ...everything('read-write'), send_as: true },
  deputy: { ...everything('read-only'), send_as: false },
  custom: undefined,
}

function everything(access: DelegationAccess): Record<DelegationKind, DelegationAccess> {
  return { mail: access, event: access, task: access, contact: access }
}

/** Returns the preset that grants exactly these rights. */
export function presetOf(options: DelegationOptions): Preset {
  const found = presets.find((preset) => {
    const granted = presetOptions[preset]
    return granted?.send_as === options.send_as && kinds.every((kind) => granted[kind] === options[kind])
  })
  return found ?? 'custom'
}

/** Rights as form values; an empty text is none. */
export interface DelegateValues extends Record<DelegationKind, DelegationAccess | ''> {
  email: string
  preset: Preset
  send_as: boolean
}

/** Form values of a delegation, or of a new one. */
export function delegateValues(
  email: string,
  options: DelegationOptions | undefined = presetOptions.deputy,
): DelegateValues {
  const { mail = '', event = '', task = '', contact = '', send_as = false } = options ?? {}
  return { email, preset: presetOf({ ...options, send_as }), mail, event, task, contact, send_as }
}

/** Rights in the API format, as the complete target state. */
export function delegationInput(values: DelegateValues): DelegationOptionsInput {
  const granted = Object.fromEntries(kinds.map((kind) => [kind, values[kind] || null]))
  return { ...granted, send_as: values.send_as }
}

/** Whether anything is granted; a delegation without rights doesn't exist. */
export function grantsAnything(values: DelegateValues): boolean {
  return kinds.some((kind) => values[kind] !== '')
}

/** Describes rights in sentences, such as "Can edit mail and tasks". `email` is the delegator's. */
export function rightsInWords(t: Translate, options: DelegationOptions, email: string): string[] {
  const withAccess = (access: DelegationAccess) =>
    kinds.filter((kind) => options[kind] === access).map((kind) => t(kindWords[kind]))
  const [edited, viewed] = [withAccess('read-write'), withAccess('read-only')]
  return [
    ...(edited.length > 0 ? [t('usersettings.canEdit', { what: wordList(edited) })] : []),
    ...(viewed.length > 0 ? [t('usersettings.canView', { what: wordList(viewed) })] : []),
    ...(options.send_as ? [t('usersettings.sendAsLabel', { email })] : []),
  ]
}
