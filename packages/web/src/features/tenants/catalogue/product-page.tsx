import { EditFrame, useEditForm } from '../../../domain/directory/edit-frame.tsx'
import type { FieldLabels } from '../../../domain/directory/labels.ts'
import { readAmount, writeAmount } from '../../../domain/wallet/amounts.ts'
import { number, price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { rich } from '../../../i18n/rich-text.tsx'
import { call } from '../../../platform/api/api.ts'
import { Link } from '../../../router/link.tsx'
import { Facts } from '../../../ui/facts/facts.tsx'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Panel, Tag } from '../../../ui/page/panel.tsx'
import { refuse } from '../field-fault.ts'
import { readTexts, type TextValues, textLabels, textValues } from '../localised-texts.ts'
import { TextSections } from '../text-sections.tsx'
import { useTenantPath, useTenantTrail } from '../use-tenant.tsx'
import { CatalogueItem, type CatalogueScene } from './catalogue-item.tsx'
import type { Catalogue, Product } from './catalogue-query.ts'
import { useCatalogueForm } from './use-catalogue-form.ts'
import '../tenants.css'

type Values = TextValues & { cost: string; active: boolean }

const labels: FieldLabels = { ...textLabels, cost: 'words.price', active: 'offer.onSale' }
const list = ({ skus }: Catalogue) => skus

/** Page of a tenant's product: texts and price are the tenant's, everything else is the service's. */
export function ProductPage() {
  return <CatalogueItem list={list} item={(product, scene) => <Screen product={product} {...scene} />} />
}

function Screen({ product, tenant, catalogue }: { product: Product } & CatalogueScene) {
  const t = useT()
  const path = useTenantPath()
  const { currency, limits } = catalogue
  const edit = useCatalogueForm<Product, Values>({
    tenant: tenant.id,
    detail: product,
    list,
    valuesOf,
    send: ({ cost: text, active, ...texts }, revision) => {
      const cost = readAmount(text)
      refuse({ cost: cost === undefined ? t('offer.faultAmount') : undefined })
      return call('PUT /api/v4/tenants/{id}/skus/{sku}', {
        params: { id: String(tenant.id), sku: product.id },
        body: { ...readTexts(texts), cost: cost ?? 0, active, revision },
        ignoreErrors: true,
      })
    },
  })
  const { form } = edit
  const period = t(product.period === 'yearly' ? 'tenants.yearly' : 'tenants.monthly')
  const fee = price(product.fee, currency)
  useEditForm(edit, labels)
  return (
    <>
      <PageHead
        title={product.name}
        status={!product.active && <Tag>{t('tenants.notOnSale')}</Tag>}
        facts={product.title}
        trail={useTenantTrail(tenant, {
          label: t('words.products'),
          to: path,
          search: { tab: 'catalogue' },
        })}
      />
      <div className="columns">
        <EditFrame edit={edit} label={t('offer.product')}>
          <FormSection
            title={t('words.price')}
            hint={rich(t('offer.priceHint'), { link: (text) => <Link to="/price-change/new">{text}</Link> })}
          >
            <TextField
              {...form.field('cost')}
              label={t('offer.priceIn', { currency, period })}
              hint={
                limits && !limits.belowFee ? t('offer.priceFloor', { fee }) : t('offer.priceFee', { fee })
              }
              inputMode="decimal"
              autoComplete="off"
              required
            />
            <Checkbox {...form.check('active')} label={t('offer.onSale')} hint={t('offer.onSaleHint')} />
          </FormSection>
          <TextSections form={form} />
        </EditFrame>
        <aside>
          <Panel title={t('offer.setByService')}>
            <Facts
              facts={[
                { label: t('tenants.fee'), value: fee },
                { label: t('words.period'), value: period },
                { label: t('tenants.free'), value: number(product.units_free) },
                { label: t('offer.handler'), value: <span className="mono">{product.handler}</span> },
              ]}
            />
          </Panel>
        </aside>
      </div>
      <UnsavedGuard form={form} />
    </>
  )
}

function valuesOf({ names, descriptions, cost, active }: Product): Values {
  return { cost: writeAmount(cost), active, ...textValues({ names, descriptions }) }
}
