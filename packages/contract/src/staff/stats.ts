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

/** Charts available to resellers, about their own tenant. */
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
    /** Weeks are `YYYY-WW` per ISO 8601: the year is that of the week's Thursday. */
    labels: z.array(z.string()),
    datasets: z.array(
      z.object({
        values: z.array(z.number()),
        name: z.string().optional(),
        chartType: z.enum(['bar', 'line']).optional(),
      }),
    ),
    /** A horizontal line in the chart, e.g. the average. */
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
  /** ISO 4217 currency of amounts, which are in major units; absent if values are counts. */
  currency: z.string().optional(),
})

export type Chart = z.infer<typeof chart>

/** First and last day of a period, inclusive. Defaults to the call's usual period, ending today. */
const periodQuery = z.object({ from: z.iso.date().nullish(), to: z.iso.date().nullish() })

/** Figures above the charts. */
export const figureNames = ['users-created', 'users-deleted', 'users', 'payers', 'income'] as const

export type FigureName = (typeof figureNames)[number]

export const figures = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** Comparison period: the same number of days just before. */
  previous: z.object({ from: z.iso.date(), to: z.iso.date() }),
  /** ISO 4217 currency of `income`, which is in major units. */
  currency: z.string(),
  /**
   * `users` and `payers` are those at the end of a period; null if no one has paid or counts are missing.
   * Resellers don't see `income`.
   */
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
    // any other name returns 404
    params: z.object({ chart: z.enum(charts) }),
    // charts of the current state have no period
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
