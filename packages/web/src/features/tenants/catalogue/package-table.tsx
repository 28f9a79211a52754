import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { discountRate as formatDiscount, number, price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { ActionMenu } from '../../../ui/buttons/action-menu.tsx'
import { ButtonLink } from '../../../ui/buttons/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table/data-table.tsx'
import { TableLink } from '../../../ui/data-table/table-link.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Tag } from '../../../ui/page/panel.tsx'
import { RemoveDialog } from '../remove-dialog.tsx'
import { useTenantPath } from '../use-tenant.tsx'
import type { CatalogueScene } from './catalogue-item.tsx'
import { type Catalogue, catalogueQuery, type Package, planNames } from './catalogue-query.ts'

/** Packages of a tenant, with a button to create one. */
export function PackageTable({ tenant, catalogue }: CatalogueScene) {
  const t = useT()
  const client = useQueryClient()
  const path = useTenantPath()
  const [leaving, setLeaving] = useState<Package>()
  const columns = useColumns(catalogue, setLeaving)
  const create = (
    <ButtonLink to={`${path}/package/new`} size="small" icon={IconPlus}>
      {t('offer.newPackage')}
    </ButtonLink>
  )
  if (catalogue.packages.length === 0) {
    return (
      <EmptyState title={t('offer.noPackages')} action={create}>
        {t('offer.noPackagesText')}
      </EmptyState>
    )
  }
  return (
    <>
      <div className="offer-tools">
        <p className="text-2 small">{t('offer.packagesText')}</p>
        {create}
      </div>
      <DataTable
        label={t('words.packages')}
        columns={columns}
        rows={catalogue.packages}
        rowKey={({ id }) => id}
      />
      {leaving && (
        <RemoveDialog
          title={t('offer.deletePackage', { name: leaving.name })}
          label={t('offer.deletePackageNow')}
          field="package"
          act={async () => {
            const params = { id: String(tenant.id), package: leaving.id }
            const done = await call('DELETE /api/v4/tenants/{id}/packages/{package}', { params })
            await client.invalidateQueries({ queryKey: catalogueQuery(tenant.id).queryKey })
            return done
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>{t('offer.deletePackageText')}</p>
        </RemoveDialog>
      )}
    </>
  )
}

function useColumns(catalogue: Catalogue, onDelete: (item: Package) => void): readonly Column<Package>[] {
  const t = useT()
  const path = useTenantPath()
  const navigate = useNavigate()
  return [
    {
      name: 'name',
      label: t('words.package'),
      phone: 'main',
      cell: (item) => (
        <>
          <TableLink to={`${path}/package/${item.id}`}>{item.name}</TableLink>{' '}
          <Tag>{t(item.isDomain ? 'offer.ofDomains' : 'offer.ofUsers')}</Tag>
          <span className="data-second">{contents(catalogue, item)}</span>
        </>
      ),
    },
    {
      name: 'plans',
      label: t('words.plans'),
      phone: 'hidden',
      cell: (item) => planNames(catalogue, item) || <span className="text-3">–</span>,
    },
    {
      name: 'discount',
      label: t('words.discount'),
      phone: 'hidden',
      align: 'end',
      cell: ({ discountRate }) =>
        discountRate === 0 ? <span className="text-3">–</span> : formatDiscount(discountRate),
    },
    {
      name: 'cost',
      label: t('offer.perMonth'),
      phone: 'meta',
      align: 'end',
      cell: ({ cost }) => <span className="nowrap">{price(cost, catalogue.currency)}</span>,
    },
    {
      name: 'actions',
      label: t('words.actions'),
      phone: 'aside',
      align: 'end',
      width: '56px',
      cell: (item) => (
        <ActionMenu
          compact
          icon={IconDots}
          label={t('words.actionsFor', { name: item.name })}
          actions={[
            {
              label: t('offer.edit'),
              icon: IconPencil,
              onPress: () => void navigate({ to: `${path}/package/${item.id}` }),
            },
            { label: t('offer.delete'), icon: IconTrash, danger: true, onPress: () => onDelete(item) },
          ]}
        />
      ),
    },
  ]
}

/** Lists the products of a package with their quantities. */
function contents({ skus }: Catalogue, item: Package): string {
  return skus
    .filter(({ id }) => (item.skus[id] ?? 0) > 0)
    .map(({ id, name, max }) => (max > 1 ? `${name} × ${number(item.skus[id] ?? 0)}` : name))
    .join(', ')
}
