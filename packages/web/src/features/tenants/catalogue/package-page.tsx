import { EditFrame, useEditForm } from '../../../domain/directory/edit-frame.tsx'
import type { FieldLabels } from '../../../domain/directory/labels.ts'
import { discountRate, price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useAct } from '../../../platform/api/use-act.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { Facts } from '../../../ui/facts/facts.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { FormPanel } from '../../../ui/form/form-panel.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { type Form, useForm } from '../../../ui/form/use-form.ts'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { textLabels } from '../localised-texts.ts'
import { TextSections } from '../text-sections.tsx'
import { useTenantPath, useTenantTrail } from '../use-tenant.tsx'
import { CatalogueItem, type CatalogueScene } from './catalogue-item.tsx'
import { type Catalogue, catalogueQuery, type Package, planNames } from './catalogue-query.ts'
import { PackageContents } from './package-contents.tsx'
import { type PackageValues, packageValues, readPackage } from './package-values.ts'
import { useCatalogueForm } from './use-catalogue-form.ts'
import '../tenants.css'

const labels: FieldLabels = { ...textLabels, discountRate: 'words.discount', skus: 'offer.contents' }
const list = ({ packages }: Catalogue) => packages
const part = { tab: 'catalogue', part: 'packages' }

/** Page of a package of a tenant, or the form for a new one. */
export function PackagePage() {
  return (
    <CatalogueItem
      list={list}
      item={(item, scene) => <Screen item={item} {...scene} />}
      create={(scene) => <NewPackage {...scene} />}
    />
  )
}

function NewPackage({ tenant, catalogue }: CatalogueScene) {
  const t = useT()
  const act = useAct('POST /api/v4/tenants/{id}/packages', [catalogueQuery(tenant.id).queryKey])
  const navigate = useNavigate()
  const path = useTenantPath()
  const form: Form<PackageValues> = useForm<PackageValues>({
    initial: packageValues(catalogue.skus),
    prefix: 'package-',
    submit: async (values) => {
      await act(
        {
          params: { id: String(tenant.id) },
          body: { ...readPackage(catalogue.skus, values), title: values.title.trim() },
        },
        () => form.reset(values),
      )
      await navigate({ to: path, search: part })
    },
  })
  return (
    <>
      <PageHead
        title={t('offer.newPackage')}
        trail={useTenantTrail(tenant, { label: t('words.packages'), to: path, search: part })}
      />
      <FormPanel
        form={form}
        title={t('words.package')}
        note={t('offer.packageNote')}
        submitLabel={t('offer.createPackage')}
      >
        <FormSection title={t('words.identifier')} hint={t('offer.packageTitleHint')}>
          <TextField
            {...form.field('title')}
            label={t('words.identifier')}
            hint={t('offer.packageTitleSigns')}
            maxLength={36}
            exact
            required
          />
        </FormSection>
        <Sections form={form} catalogue={catalogue} />
      </FormPanel>
      <UnsavedGuard form={form} />
    </>
  )
}

function Screen({ item, tenant, catalogue }: { item: Package } & CatalogueScene) {
  const t = useT()
  const path = useTenantPath()
  const edit = useCatalogueForm<Package, PackageValues>({
    tenant: tenant.id,
    detail: item,
    list,
    valuesOf: (detail) => packageValues(catalogue.skus, detail),
    send: async (values, revision) =>
      call('PUT /api/v4/tenants/{id}/packages/{package}', {
        params: { id: String(tenant.id), package: item.id },
        body: { ...readPackage(catalogue.skus, values), revision },
        ignoreErrors: true,
      }),
  })
  useEditForm(edit, labels)
  return (
    <>
      <PageHead
        title={item.name}
        facts={item.title}
        trail={useTenantTrail(tenant, { label: t('words.packages'), to: path, search: part })}
      />
      <div className="columns">
        <EditFrame edit={edit} label={t('words.package')}>
          <Sections form={edit.form} catalogue={catalogue} />
        </EditFrame>
        <aside>
          <Panel title={t('offer.asSold')}>
            <Facts
              facts={[
                { label: t('offer.perMonth'), value: price(item.cost, catalogue.currency) },
                { label: t('offer.kind'), value: t(item.isDomain ? 'offer.ofDomains' : 'offer.ofUsers') },
                { label: t('words.plans'), value: planNames(catalogue, item) || '–' },
              ]}
            />
          </Panel>
        </aside>
      </div>
      <UnsavedGuard form={edit.form} />
    </>
  )
}

function Sections({ form, catalogue }: { form: Form<PackageValues>; catalogue: Catalogue }) {
  const t = useT()
  const { limits, currency, skus } = catalogue
  const most = limits && t('offer.atMost', { max: discountRate(limits.packageDiscount) })
  return (
    <>
      <FormSection title={t('offer.contents')} hint={t('offer.contentsHint')}>
        <PackageContents
          id="package-skus"
          products={skus}
          value={form.values.skus}
          onValue={(value) => form.set('skus', value)}
          currency={currency}
          error={form.errors.skus}
        />
      </FormSection>
      <FormSection
        title={t('words.discount')}
        hint={limits && !limits.belowFee ? t('offer.discountFloor') : t('offer.discountHint')}
      >
        <TextField
          {...form.field('discountRate')}
          label={t('offer.discountPercent')}
          hint={most ?? t('tenants.percentHint')}
          inputMode="numeric"
          autoComplete="off"
          required
        />
      </FormSection>
      <TextSections form={form} />
    </>
  )
}
