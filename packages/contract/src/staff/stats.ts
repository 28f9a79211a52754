import { z } from 'zod'
import { defineRoutes } from '../route.ts'
import { staffHosts } from './staff.ts'

/** Charts of the cockpits; reference api-billing-admin §20. */
export const charts = [
  'users',
  'users-all',
  'income',
  'payers',
  'discounts',
  'vouchers',
  'users-per-country',
] as const

export type ChartName = (typeof charts)[number]

/** What resellers see, of their own tenant. */
export const resellerCharts = [
  'users',
  'users-all',
  'payers',
  'discounts',
  'vouchers',
] as const satisfies readonly ChartName[]

export const chart = z.object({
  title: z.string(),
  type: z.enum(['bar', 'line', 'donut']),
  colors: z.array(z.string()),
  data: z.object({
    /** Weeks are `YYYY-WW` by ISO 8601: the year is that of the week's Thursday. */
    labels: z.array(z.string()),
    datasets: z.array(
      z.object({
        values: z.array(z.number()),
        name: z.string().optional(),
        chartType: z.enum(['bar', 'line']).optional(),
      }),
    ),
    /** A line across the chart, as the average. */
    yMarkers: z
      .array(
        z.object({
          label: z.string(),
          value: z.number(),
          options: z.object({ labelPos: z.enum(['left', 'right']) }).optional(),
        }),
      )
      .optional(),
  }),
  axisOptions: z.record(z.string(), z.unknown()).optional(),
  lineOptions: z.record(z.string(), z.unknown()).optional(),
  tooltipOptions: z.record(z.string(), z.unknown()).optional(),
  maxSlices: z.number().int().optional(),
  /** ISO 4217 of amounts, which are in major units; absent: the values are counts. */
  currency: z.string().optional(),
})

export type Chart = z.infer<typeof chart>

/** Days of a period, both included. Without them it is the usual one of a call, until today. */
const periodQuery = z.object({ from: z.iso.date().nullish(), to: z.iso.date().nullish() })

/** Numbers that stand above the charts. */
export const figureNames = ['users-created', 'users-deleted', 'users', 'payers', 'income'] as const

export type FigureName = (typeof figureNames)[number]

export const figures = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** The period with which it is compared: as many days, just before. */
  previous: z.object({ from: z.iso.date(), to: z.iso.date() }),
  /** ISO 4217 of `income`, which is in major units. */
  currency: z.string(),
  /** `users` and `payers` are those at the end of a period; null: nobody paid yet, or nobody counted. Resellers see no `income`. */
  figures: z.array(
    z.object({ name: z.enum(figureNames), value: z.number().nullable(), before: z.number().nullable() }),
  ),
})

export type Figures = z.infer<typeof figures>

export const statsRoutes = defineRoutes({
  'GET /api/v4/stats/chart/{chart}': {
    summary: 'Get a chart; resellers see the charts in `resellerCharts` for their own tenant',
    tag: 'Statistics',
    auth: 'token',
    openTo: [],
    hosts: staffHosts,
    // any other name is a 404
    params: z.object({ chart: z.enum(charts) }),
    // charts of what is there now have no period
    query: periodQuery,
    ok: chart,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/stats/figures': {
    summary:
      'Get user and income totals of a period, compared with the previous one; resellers see their own tenant',
    tag: 'Statistics',
    auth: 'token',
    openTo: [],
    hosts: staffHosts,
    query: periodQuery,
    ok: figures,
    errors: [401, 403, 404, 422],
  },
})
