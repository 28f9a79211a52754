import type { Tenant } from '@gatehouse/contract/staff/tenants'
import { useQuery } from '@tanstack/react-query'
import { useT } from '../../../i18n/i18n.ts'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'
import { Tabs } from '../../../ui/page/tabs.tsx'
import { catalogueQuery } from './catalogue-query.ts'
import { PackageTable } from './package-table.tsx'
import { PlanTable } from './plan-table.tsx'
import { ProductTable } from './product-table.tsx'

/** The tenant's catalogue: products, packages and plans. */
export function CatalogueTab({ tenant }: { tenant: Tenant }) {
  const t = useT()
  const { data, isError, refetch } = useQuery(catalogueQuery(tenant.id))
  if (!data) {
    return (
      <Panel flush={!isError} busy={!isError}>
        {isError ? <LoadFailed onRetry={refetch} /> : <SkeletonRows count={5} />}
      </Panel>
    )
  }
  const scene = { tenant, catalogue: data }
  return (
    <section className="panel">
      <Tabs
        label={t('offer.catalogueParts')}
        param="part"
        keep={['tab']}
        tabs={[
          {
            name: 'products',
            label: t('words.products'),
            count: data.skus.length,
            content: () => <ProductTable catalogue={data} />,
          },
          {
            name: 'packages',
            label: t('words.packages'),
            count: data.packages.length,
            content: () => <PackageTable {...scene} />,
          },
          {
            name: 'plans',
            label: t('words.plans'),
            count: data.plans.length,
            content: () => <PlanTable {...scene} />,
          },
        ]}
      />
    </section>
  )
}
