import { EditFrame, useEditForm } from '../../../domain/directory/edit-frame.tsx'
import type { FieldLabels } from '../../../domain/directory/labels.ts'
import { price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { useAct } from '../../../platform/api/use-act.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { CopyValue } from '../../../ui/buttons/copy-value.tsx'
import { Facts } from '../../../ui/facts/facts.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { FormPanel } from '../../../ui/form/form-panel.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { type Form, useForm } from '../../../ui/form/use-form.ts'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Panel, Tag } from '../../../ui/page/panel.tsx'
import { textLabels } from '../localised-texts.ts'
import { useTenantPath, useTenantTrail } from '../use-tenant.tsx'
import { CatalogueItem, type CatalogueScene } from './catalogue-item.tsx'
import { type Catalogue, catalogueQuery, type Plan } from './catalogue-query.ts'
import { PlanSections } from './plan-sections.tsx'
import { type PlanValues, planValues, readPlan } from './plan-values.ts'
import { useCatalogueForm } from './use-catalogue-form.ts'
import '../tenants.css'

const labels: FieldLabels = {
  ...textLabels,
  mode: 'words.mode',
  months: 'offer.billed',
  freeMonths: 'words.freeMonths',
  hidden: 'offer.hidden',
  packages: 'words.packages',
}
const list = ({ plans }: Catalogue) => plans
const part = { tab: 'catalogue', part: 'plans' }

/** Page of a plan of a tenant, or the form for a new one. */
export function PlanPage() {
  return (
    <CatalogueItem
      list={list}
      item={(plan, scene) => <Screen plan={plan} {...scene} />}
      create={(scene) => <NewPlan {...scene} />}
    />
  )
}

function NewPlan({ tenant, catalogue }: CatalogueScene) {
  const t = useT()
  const act = useAct('POST /api/v4/tenants/{id}/plans', [catalogueQuery(tenant.id).queryKey])
  const navigate = useNavigate()
  const path = useTenantPath()
  const form: Form<PlanValues> = useForm<PlanValues>({
    initial: planValues(),
    prefix: 'plan-',
    submit: async (values) => {
      await act(
        {
          params: { id: String(tenant.id) },
          body: { ...readPlan(values), title: values.title.trim() },
        },
        () => form.reset(values),
      )
      await navigate({ to: path, search: part })
    },
  })
  return (
    <>
      <PageHead
        title={t('offer.newPlan')}
        trail={useTenantTrail(tenant, { label: t('words.plans'), to: path, search: part })}
      />
      <FormPanel
        form={form}
        title={t('words.plan')}
        note={t('offer.planNote')}
        submitLabel={t('offer.createPlan')}
      >
        <FormSection title={t('words.identifier')} hint={t('offer.planTitleHint')}>
          <TextField
            {...form.field('title')}
            label={t('words.identifier')}
            hint={t('offer.planTitleSigns')}
            maxLength={36}
            exact
            required
          />
        </FormSection>
        <PlanSections form={form} catalogue={catalogue} />
      </FormPanel>
      <UnsavedGuard form={form} />
    </>
  )
}

function Screen({ plan, tenant, catalogue }: { plan: Plan } & CatalogueScene) {
  const t = useT()
  const path = useTenantPath()
  const edit = useCatalogueForm<Plan, PlanValues>({
    tenant: tenant.id,
    detail: plan,
    list,
    valuesOf: planValues,
    send: async (values, revision) =>
      call('PUT /api/v4/tenants/{id}/plans/{plan}', {
        params: { id: String(tenant.id), plan: plan.id },
        body: { ...readPlan(values), revision },
        ignoreErrors: true,
      }),
  })
  useEditForm(edit, labels)
  return (
    <>
      <PageHead
        title={plan.name}
        status={plan.hidden && <Tag>{t('offer.hiddenTag')}</Tag>}
        facts={plan.title}
        trail={useTenantTrail(tenant, { label: t('words.plans'), to: path, search: part })}
      />
      <div className="columns">
        <EditFrame edit={edit} label={t('words.plan')}>
          <PlanSections form={edit.form} catalogue={catalogue} plan={plan} />
        </EditFrame>
        <aside>
          <Panel title={t('offer.asSold')}>
            <Facts
              facts={[
                {
                  label: t('offer.pricePer', { months: plan.months }),
                  value: price(plan.cost, catalogue.currency),
                },
                { label: t('offer.address'), value: <SignUpAddress tenant={tenant.id} plan={plan} /> },
              ]}
            />
          </Panel>
        </aside>
      </div>
      <UnsavedGuard form={edit.form} />
    </>
  )
}

/** URL to sign up for the plan. */
function SignUpAddress({ tenant, plan }: { tenant: number; plan: Plan }) {
  const t = useT()
  const route = 'GET /api/v4/tenants/{id}/public-domains'
  const { data } = useApi(route, { params: { id: String(tenant) } })
  if (!data) return '…'
  if (data.signupUrl === null) return <span className="text-2">{t('offer.noHost')}</span>
  return <CopyValue text={`${data.signupUrl}/${plan.title}`} label={t('offer.copyAddress')} />
}
