/** Status bits of a user; reference "Status bits". */
export const userStatus = {
  new: 1,
  active: 2,
  suspended: 4,
  deleted: 8,
  ldapReady: 16,
  imapReady: 32,
  degraded: 64,
  restricted: 128,
} as const

/** Status bits of a domain. */
export const domainStatus = {
  new: 1,
  active: 2,
  suspended: 4,
  deleted: 8,
  confirmed: 16,
  verified: 32,
  ldapReady: 64,
} as const

/** Status bits of a distribution list. */
export const groupStatus = { new: 1, active: 2, suspended: 4, deleted: 8, ldapReady: 16 } as const

/** Status bits of resources and shared folders. */
export const mailboxStatus = { new: 1, active: 2, deleted: 8, ldapReady: 16, imapReady: 256 } as const

/** Type bits of a domain: available to everyone at sign-up, hosted by us, or provided by a customer. */
export const domainType = { public: 1, hosted: 2, external: 4 } as const

export function hasBit(status: number, bit: number): boolean {
  return (status & bit) === bit
}
