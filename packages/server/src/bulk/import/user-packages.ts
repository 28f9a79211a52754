import { type Language, languages } from '@gatehouse/contract/language'
import type { Db } from '../../platform/db/database.ts'
import { type Message, message, ValidationError } from '../../platform/http/errors.ts'
import { newObjectId } from '../../platform/ids.ts'
import {
  planSubscriptions,
  unitsBySku,
  type WantedSubscriptions,
} from '../../subscriptions/change-subscriptions.ts'
import type { NewUnit, Unit } from '../../subscriptions/entitlement-store.ts'
import { packageUnits } from '../../subscriptions/entitlements.ts'
import { packageError } from '../../subscriptions/packages.ts'
import { monthlyCost } from '../../subscriptions/prices/pricing.ts'
import { type CatalogueSku, readPackageLines, readPackages, readSkus } from '../../subscriptions/sku-store.ts'

/** A row's subscriptions and price, or an error. */
export interface PackageChoice {
  readonly id?: string
  /** Error in the package, or in the quota in combination with it. */
  readonly problem?: { readonly field: 'package' | 'quota'; readonly text: Message }
  /** Cents per month of each unit. */
  readonly costs: readonly number[]
  /** All subscriptions, if they differ from the package's. */
  readonly wanted?: Readonly<Record<string, unknown>>
}

export interface ChoiceContext {
  readonly tenantId: number
  readonly language: Language
  readonly actor: WantedSubscriptions['actor']
  readonly isOffered: boolean
}

/** Finds packages by the names used in files; caches each combination with a quota. */
export class UserPackages {
  readonly #db: Db
  readonly #context: ChoiceContext
  readonly #ids: ReadonlyMap<string, string>
  readonly #skus: readonly CatalogueSku[]
  readonly #choices = new Map<string, Promise<PackageChoice>>()

  private constructor(
    db: Db,
    context: ChoiceContext,
    ids: ReadonlyMap<string, string>,
    skus: readonly CatalogueSku[],
  ) {
    this.#db = db
    this.#context = context
    this.#ids = ids
    this.#skus = skus
  }

  static async read(db: Db, context: ChoiceContext): Promise<UserPackages> {
    const ids = new Map<string, string>()
    for (const { id, title, name } of await readPackages(db, context.tenantId)) {
      for (const one of [id, title, ...languages.map((language) => name[language] ?? title)]) {
        if (!ids.has(one.toLowerCase())) ids.set(one.toLowerCase(), id)
      }
    }
    return new UserPackages(db, context, ids, await readSkus(db, context.tenantId))
  }

  /** Resolves a package (by ID, title or name) and a quota in GB. */
  choose(name: string | null, quota: string | null): Promise<PackageChoice> {
    const key = JSON.stringify([name?.toLowerCase(), quota])
    const known = this.#choices.get(key)
    if (known !== undefined) return known
    const choice = this.#choose(name, quota)
    this.#choices.set(key, choice)
    return choice
  }

  async #choose(name: string | null, quota: string | null): Promise<PackageChoice> {
    if (name === null) return refused('package', message('subscriptions.package-required'))
    const id = this.#ids.get(name.toLowerCase())
    if (id === undefined) return refused('package', message('bulk.package-unknown', { name }))
    const problem = await packageError(this.#db, this.#context.tenantId, id, 'user')
    if (problem !== undefined) return refused('package', problem)
    const lines = await readPackageLines(this.#db, id)
    const units = packageUnits(lines, new Map())
    const storage = this.#skus.find((sku) => sku.handler === 'Storage' && sku.active)
    if (quota === null || storage === undefined) return { id, costs: units.map(priceOf) }
    const wanted = {
      ...Object.fromEntries(lines.map((line) => [line.skuId, line.qty])),
      [storage.id]: quota,
    }
    const plan = this.#plan(units.map(asHeld), wanted)
    if (plan.errors !== undefined) return refused('quota', firstOf(plan.errors))
    const removed = new Set(plan.remove)
    const kept = units.map(asHeld).filter((unit) => ![...removed].some((one) => one.id === unit.id))
    return { id, wanted, costs: [...kept, ...plan.add].map(priceOf) }
  }

  #plan(held: readonly Unit[], wanted: Readonly<Record<string, unknown>>) {
    const { language, actor, isOffered } = this.#context
    // the rules don't depend on the user's ID
    const object = { type: 'user', id: newObjectId() } as const
    return planSubscriptions(
      { skus: this.#skus, units: unitsBySku(held) },
      { object, wanted, language, actor, isOffered },
    )
  }
}

/** Cents per month. */
function priceOf({ cost, months = 1 }: Pick<NewUnit, 'cost' | 'months'>): number {
  return monthlyCost({ cost, months })
}

const dawn = new Date(0)

/** A package's unit as if a user already had it. */
function asHeld(unit: NewUnit, index: number): Unit {
  const place = { objectType: 'user', objectId: 0 } as const
  return {
    ...unit,
    ...place,
    id: String(index),
    months: unit.months ?? 1,
    createdAt: dawn,
    billedUntil: dawn,
    countedFrom: null,
  }
}

function refused(field: 'package' | 'quota', text: Message): PackageChoice {
  return { problem: { field, text }, costs: [] }
}

function firstOf(errors: NonNullable<ReturnType<typeof planSubscriptions>['errors']>): Message {
  const all = errors instanceof Map ? [...errors.values()] : Array.isArray(errors) ? errors : [errors]
  return (all[0] as Message | undefined) ?? message('validation.invalid') // neither map nor list: a message
}

/** Validates the default package. Throws ValidationError at `package`. */
export async function checkDefaultPackage(db: Db, tenantId: number, id: string | undefined): Promise<void> {
  if (id === undefined) return
  const problem = await packageError(db, tenantId, id, 'user')
  if (problem !== undefined) throw new ValidationError({ package: problem })
}
