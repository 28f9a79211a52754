import type { QueryClient } from '@tanstack/react-query'

/** Reads again what pages show of tenants. */
export function tenantChanged(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['GET /api/v4/tenants'] })
  void client.invalidateQueries({ queryKey: ['GET /api/v4/tenants/{id}'] })
}
