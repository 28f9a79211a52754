import type { Tenant } from '@gatehouse/contract/staff/tenants'
import type { QueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { ObjectLoader } from '../../domain/directory/object-loader.tsx'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { variant } from '../../platform/config.ts'
import { showStatusPage } from '../../platform/error-page-store.ts'
import { useParams } from '../../router/router-context.tsx'
import type { TrailStep } from '../../ui/page/page-head.tsx'

type Content = (tenant: Tenant) => ReactNode

/** Loads the tenant named in the URL, by its number or as the reseller's own. */
export function TenantLoader({ children }: { children: Content }) {
  const id = useTenantParam()
  if (id === 'own') return <OwnTenant>{children}</OwnTenant>
  if (!/^\d{1,9}$/.test(id)) return <Missing />
  return (
    <NumberedTenant key={id} id={id}>
      {children}
    </NumberedTenant>
  )
}

export function Missing() {
  useEffect(() => showStatusPage(404), [])
  return null
}

/** A reseller's list of tenants contains only their own. */
function OwnTenant({ children }: { children: Content }) {
  const query = useApi('GET /api/v4/tenants', { query: {} })
  const [own] = query.data?.list ?? []
  return (
    <ObjectLoader query={{ ...query, data: query.data && { own } }}>
      {({ own: tenant }) => (tenant ? children(tenant) : <Missing />)}
    </ObjectLoader>
  )
}

function NumberedTenant({ id, children }: { id: string; children: Content }) {
  const query = useApi('GET /api/v4/tenants/{id}', { params: { id } })
  return <ObjectLoader query={query}>{children}</ObjectLoader>
}

/** Path of the tenant's page under the current URL. */
export function useTenantPath(): string {
  return `/tenant/${useTenantParam()}`
}

/** Breadcrumbs of a page below the tenant's. */
export function useTenantTrail(tenant: Tenant, part: TrailStep): TrailStep[] {
  const t = useT()
  const path = useTenantPath()
  const list = variant() === 'admin' ? [{ label: t('cockpit.tenants'), to: '/tenants' }] : []
  return [...list, { label: tenant.title, to: path }, part]
}

function useTenantParam(): string {
  // Parameters are untyped without registered routes.
  const params = useParams()
  return params.tenant ?? ''
}

/** Invalidates cached tenants. */
export function tenantChanged(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['GET /api/v4/tenants'] })
  void client.invalidateQueries({ queryKey: ['GET /api/v4/tenants/{id}'] })
}
