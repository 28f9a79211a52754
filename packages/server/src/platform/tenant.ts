/** The service itself, as a tenant; the wire shows it as null. */
export const systemTenant = 0

/** A tenant's number as the wire shows it. */
export function presentTenant(id: number): number | null {
  return id === systemTenant ? null : id
}
