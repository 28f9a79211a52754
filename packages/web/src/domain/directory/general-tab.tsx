import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { DirectoryKind } from '@gatehouse/contract/directory/kinds'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import type { FieldPart } from '../../ui/form/use-form.ts'
import type { RevisedForm } from '../revised-form/use-revised-form.ts'
import { EditFrame } from './edit-frame.tsx'
import { Glance } from './glance.tsx'
import { HeldSubscriptions } from './held-subscriptions.tsx'
import { type Detail, skusQuery } from './kind-calls.ts'

export interface GeneralTabProps<V extends object> {
  kind: DirectoryKind
  object: Detail<DirectoryKind>
  edit: RevisedForm<V>
  /** The form field of the name. */
  name: FieldPart
  /** Which parts of name and address can't be changed. */
  hint: string
  /** Between name and address. */
  besideName?: ReactNode
  /** The kind's own form sections. */
  sections?: ReactNode
  /** The kind's own facts. */
  glance?: readonly { label: string; value: string }[]
}

/** An object's name and address, the fields of its kind, and its cost. */
export function GeneralTab<V extends object>({
  kind,
  object,
  edit,
  name,
  hint,
  besideName,
  sections,
  glance,
}: GeneralTabProps<V>) {
  const t = useT()
  const skus = useQuery(skusQuery(kind, object.id))
  return (
    <div className="columns">
      <EditFrame edit={edit} label={t('words.general')}>
        <FormSection title={t('directory.nameSection')} hint={hint}>
          <TextField
            {...name}
            label={t('words.name')}
            required
            disabled={!object.canUpdate}
            autoComplete="off"
            maxLength={191}
          />
          {besideName}
          <TextField
            id="email"
            name="email"
            label={t('words.address')}
            value={displayAddress(object.email)}
            onValue={() => {}}
            disabled
          />
        </FormSection>
        {sections}
        <HeldSubscriptions held={object.skus} wallet={object.wallet} query={skus} />
      </EditFrame>
      <aside className="stack" aria-label={t('words.atAGlance')}>
        <Glance object={object} more={glance} />
      </aside>
    </div>
  )
}
