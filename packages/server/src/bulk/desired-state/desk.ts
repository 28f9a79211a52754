import type { Language } from '@gatehouse/contract/language'
import type { DeleteParts } from '../../account-lifecycle/delete-user.ts'
import type { ObjectParts } from '../../directory/directory-parts.ts'
import type { FreshParts } from '../../directory/users/update-user.ts'
import type { RoomParts } from '../../meetings/rooms/room-parts.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import type { Unit } from '../../subscriptions/entitlement-store.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import type { Retention } from '../../users/retention.ts'
import type { ConfigParts } from '../../users/settings/change-config.ts'
import type { UserImportParts } from '../import/import-users.ts'
import type { AccountState } from './account-state.ts'
import type { Problems } from './problems.ts'
import type { Step } from './steps.ts'

/** Dependencies of planning and applying. */
export type StateParts = UserImportParts &
  ObjectParts &
  RoomParts &
  ConfigParts &
  FreshParts &
  DeleteParts & { readonly retention: Retention }

/** Who plans, and for which account. */
export interface Planner {
  readonly principal: Principal
  readonly account: AccountView
  readonly language: Language
  readonly t: Translate
  readonly ip: string
}

/** What all checks of a plan share. */
export interface Desk extends Planner {
  readonly parts: StateParts
  readonly state: AccountState
  readonly steps: readonly Step[]
  readonly problems: Problems
  /** Addresses that steps create or remove. */
  readonly coming: ReadonlySet<string>
  readonly going: ReadonlySet<string>
  /** Collects the price: cents per month of added units, and removed units. */
  readonly added: number[]
  readonly removed: Unit[]
}

/** The addresses of objects that steps with these actions are about. */
export function addressesOf(steps: readonly Step[], actions: readonly Step['action'][]): ReadonlySet<string> {
  return new Set(
    steps
      .filter(({ action, kind }) => actions.includes(action) && (kind === 'users' || kind === 'lists'))
      .flatMap(({ before, after }) => {
        const values = after ?? before ?? {}
        return [values.email, ...(Array.isArray(values.aliases) ? values.aliases : [])].map(String)
      }),
  )
}

/** A list of texts in a step's values; undefined if it isn't mentioned. */
export function textsIn(
  values: Readonly<Record<string, unknown>> | null,
  name: string,
): string[] | undefined {
  const value = values?.[name]
  return Array.isArray(value) ? value.map(String) : undefined
}

/** A text in a step's values; undefined if it isn't mentioned or empty. */
export function textIn(values: Readonly<Record<string, unknown>> | null, name: string): string | undefined {
  const value = values?.[name]
  return typeof value === 'string' ? value : undefined
}

/** A group of fields in a step's values; undefined if it isn't mentioned. */
export function groupIn(
  values: Readonly<Record<string, unknown>> | null,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const value = values?.[name]
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isGroup ? (value as Readonly<Record<string, unknown>>) : undefined // neither null nor a list
}
