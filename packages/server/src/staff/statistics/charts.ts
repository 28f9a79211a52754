import type { Language } from '@gatehouse/contract/language'
import type { Chart, ChartName } from '@gatehouse/contract/staff/stats'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import { dayOf } from './daily-stats.ts'
import type { StatsSpan } from './span.ts'
import {
  type Slice,
  type StatsScope,
  usersByCountry,
  walletsByDiscount,
  walletsByVoucher,
  weeksOfIncome,
  weeksOfPayers,
  weeksOfUsers,
} from './stats-store.ts'
import { isoWeek, lastWeeks, weeksOf } from './weeks.ts'

/** The reader and subject of a chart. */
export interface ChartRequest {
  readonly db: Db
  readonly clock: Clock
  readonly scope: StatsScope
  /** The system's currency, ISO 4217. */
  readonly currency: string
  readonly t: Translate
  readonly language: Language
  /** Undefined: the chart's default weeks. */
  readonly span?: StatsSpan | undefined
}

const palette = ['#4da3ff', '#0056b3', '#48d368', '#19692c', '#f1a539', '#e77681', '#a71d2a']
const colours = { created: '#48d368', deleted: '#e77681', income: '#4da3ff' }
const recentWeeks = 8
const manyWeeks = 54
/** Countries shown individually. */
const countriesShown = 7

/** Returns the weeks of a chart over time, and their days. */
function courseOf({ clock, span }: ChartRequest, usual: number): { weeks: string[]; span: StatsSpan } {
  if (span !== undefined) return { weeks: weeksOf(span), span }
  const weeks = lastWeeks(clock.now(), usual)
  return { weeks, span: { from: weeks[0] ?? '', to: dayOf(clock.now()) } }
}

/** Titles of charts over time: default ones state their weeks. */
type Titled = 'stats.users' | 'stats.users-all' | 'stats.income' | 'stats.payers'
const ofPeriod = {
  'stats.users': 'stats.period-users',
  'stats.users-all': 'stats.period-users-all',
  'stats.income': 'stats.period-income',
  'stats.payers': 'stats.period-payers',
} as const

function titleOf({ t, span, currency }: ChartRequest, key: Titled): string {
  return t(span === undefined ? key : ofPeriod[key], { currency })
}

/** The cockpit charts; reference api-billing-admin §20. */
export const makeChart: Readonly<Record<ChartName, (request: ChartRequest) => Promise<Chart>>> = {
  users: async (request) => {
    const { db, scope, t } = request
    const { weeks, span } = courseOf(request, recentWeeks)
    const found = new Map((await weeksOfUsers(db, scope, span)).map((row) => [row.week, row]))
    const created = weeks.map((week) => found.get(week)?.created ?? 0)
    const deleted = weeks.map((week) => found.get(week)?.deleted ?? 0)
    return {
      title: titleOf(request, 'stats.users'),
      type: 'bar',
      colors: [colours.created, colours.deleted],
      data: {
        labels: weeks.map(isoWeek),
        datasets: [
          { name: t('stats.created'), chartType: 'bar', values: created },
          { name: t('stats.deleted'), chartType: 'line', values: deleted },
        ],
        yMarkers: [average(t, created)],
      },
      ...barOptions,
    }
  },

  'users-all': async (request) => {
    const { weeks, span } = courseOf(request, manyWeeks)
    const [first = ''] = weeks
    const rows = await weeksOfUsers(request.db, request.scope, span)
    const change = new Map(rows.map(({ week, created, deleted }) => [week, created - deleted]))
    let total = change.get(dayOf(after(new Date(`${first}T00:00:00Z`), -7 * day))) ?? 0
    const values = weeks.map((week) => {
      total += change.get(week) ?? 0
      return total
    })
    return line(titleOf(request, 'stats.users-all'), weeks, values)
  },

  income: async (request) => {
    const { db, clock, currency, t } = request
    const { weeks, span } = courseOf(request, recentWeeks)
    const found = await weeksOfIncome(db, span, currency)
    const amounts = new Map(found.map(({ week, amount }) => [week, amount / 100]))
    const values = weeks.map((week) => amounts.get(week) ?? 0)
    return {
      title: titleOf(request, 'stats.income'),
      type: 'bar',
      colors: [colours.income],
      currency,
      data: {
        labels: weeks.map(isoWeek),
        datasets: [{ values }],
        // the current week is incomplete
        yMarkers: [average(t, span.to < dayOf(clock.now()) ? values : values.slice(0, -1), 2)],
      },
      ...barOptions,
    }
  },

  payers: async (request) => {
    const { weeks, span } = courseOf(request, manyWeeks)
    const found = await weeksOfPayers(request.db, request.scope, span)
    const payers = new Map(found.map((row) => [row.week, row.payers]))
    const values = weeks.map((week) => payers.get(week) ?? 0)
    return line(titleOf(request, 'stats.payers'), weeks, values)
  },

  discounts: async ({ db, scope, t }) => donut(t('stats.discounts'), await walletsByDiscount(db, scope)),

  vouchers: async ({ db, scope, t }) => donut(t('stats.vouchers'), await walletsByVoucher(db, scope)),

  'users-per-country': async ({ db, t, language }) => {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' })
    const slices = (await usersByCountry(db)).map(({ label, value }) => ({
      label: /^[A-Z]{2}$/.test(label) ? (names.of(label) ?? label) : label,
      value,
    }))
    const rest = slices.slice(countriesShown).reduce((sum, { value }) => sum + value, 0)
    const shown = slices.slice(0, countriesShown)
    return donut(
      t('stats.users-per-country'),
      rest === 0 ? shown : [...shown, { label: t('stats.other'), value: rest }],
    )
  },
}

const barOptions = { axisOptions: { xIsSeries: true, xAxisMode: 'tick' } } as const

function line(title: string, weeks: readonly string[], values: readonly number[]): Chart {
  return {
    title,
    type: 'line',
    colors: [colours.income],
    data: { labels: weeks.map(isoWeek), datasets: [{ values: [...values] }] },
    axisOptions: { xIsSeries: true, xAxisMode: 'tick' },
    lineOptions: { hideDots: true, regionFill: true },
  }
}

function donut(title: string, slices: readonly Slice[]): Chart {
  return {
    title,
    type: 'donut',
    colors: [...palette],
    maxSlices: countriesShown + 1,
    data: {
      labels: slices.map(({ label }) => label),
      datasets: [{ values: slices.map(({ value }) => value) }],
    },
  }
}

/** The mean as a horizontal line, labelled with its exact value. */
function average(t: Translate, values: readonly number[], decimals = 1) {
  const sum = values.reduce((total, value) => total + value, 0)
  const value = values.length === 0 ? 0 : Number((sum / values.length).toFixed(decimals))
  return {
    label: t('stats.average', { value: String(value) }),
    value,
    options: { labelPos: 'left' as const },
  }
}
