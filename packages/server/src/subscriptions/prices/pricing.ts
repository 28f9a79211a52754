import type { BilledAmounts } from '@gatehouse/contract/billing/subscriptions'
import { type HandlerName, handlers } from '../handlers.ts'
import { discountedPrice } from './discounted-price.ts'

/**
 * Returns the price of a unit in a package: its own, or else the SKU's less the package's discount, in whole
 * cents.
 */
export function packageUnitCost(
  link: { readonly cost: number | null },
  sku: { readonly cost: number },
  discountRate: number,
): number {
  return link.cost ?? Math.round((sku.cost * (100 - discountRate)) / 100)
}

/** A SKU in a package with what its price depends on; costs in cents for its period. */
export interface PackageLine {
  readonly qty: number
  readonly period: 'monthly' | 'yearly'
  readonly cost: number | null
  readonly skuCost: number
  readonly unitsFree: number
  readonly discountRate: number
}

/**
 * Returns the monthly cents for a package: units beyond the free ones at their price in the package; yearly
 * ones at a twelfth.
 */
export function packageCost(lines: readonly PackageLine[]): number {
  return sum(
    lines.map((line) => paidUnits(line) * monthlyCost({ cost: lineCost(line), months: monthsOf(line) })),
  )
}

/** Returns the exact yearly cents for a package: twelve months, plus yearly units once. */
export function packageYearCost(lines: readonly PackageLine[]): number {
  return sum(lines.map((line) => paidUnits(line) * lineCost(line) * (12 / monthsOf(line))))
}

function paidUnits({ qty, unitsFree }: PackageLine): number {
  return Math.max(0, qty - unitsFree)
}

function lineCost(line: PackageLine): number {
  return packageUnitCost(line, { cost: line.skuCost }, line.discountRate)
}

/**
 * Returns the cents per month of each of `count` units added to `held` existing ones: 0 for the first
 * `unitsFree`, `unitCost` for the others. Units are counted per object for users, per wallet for everything
 * else.
 */
export function unitCosts(held: number, count: number, unitsFree: number, unitCost: number): number[] {
  return Array.from({ length: count }, (_, index) => (held + index < unitsFree ? 0 : unitCost))
}

/** Returns the cents for a new object's first unit, for the SKU's period. */
export function nextCost(sku: { readonly cost: number; readonly unitsFree: number }, held: number): number {
  const [cost = 0] = unitCosts(held, 1, sku.unitsFree, sku.cost)
  return cost
}

/** Returns the minimum quantity of a SKU that can be added to the units already held. */
export function offeredUnits(
  sku: {
    readonly cost: number
    readonly unitsFree: number
    readonly period: 'monthly' | 'yearly'
    readonly handler: HandlerName
  },
  held: number,
): { cost: number; months: number }[] {
  const least = handlers[sku.handler].range === undefined ? 1 : Math.max(1, sku.unitsFree)
  return unitCosts(held, least, sku.unitsFree, sku.cost).map((cost) => ({ cost, months: monthsOf(sku) }))
}

/**
 * Returns the cents billed for a month of units. Each unit is an entitlement and rounded down separately, so
 * this is at most `discountedPrice` of their sum, the price shown in forms.
 */
export function monthlyCharge(costs: readonly number[], discount: number): number {
  return sum(costs.map((cost) => discountedPrice(cost, discount)))
}

/** Returns the billed amounts of units after a discount in percent, by period. */
export function billedAmounts(
  units: readonly { readonly cost: number; readonly months: number }[],
  discount: number,
): BilledAmounts {
  const of = (isYearly: boolean) =>
    monthlyCharge(
      units.filter(({ months }) => months > 1 === isYearly).map(({ cost }) => cost),
      discount,
    )
  return { month: of(false), year: of(true) }
}

/** Returns the cents per month; a twelfth of a yearly price, in whole cents. */
export function monthlyCost(unit: { readonly cost: number; readonly months: number }): number {
  return Math.floor(unit.cost / unit.months)
}

/** Returns the months that a SKU's price covers. */
export function monthsOf(sku: { readonly period: 'monthly' | 'yearly' }): number {
  return sku.period === 'yearly' ? 12 : 1
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
