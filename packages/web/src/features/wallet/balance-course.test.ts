import type { Forecast, Transaction } from '@gatehouse/contract/billing/wallets'
import { describe, expect, test } from 'vitest'
import { futureCourse, pastCourse } from './balance-course.ts'

const at = (day: string) => Date.parse(`${day}T00:00:00Z`)

describe('the past balance', () => {
  const entry = (day: string, amount: number, balance: number) =>
    // fields the chart doesn't use are omitted
    ({ createdAt: `${day} 00:00`, amount, balance }) as Transaction
  const newestFirst = [entry('2026-03-10', -300, 500), entry('2026-02-10', 800, 800)]

  test('starts with the first entry of a new wallet', () => {
    expect(pastCourse(newestFirst, at('2026-01-01'))).toEqual([
      { at: at('2026-02-10'), value: 800 },
      { at: at('2026-03-10'), value: 500 },
    ])
  })

  test('starts with the balance before the first entry shown', () => {
    expect(pastCourse(newestFirst.slice(0, 1), at('2026-03-01'))).toEqual([
      { at: at('2026-03-01'), value: 800 },
      { at: at('2026-03-10'), value: 500 },
    ])
    expect(pastCourse([], at('2026-03-01'))).toEqual([])
  })
})

describe('the expected balance', () => {
  const forecast = (next: Forecast['next'], charges: readonly number[]): Forecast => {
    let balance = 1000
    const months = charges.map((cost, index) => {
      balance -= cost
      return { until: `2026-0${index + 2}-20`, charges: cost, balance }
    })
    return {
      currency: 'CHF',
      balance: 1000,
      pending: 0,
      owed: 0,
      next,
      lastsUntil: null,
      months,
      priceChanges: [],
    }
  }

  test('drops on the day of the next charge and on the same day of each month', () => {
    const steps = futureCourse(
      forecast({ date: '2026-01-31', amount: 400 }, [400, 400, 400]),
      at('2026-01-20'),
    )
    expect(steps).toEqual([
      { at: at('2026-01-20'), value: 1000 },
      { at: at('2026-01-31'), value: 600 },
      { at: at('2026-02-28'), value: 200 },
      { at: at('2026-03-31'), value: -200 },
    ])
  })

  test('drops at the end of a month if the day is unknown, and never without charges', () => {
    expect(futureCourse(forecast(null, [0, 400, 0]), at('2026-01-20'))).toEqual([
      { at: at('2026-01-20'), value: 1000 },
      { at: at('2026-03-20'), value: 600 },
    ])
    const later = forecast({ date: '2026-03-05', amount: 400 }, [0, 400])
    expect(futureCourse(later, at('2026-01-20')).at(-1)).toEqual({ at: at('2026-03-05'), value: 600 })
  })
})
