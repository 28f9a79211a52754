/** The service itself as a tenant; null in the API. */
export const systemTenant = 0

/** A tenant's id in the API. */
export function presentTenant(id: number): number | null {
  return id === systemTenant ? null : id
}
