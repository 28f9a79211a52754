import type { ManagedProgram } from '@gatehouse/contract/staff/tenant-sign-up'
import type { Tenant } from '@gatehouse/contract/staff/tenants'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { EditFrame, useEditForm } from '../../../domain/directory/edit-frame.tsx'
import type { FieldLabels } from '../../../domain/directory/labels.ts'
import { ObjectLoader } from '../../../domain/directory/object-loader.tsx'
import { useRevisedForm } from '../../../domain/revised-form/use-revised-form.ts'
import { number, price } from '../../../i18n/format.ts'
import { t as say, useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { ApiError } from '../../../platform/api/api-error.ts'
import { useAct } from '../../../platform/api/use-act.ts'
import { useNavigate, useParams } from '../../../router/router-context.tsx'
import { Facts } from '../../../ui/facts/facts.tsx'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { FormPanel } from '../../../ui/form/form-panel.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { SaveScope } from '../../../ui/form/save-scope.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { type Form, useForm } from '../../../ui/form/use-form.ts'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Panel, Tag } from '../../../ui/page/panel.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import { catalogueQuery } from '../catalogue/catalogue-query.ts'
import { textLabels } from '../localised-texts.ts'
import { TextSections } from '../text-sections.tsx'
import { Missing, TenantLoader, useTenantPath, useTenantTrail } from '../use-tenant.tsx'
import { type ProgramValues, programsQuery, programValues, readProgram } from './programs-query.ts'
import '../tenants.css'

const labels: FieldLabels = {
  ...textLabels,
  award: 'words.award',
  threshold: 'words.paymentsByTheNewCustomer',
  discount: 'offer.newcomersDiscount',
  active: 'offer.programActive',
}
const part = { tab: 'sign-up', part: 'programs' }

/** Page of a tenant's referral programme, or the form for a new one. */
export function ProgramPage() {
  return (
    <SaveScope>
      <TenantLoader>{(tenant) => <Loaded tenant={tenant} />}</TenantLoader>
    </SaveScope>
  )
}

interface Scene {
  tenant: Tenant
  currency: string
}

function Loaded({ tenant }: { tenant: Tenant }) {
  // Parameters are untyped without registered routes.
  const params = useParams()
  const query = useQuery(programsQuery(tenant.id))
  return (
    <ObjectLoader query={query}>
      {({ list, currency }) => {
        if (params.item === 'new') return <NewProgram tenant={tenant} currency={currency} />
        const found = list.find(({ id }) => id === params.item)
        return found ? <Screen program={found} tenant={tenant} currency={currency} /> : <Missing />
      }}
    </ObjectLoader>
  )
}

function NewProgram({ tenant, currency }: Scene) {
  const t = useT()
  const act = useAct('POST /api/v4/tenants/{id}/referral-programs', [programsQuery(tenant.id).queryKey])
  const navigate = useNavigate()
  const path = useTenantPath()
  const form: Form<ProgramValues> = useForm<ProgramValues>({
    initial: programValues(),
    prefix: 'program-',
    submit: async (values) => {
      await act(
        {
          params: { id: String(tenant.id) },
          body: readProgram(values),
        },
        () => form.reset(values),
      )
      await navigate({ to: path, search: part })
    },
  })
  return (
    <>
      <PageHead
        title={t('offer.newProgram')}
        trail={useTenantTrail(tenant, { label: t('words.referralProgrammes'), to: path, search: part })}
      />
      <FormPanel
        form={form}
        title={t('offer.program')}
        note={t('offer.programNote')}
        submitLabel={t('offer.createProgram')}
      >
        <Sections form={form} tenant={tenant} currency={currency} />
      </FormPanel>
      <UnsavedGuard form={form} />
    </>
  )
}

function Screen({ program, tenant, currency }: { program: ManagedProgram } & Scene) {
  const t = useT()
  const path = useTenantPath()
  const edit = useProgramForm(program, tenant.id)
  useEditForm(edit, labels)
  return (
    <>
      <PageHead
        title={program.name}
        status={!program.active && <Tag>{t('offer.ended')}</Tag>}
        trail={useTenantTrail(tenant, { label: t('words.referralProgrammes'), to: path, search: part })}
      />
      <div className="columns">
        <EditFrame edit={edit} label={t('offer.program')}>
          <Sections form={edit.form} tenant={tenant} currency={currency} />
        </EditFrame>
        <aside>
          <Panel title={t('offer.soFar')}>
            <Facts
              facts={[
                { label: t('offer.brought'), value: number(program.accounts) },
                { label: t('offer.awarded'), value: number(program.awarded) },
              ]}
            />
          </Panel>
        </aside>
      </div>
      <UnsavedGuard form={edit.form} />
    </>
  )
}

function useProgramForm(program: ManagedProgram, tenant: number) {
  const client = useQueryClient()
  const reread = async () => {
    const { list } = await client.fetchQuery({ ...programsQuery(tenant), staleTime: 0 })
    const found = list.find(({ id }) => id === program.id)
    if (!found) throw new ApiError(say('error.404'), { status: 404 })
    return found
  }
  return useRevisedForm<ManagedProgram, ProgramValues>({
    detail: program,
    valuesOf: programValues,
    reread,
    save: async (changes, revision) => {
      // the server expects the complete item, so only fields changed here are overwritten
      const base = programValues(revision === null ? await reread() : program)
      const { message } = await call('PUT /api/v4/tenants/{id}/referral-programs/{program}', {
        params: { id: String(tenant), program: program.id },
        body: { ...readProgram({ ...base, ...changes }), revision },
        ignoreErrors: true,
      })
      toasts.success(message)
    },
  })
}

function Sections({ form, tenant, currency }: { form: Form<ProgramValues> } & Scene) {
  const t = useT()
  const { data } = useQuery(catalogueQuery(tenant.id))
  const most = tenant.offerLimits?.referralAward
  const chosen = form.values.discount
  const discounts = data?.discounts.filter(({ id, active }) => active || id === chosen) ?? []
  return (
    <>
      <FormSection title={t('words.award')} hint={t('offer.awardHint')}>
        <TextField
          {...form.field('award')}
          label={t('offer.awardIn', { currency })}
          hint={most === undefined ? undefined : t('offer.atMost', { max: price(most, currency) })}
          inputMode="decimal"
          autoComplete="off"
          required
        />
        <TextField
          {...form.field('threshold')}
          label={t('offer.thresholdIn', { currency })}
          hint={t('offer.thresholdHint')}
          inputMode="decimal"
          autoComplete="off"
          required
        />
        <Select
          {...form.field('discount')}
          label={t('offer.newcomersDiscount')}
          options={[
            { value: '', label: t('offer.noDiscount') },
            ...discounts.map(({ id, label }) => ({ value: id, label })),
          ]}
        />
        <Checkbox
          {...form.check('active')}
          label={t('offer.programActive')}
          hint={t('offer.programActiveHint')}
        />
      </FormSection>
      <TextSections form={form} />
    </>
  )
}
