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

export const statsRoutes = defineRoutes({
  'GET /api/v4/stats/chart/{chart}': {
    summary: 'One chart; a reseller sees those of `resellerCharts`, of the own tenant',
    tag: 'Statistics',
    auth: 'token',
    openTo: [],
    hosts: staffHosts,
    // any other name is a 404
    params: z.object({ chart: z.enum(charts) }),
    ok: chart,
    errors: [401, 403, 404],
  },
})
