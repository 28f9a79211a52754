import type { ExportKind } from '@gatehouse/contract/directory/data-exports'
import type { OwnedObject } from '../users/policy.ts'

/** Everyone may export their own data; everything in an account, including other users' mail, only its owner. */
export function exportableKinds(principal: { readonly userId: number }, account: OwnedObject): ExportKind[] {
  return account.ownerId === principal.userId ? ['person', 'account'] : ['person']
}
