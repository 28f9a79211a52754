import type { Sku } from '@gatehouse/contract/billing/subscriptions'
import type { ReactNode } from 'react'
import { SaveFrame } from '../../../domain/revised-form/save-frame.tsx'
import { number } from '../../../i18n/format.ts'
import { type Translate, useT } from '../../../i18n/i18n.ts'
import type { UserForm } from './use-user-form.ts'
import {
  changedFields,
  changedSkus,
  countListChanges,
  profileFields,
  type UserValues,
} from './user-values.ts'

export interface EditFrameProps {
  edit: UserForm
  /** Names of SKUs, for the words in the bar. */
  skus?: readonly Sku[]
  label: string
  /** The price of the changes is still to come. */
  waiting?: boolean | undefined
  children: ReactNode
}

/** The form of a tab, with the note about a conflict above and the bar of changes at its foot. */
export function EditFrame({ edit, skus = [], label, waiting, children }: EditFrameProps) {
  const t = useT()
  const { form, base } = edit
  const changes = changeWords(t, form.values, base.values, skus, form.pending)
  const texts = {
    unsaved: t('users.unsaved'),
    discard: t('users.discard'),
    conflict: t('users.conflictTitle'),
  }
  return (
    <SaveFrame edit={edit} label={label} changes={changes} texts={texts} waiting={waiting}>
      {children}
    </SaveFrame>
  )
}

/** Each change in a word or two. */
export function changeWords(
  t: Translate,
  values: UserValues,
  base: UserValues,
  skus: readonly Sku[],
  pending: readonly string[] = [],
): string[] {
  const changed = new Set<string>(changedFields(values, base))
  const aliases = countListChanges(values.aliases, base.aliases) + (pending.includes('aliases') ? 1 : 0)
  const profile = profileFields.filter((field) => changed.has(field))
  return [
    ...(aliases > 0 ? [t('users.changedAliases', { count: aliases, number: number(aliases) })] : []),
    ...(changed.has('password') || changed.has('password_confirmation') ? [t('users.changedPassword')] : []),
    ...(changed.has('passwordLinkCode') ? [t('users.changedLink')] : []),
    ...changedSkus(values.skus, base.skus).map(
      (id) => skus.find((sku) => sku.id === id)?.name ?? t('words.subscriptions'),
    ),
    ...profile.map((field) => t(`userfields.${field}`)),
  ]
}
