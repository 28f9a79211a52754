import { type DirectoryKind, kinds } from '@gatehouse/contract/directory/kinds'
import type { ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useActWith } from '../../platform/api/use-act.ts'
import { useNavigate } from '../../router/router-context.tsx'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { useFocusFirst } from '../../ui/form/use-focus-first.ts'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Loading } from '../../ui/page/skeleton.tsx'
import { PricePanel } from '../subscriptions/price-panel.tsx'
import { useObjectPrice } from '../subscriptions/use-price-preview.ts'
import { listOf, looks, pageOf } from './kind.ts'
import { forgetKind, type ObjectKind } from './kind-calls.ts'
import { ObstacleState } from './obstacle.tsx'
import { useCreation } from './use-creation.ts'
import './directory.css'

export interface NewObjectPageProps {
  kind: DirectoryKind
  /** The form, once the available domains are known. */
  children: (domains: readonly string[]) => ReactNode
}

/** The page of a new object, or why none can be created. */
export function NewObjectPage({ kind, children }: NewObjectPageProps) {
  const t = useT()
  const { obstacle, domains } = useCreation()
  const { confirmed, isError, retry } = domains
  return (
    <>
      <PageHead
        title={t('directory.newTitle', { kind: kinds[kind].name })}
        facts={t('directory.newLead', { kind: kinds[kind].name })}
        trail={[{ label: t(looks[kind].title), to: listOf(kind) }]}
      />
      {obstacle && (
        <Panel flush>
          <ObstacleState of={obstacle} kind={kind} />
        </Panel>
      )}
      {!obstacle && confirmed && children(confirmed)}
      {!obstacle && !confirmed && isError && <LoadFailed onRetry={retry} />}
      {!obstacle && !confirmed && !isError && (
        <Loading>
          <FormSkeleton />
        </Loading>
      )}
    </>
  )
}

/** The form of a new object; opens the object's page when created. */
export function useNewObject<V extends object>(
  kind: ObjectKind,
  options: { initial: V; create: (values: V) => Promise<{ id: number; message: string }> },
): Form<V> {
  const act = useActWith((client) => forgetKind(client, kind))
  const navigate = useNavigate()
  return useForm<V>({
    initial: options.initial,
    submit: async (values) => {
      const { id } = await act(() => options.create(values))
      await navigate({ to: `${pageOf(kind)}/${id}`, ignoreBlocker: true })
    },
  })
}

export interface NewObjectFormProps<V extends object> {
  kind: DirectoryKind
  form: Form<V>
  /** `FormSection`s. */
  children: ReactNode
}

/** The form of a new object, with its price next to it. */
export function NewObjectForm<V extends object>({ kind, form, children }: NewObjectFormProps<V>) {
  const t = useT()
  useFocusFirst(form.props.ref)
  const price = useObjectPrice({ type: kinds[kind].skuType, action: 'create' })
  const skus = useApi('GET /api/v4/skus', { query: { type: kinds[kind].skuType } })
  return (
    <div className="columns">
      <UnsavedGuard form={form} />
      <form
        {...form.props}
        className="panel"
        aria-label={t('directory.newTitle', { kind: kinds[kind].name })}
      >
        {children}
        <footer>
          <span className="spacer" />
          <ButtonLink to={listOf(kind)}>{t('words.cancel')}</ButtonLink>
          <Button
            type="submit"
            variant="primary"
            reason={price.pending ? t('words.priceToCome') : undefined}
            busy={form.busy}
            busyLabel={t('words.creating')}
          >
            {t('directory.create', { kind: kinds[kind].name })}
          </Button>
        </footer>
      </form>
      <aside className="directory-aside" aria-label={t('words.price')}>
        <PricePanel state={price} skus={skus.data} isNew />
      </aside>
    </div>
  )
}
