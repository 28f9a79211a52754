import type { DeleteParts } from '../account-lifecycle/delete-user.ts'
import type { DirectoryParts } from '../directory/directory-parts.ts'
import type { UserParts } from '../directory/users/user-parts.ts'
import type { Actor } from '../platform/audit.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import type { Translate } from '../platform/i18n/translator.ts'
import type { AccountView } from '../users/account-view/account-view.ts'

/** Dependencies of the room. */
export type ScimParts = Omit<UserParts, 'config'> &
  Pick<DirectoryParts, 'config' | 'views' | 'presenter'> &
  DeleteParts

/** A request of a directory. */
export interface ScimRequest {
  readonly principal: Principal
  /** The caller, whose account is synchronised. */
  readonly account: AccountView
  readonly walletId: string
  readonly actor: Actor
  readonly ip: string
  readonly t: Translate
  /** Address of the service, without a slash at the end. */
  readonly base: string
  /** `If-Match`: the version that a change is based on. */
  readonly ifMatch: string | undefined
}
