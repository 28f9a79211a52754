import type { Tenant } from '@gatehouse/contract/staff/tenants'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ObjectLoader } from '../../../domain/directory/object-loader.tsx'
import { useParams } from '../../../router/router-context.tsx'
import { SaveScope } from '../../../ui/form/save-scope.tsx'
import { Missing, TenantLoader } from '../use-tenant.tsx'
import { type Catalogue, catalogueQuery } from './catalogue-query.ts'

/** Common data of the catalogue's forms. */
export interface CatalogueScene {
  tenant: Tenant
  catalogue: Catalogue
}

export interface CatalogueItemProps<D> {
  /** Returns the catalogue's items of this kind. */
  list: (catalogue: Catalogue) => readonly D[]
  item: (detail: D, scene: CatalogueScene) => ReactNode
  /** Undefined: items can't be created here. */
  create?: (scene: CatalogueScene) => ReactNode
}

/** The catalogue item named in the URL, or the form for a new one. */
export function CatalogueItem<D extends { id: string }>(props: CatalogueItemProps<D>) {
  return (
    <SaveScope>
      <TenantLoader>{(tenant) => <Loaded tenant={tenant} {...props} />}</TenantLoader>
    </SaveScope>
  )
}

function Loaded<D extends { id: string }>({
  tenant,
  list,
  item,
  create,
}: CatalogueItemProps<D> & { tenant: Tenant }) {
  // Parameters are untyped without registered routes.
  const params = useParams()
  const query = useQuery(catalogueQuery(tenant.id))
  return (
    <ObjectLoader query={query}>
      {(catalogue) => {
        const scene = { tenant, catalogue }
        if (params.item === 'new' && create) return create(scene)
        const found = list(catalogue).find(({ id }) => id === params.item)
        return found ? item(found, scene) : <Missing />
      }}
    </ObjectLoader>
  )
}
