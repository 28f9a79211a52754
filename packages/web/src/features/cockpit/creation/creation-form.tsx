import type { CreatedKind, CreationOffer } from '@gatehouse/contract/staff/staff-creation'
import type { ReactNode } from 'react'
import { pageByPath } from '../../../domain/directory/kind.ts'
import { PricePanel } from '../../../domain/subscriptions/price-panel.tsx'
import type { PriceState } from '../../../domain/subscriptions/use-price-preview.ts'
import { useT } from '../../../i18n/i18n.ts'
import { everything, useActWith } from '../../../platform/api/use-act.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { useFocusFirst } from '../../../ui/form/use-focus-first.ts'
import { type FieldPart, type Form, useForm } from '../../../ui/form/use-form.ts'
import { createdObjects } from './created-objects.ts'
import '../../../domain/directory/directory.css'

/** Form state for a new object of a customer; on success, navigates to the object's page in the cockpit. */
export function useCreationForm<V extends object>(
  kind: CreatedKind,
  options: { initial: V; create: (values: V) => Promise<{ id: number; message: string }> },
): Form<V> {
  const act = useActWith(everything)
  const navigate = useNavigate()
  return useForm<V>({
    initial: options.initial,
    submit: async (values) => {
      const { id } = await act(() => options.create(values))
      await navigate({ to: `${pageByPath(kind)}/${id}`, ignoreBlocker: true })
    },
  })
}

export interface CreationFormProps<V extends object> {
  kind: CreatedKind
  offer: CreationOffer
  form: Form<V>
  reason: FieldPart
  /** `FormSection`s. */
  children: ReactNode
  /** Shown beside the form. */
  price: PriceState
}

/** Form of a new object of a customer: its fields, the reason, and the price beside it. */
export function CreationForm<V extends object>(props: CreationFormProps<V>) {
  const { kind, offer, form, reason, children, price } = props
  const t = useT()
  const { title, create } = createdObjects[kind]
  useFocusFirst(form.props.ref)
  return (
    <div className="columns">
      <UnsavedGuard form={form} />
      <form {...form.props} className="panel" aria-label={t(title)}>
        {children}
        <FormSection title={t('words.reason')} hint={t('words.reasonHint')}>
          <TextArea {...reason} label={t('words.reason')} hideLabel required rows={3} maxLength={1024} />
        </FormSection>
        <footer>
          <span className="spacer" />
          <ButtonLink to={`/user/${offer.owner.id}`}>{t('words.cancel')}</ButtonLink>
          <Button
            type="submit"
            variant="primary"
            reason={price.pending ? t('words.priceToCome') : undefined}
            busy={form.busy}
            busyLabel={t('cockpit.working')}
          >
            {t(create)}
          </Button>
        </footer>
      </form>
      <aside className="directory-aside" aria-label={t('words.price')}>
        <PricePanel state={price} skus={offer.skus} isNew />
      </aside>
    </div>
  )
}
