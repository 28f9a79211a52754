import type { BilledAmounts } from '@gatehouse/contract/billing/subscriptions'
import { type HandlerName, handlers } from '../handlers.ts'
import { discountedPrice } from './discounted-price.ts'

/** Price of one unit in a package: its own, else the SKU's less the package's discount, in whole cents. */
export function packageUnitCost(
  link: { readonly cost: number | null },
  sku: { readonly cost: number },
  discountRate: number,
): number {
  return link.cost ?? Math.round((sku.cost * (100 - discountRate)) / 100)
}

/** One SKU of a package with what its price depends on; costs in cents for its period. */
export interface PackageLine {
  readonly qty: number
  readonly period: 'monthly' | 'yearly'
  readonly cost: number | null
  readonly skuCost: number
  readonly unitsFree: number
  readonly discountRate: number
}

/**
 * Cents a month of a whole package: units beyond the free ones at their price in the package, of what is paid by the
 * year the twelfth part.
 */
export function packageCost(lines: readonly PackageLine[]): number {
  return sum(
    lines.map((line) => paidUnits(line) * monthlyCost({ cost: lineCost(line), months: monthsOf(line) })),
  )
}

/** Cents that a whole package costs in a year, to the cent: twelve months, and what is paid by the year once. */
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
 * Cents a month of each of `count` units given to somebody who holds `held` already: nothing for the first
 * `unitsFree`, `unitCost` for the others. Units are held by the object for users, by the wallet for all else.
 */
export function unitCosts(held: number, count: number, unitsFree: number, unitCost: number): number[] {
  return Array.from({ length: count }, (_, index) => (held + index < unitsFree ? 0 : unitCost))
}

/** Cents of the first unit of a new object, for the period of the SKU. */
export function nextCost(sku: { readonly cost: number; readonly unitsFree: number }, held: number): number {
  const [cost = 0] = unitCosts(held, 1, sku.unitsFree, sku.cost)
  return cost
}

/** The least quantity of a SKU that somebody could add who holds so many units already. */
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
 * Cents that one month of some units is billed at. Each unit is an entitlement of its own and rounded down for
 * itself, so this is at most `discountedPrice` of their sum, the price that forms show.
 */
export function monthlyCharge(costs: readonly number[], discount: number): number {
  return sum(costs.map((cost) => discountedPrice(cost, discount)))
}

/** What some units are billed at after a discount in percent, by the period of each. */
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

/** Cents a month of what costs so much for so many months: the twelfth part of a year, in whole cents. */
export function monthlyCost(unit: { readonly cost: number; readonly months: number }): number {
  return Math.floor(unit.cost / unit.months)
}

/** Months that the price of a SKU is for. */
export function monthsOf(sku: { readonly period: 'monthly' | 'yearly' }): number {
  return sku.period === 'yearly' ? 12 : 1
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
