// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { alertFaults } from './use-alerts-form.ts'

test('reports the errors of each alert and the ceiling', () => {
  expect(alertFaults({ alerts: ['20', '5,50', ''], monthly_ceiling: '' })).toEqual({ items: { 2: 'amount' } })
  expect(alertFaults({ alerts: ['1000000.01', '1000000'], monthly_ceiling: 'much' })).toEqual({
    items: { 0: 'large' },
    ceiling: 'amount',
  })
  expect(alertFaults({ alerts: ['1', '2', '3', '4', '5', '6'], monthly_ceiling: '0' })).toEqual({
    items: {},
    alerts: 'many',
  })
})
