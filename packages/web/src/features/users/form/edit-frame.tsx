import type { Sku } from '@gatehouse/contract/billing/subscriptions'
import type { UserDetail } from '@gatehouse/contract/directory/users'
import type { ReactNode } from 'react'
import { SaveFrame } from '../../../domain/revised-form/save-frame.tsx'
import { number } from '../../../i18n/format.ts'
import { type Translate, useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { usePageForm } from '../../../ui/form/save-scope.tsx'
import { useShowTab } from '../../../ui/page/use-show-tab.ts'
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
  label: string
  /** The price of the changes is loading. */
  waiting?: boolean | undefined
  children: ReactNode
}

/** The form of a tab, with the note about a conflict above. */
export function EditFrame(props: EditFrameProps) {
  const t = useT()
  return <SaveFrame {...props} conflict={t('users.conflictTitle')} />
}

/** Has the form saved by the bar of the page, which names the changes. */
export function useUserBar(user: UserDetail, { form, base, discard }: UserForm): void {
  const t = useT()
  const showTab = useShowTab()
  // names of what is chosen, which the General tab has read before anything can be chosen there
  const skus = useApi(
    'GET /api/v4/users/{id}/skus',
    { params: { id: String(user.id) } },
    { enabled: form.changed.includes('skus') },
  )
  const isPersonal = profileFields.some((field) => form.changed[0] === field)
  usePageForm({
    form,
    changes: changeWords(t, form.values, base.values, skus.data ?? [], form.pending),
    discard,
    reveal: () => showTab(isPersonal ? 'personal' : undefined),
  })
}

/** Names each change in a word or two. */
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
