// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { renderRouted } from '../routed.test-data.tsx'
import { Tabs } from './tabs.tsx'

const tabs = ['one', 'two', 'three'].map((name) => ({
  name,
  label: name,
  content: () => <button type="button">{`in ${name}`}</button>,
}))

const Screen = () => <Tabs label="Parts" tabs={tabs} />
const tab = (name: string) => screen.getByRole('tab', { name })

async function setup() {
  const { location } = await renderRouted(Screen, '/page?tab=two')
  tab('two').focus()
  return { user: userEvent.setup(), location }
}

beforeAll(() => activateLanguage('en'))
afterEach(cleanup)

describe('keyboard', () => {
  test.each([
    ['ArrowRight', 'three'],
    ['ArrowLeft', 'one'],
    ['ArrowRight}{ArrowRight', 'one'],
    ['ArrowLeft}{ArrowLeft', 'three'],
    ['Home', 'one'],
    ['End', 'three'],
    ['ArrowDown', 'two'],
  ])('{%s} leads to the tab %s and selects it', async (keys, name) => {
    const { user } = await setup()
    for (const key of keys.split('}{')) await user.keyboard(`{${key}}`)
    await waitFor(() => expect(tab(name).getAttribute('aria-selected')).toBe('true'))
    expect(document.activeElement).toBe(tab(name))
    const states = screen.getAllByRole('tab').map((one) => [one.getAttribute('aria-selected'), one.tabIndex])
    expect(states.filter(([selected]) => selected === 'true')).toHaveLength(1)
    expect(states.filter(([, tabIndex]) => tabIndex === 0)).toEqual([['true', 0]])
  })

  test('Tab moves from the selected tab into its panel, which is labelled by the tab', async () => {
    const { user } = await setup()
    const panel = screen.getByRole('tabpanel', { name: 'two' })
    expect(tab('two').getAttribute('aria-controls')).toBe(panel.id)
    await user.tab()
    expect(document.activeElement?.textContent).toBe('in two')
    await user.tab({ shift: true })
    expect(document.activeElement).toBe(tab('two'))
  })

  test('leaves Alt and an arrow to the browser, which goes back', async () => {
    const { user, location } = await setup()
    await user.keyboard('{Alt>}{ArrowLeft}{/Alt}')
    expect(location()).toBe('/page?tab=two')
    expect(document.activeElement).toBe(tab('two'))
  })
})
