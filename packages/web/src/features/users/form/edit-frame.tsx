import type { Sku } from '@gatehouse/contract/billing/subscriptions'
import { type ReactNode, useEffect, useRef } from 'react'
import { number } from '../../../i18n/format.ts'
import { type Translate, useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { SaveBar } from '../../../ui/form/save-bar.tsx'
import { Note } from '../../../ui/page/note.tsx'
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
export function EditFrame({ edit, skus = [], label, waiting = false, children }: EditFrameProps) {
  const t = useT()
  const { form, base } = edit
  const changes = changeWords(t, form.values, base.values, skus, form.pending)
  return (
    <form {...form.props} aria-label={label} className="users-form">
      {edit.conflict && <ConflictNote edit={edit} />}
      <div className="panel">{children}</div>
      {form.dirty && (
        <SaveBar
          label={t('users.unsaved')}
          count={t('users.changes', { count: changes.length })}
          changes={changes.join(', ')}
          discard={t('users.discard')}
          onDiscard={edit.discard}
          save={t('dialog.save')}
          saving={t('users.saving')}
          busy={form.busy}
          waiting={waiting}
        />
      )}
    </form>
  )
}

function ConflictNote({ edit }: { edit: UserForm }) {
  const t = useT()
  const frame = useRef<HTMLDivElement>(null)
  // The save button that was pressed is at the foot of the page, the choice at its head.
  useEffect(() => {
    frame.current?.focus()
    frame.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={frame} tabIndex={-1} className="users-conflict">
      <Note
        tone="warning"
        live
        title={t('users.conflictTitle')}
        actions={
          <span className="row wrap">
            <Button size="small" onPress={edit.reload}>
              {t('words.reload')}
            </Button>
            <Button size="small" variant="danger-outline" onPress={edit.overwrite}>
              {t('words.overwrite')}
            </Button>
          </span>
        }
      >
        {t('users.conflictText')}
      </Note>
    </div>
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
