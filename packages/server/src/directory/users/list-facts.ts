import type { UserListFacts } from '@gatehouse/contract/directory/user-list-facts'
import type { Language } from '@gatehouse/contract/language'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import { type Clock, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { borrowedCaller } from '../../platform/http/policy.ts'
import { localised } from '../../platform/i18n/localised.ts'
import { presentMailStorage } from '../../provisioning/present-storage.ts'
import { readMailStorage } from '../../provisioning/usage-store.ts'
import { handlers } from '../../subscriptions/handlers.ts'
import { discountedPrice } from '../../subscriptions/prices/discounted-price.ts'
import { monthlyCost } from '../../subscriptions/prices/pricing.ts'
import { type CatalogueSku, readSkusById } from '../../subscriptions/sku-store.ts'
import { heldUntil } from '../../users/addresses/recovery-address-store.ts'
import {
  canDeleteFromList,
  canSendPasswordLink,
  canSuspend,
  mayChangeAccess,
  type OwnedObject,
} from '../../users/policy.ts'
import {
  countMemberPrices,
  countMembers,
  type FactRow,
  type HeldUnits,
  readFactRows,
  readHeldUnits,
  readPackageUnits,
} from './list-facts-store.ts'

/** Storage used by users' files; undefined: the installation offers no files. */
export type ReadStorage =
  | ((
      db: Db,
      userIds: readonly number[],
    ) => Promise<ReadonlyMap<number, { readonly used: number | null; readonly limit: number }>>)
  | undefined

export interface FactParts {
  readonly db: Db
  readonly clock: Clock
  readonly storageOf: ReadStorage
  readonly withWallets: boolean
}

/** Returns facts about users in accounts the reader controls, by id. */
export async function listFacts(
  { db, clock, storageOf, withWallets }: FactParts,
  reader: Principal,
  language: Language,
  ids: readonly number[],
): Promise<ReadonlyMap<number, UserListFacts>> {
  if (ids.length === 0) return new Map()
  const [rows, units, storage, mailboxes] = await Promise.all([
    readFactRows(db, ids),
    readHeldUnits(db, ids),
    storageOf?.(db, ids),
    readMailStorage(db, ids),
  ])
  const packages = await packagesOf(db, rows, language)
  const skus = await readSkusById(db, [...new Set(units.map(({ skuId }) => skuId))])
  // an application acting for the reader must not see sign-ins
  const borrowed = borrowedCaller(reader)
  const mayKnowSignIns = borrowed !== 'thirdParty' && borrowed !== 'apiKey'
  const facts = rows.map((row): [number, UserListFacts] => {
    const held = units.filter(({ userId }) => userId === row.id)
    const room = storage?.get(row.id)
    const mail = mailboxes.get(row.id)
    return [
      row.id,
      {
        ...describe(held, packages.get(row.tenantId) ?? [], skus, language),
        ...(withWallets && {
          price: { currency: row.currency, monthly: monthlyPrice(held, row.discount) },
        }),
        ...(mayKnowSignIns && { lastSignInAt: row.lastSignIn && wireDate(row.lastSignIn) }),
        ...(room && { storage: room }),
        ...(mail && mail.used !== null && { usedStorage: mail.used }),
        ...(mail && { mailStorage: presentMailStorage(mail) }),
        rights: rightsOver(reader, row, clock.now()),
      },
    ]
  })
  return new Map(facts)
}

/** Counts the users the reader manages and their domains, with their monthly cost. */
export async function summariseUsers(
  { db, withWallets }: Pick<FactParts, 'db' | 'withWallets'>,
  readerId: number,
): Promise<{ users: number; domains: number; prices?: { currency: string; monthly: number }[] }> {
  const [counts, prices] = await Promise.all([
    countMembers(db, readerId),
    withWallets ? countMemberPrices(db, readerId) : undefined,
  ])
  if (prices === undefined) return counts
  const sums = new Map<string, number>()
  for (const { currency, discount, ...units } of prices) {
    sums.set(currency, (sums.get(currency) ?? 0) + monthlyPrice([units], discount))
  }
  return {
    ...counts,
    prices: [...sums].map(([currency, monthly]) => ({ currency, monthly })),
  }
}

function monthlyPrice(
  units: readonly Pick<HeldUnits, 'cost' | 'months' | 'count'>[],
  discount: number,
): number {
  return units.reduce(
    (sum, { count, ...unit }) => sum + discountedPrice(monthlyCost(unit), discount) * count,
    0,
  )
}

interface Package {
  readonly name: string
  readonly lines: ReadonlyMap<string, number>
}

/** Returns the packages of the users' tenants. */
async function packagesOf(
  db: Db,
  rows: readonly FactRow[],
  language: Language,
): Promise<ReadonlyMap<number, readonly Package[]>> {
  const found = new Map<number, readonly Package[]>()
  for (const tenantId of new Set(rows.map((row) => row.tenantId))) {
    const packages = new Map<string, { name: string; lines: Map<string, number> }>()
    for (const { packageId, name, skuId, qty } of await readPackageUnits(db, tenantId)) {
      const known = packages.get(packageId) ?? { name: localised(name, language), lines: new Map() }
      known.lines.set(skuId, qty)
      packages.set(packageId, known)
    }
    found.set(tenantId, [...packages.values()])
  }
  return found
}

/** Returns the largest package a user has completely, and the additional units. */
function describe(
  held: readonly HeldUnits[],
  packages: readonly Package[],
  skus: readonly CatalogueSku[],
  language: Language,
): Pick<UserListFacts, 'package' | 'extras'> {
  const counts = new Map<string, number>()
  for (const { skuId, count } of held) counts.set(skuId, (counts.get(skuId) ?? 0) + count)
  const [fitting] = packages
    .filter(({ lines }) => [...lines].every(([skuId, qty]) => (counts.get(skuId) ?? 0) >= qty))
    .sort((one, other) => unitsIn(other) - unitsIn(one))
  const extras = skus.flatMap((sku) => {
    const quantity = (counts.get(sku.id) ?? 0) - (fitting?.lines.get(sku.id) ?? 0)
    if (quantity <= 0) return []
    const unit = handlers[sku.handler].range?.unit ?? null
    return [{ name: localised(sku.name, language), quantity, unit }]
  })
  return { package: fitting?.name ?? null, extras }
}

function unitsIn({ lines }: Package): number {
  return [...lines.values()].reduce((sum, qty) => sum + qty, 0)
}

function rightsOver(reader: Principal, row: FactRow, now: Date): UserListFacts['rights'] {
  const user: OwnedObject = { ...row, userId: row.id }
  const isOwnCall = mayChangeAccess(reader)
  const isSuspended = hasBit(row.status, userStatus.suspended)
  const isReachable = row.externalEmail !== null && heldUntil(row.heldUntil, now) === undefined
  const maySuspend = isOwnCall && canSuspend(reader, user)
  return {
    canDelete: isOwnCall && canDeleteFromList(reader, user),
    canSuspend: maySuspend && !isSuspended,
    canResume: maySuspend && isSuspended && row.suspensionReason === 'account',
    canSendPasswordLink: isOwnCall && isReachable && canSendPasswordLink(reader, user),
  }
}
