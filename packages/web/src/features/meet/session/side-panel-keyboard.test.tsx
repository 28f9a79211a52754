// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../../i18n/i18n.ts'
import { LocalMedia } from '../devices/local-media.ts'
import { Meeting } from '../room/meeting.ts'
import { MeetingContext, useRoom } from './meeting-context.ts'
import { SidePanel } from './side-panel.tsx'

function Panel() {
  const { panel } = useRoom()
  return panel && <SidePanel panel={panel} />
}

/** Renders a meeting that hasn't started, with the chat open. */
async function open() {
  const meeting = new Meeting({
    url: 'ws://test',
    token: 't',
    local: new LocalMedia({ recall: () => undefined, keep: () => {} }),
    makeMedia: () => ({
      connections: {},
      usesRelay: false,
      start: () => {},
      publish: async () => {},
      unpublish: async () => {},
      mute: () => {},
      setView: () => {},
      close: () => {},
    }),
    onEnd: vi.fn(),
    onError: vi.fn(),
  })
  render(
    <MeetingContext value={meeting}>
      <button type="button">Opener</button>
      <Panel />
    </MeetingContext>,
  )
  screen.getByRole('button', { name: 'Opener' }).focus()
  act(() => meeting.act({ type: 'panel', panel: 'chat' }))
  act(() => tab('Chat').focus())
  return userEvent.setup()
}

const tab = (name: string) => screen.getByRole('tab', { name: new RegExp(name) })

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('meet', 'meeting')
})
afterEach(cleanup)

describe('keyboard', () => {
  test.each([
    ['ArrowRight', 'People'],
    ['ArrowLeft', 'People'],
    ['ArrowRight}{ArrowRight', 'Chat'],
    ['End', 'People'],
    ['End}{Home', 'Chat'],
  ])('{%s} leads to the tab %s and selects it', async (keys, name) => {
    const user = await open()
    await user.keyboard(`{${keys}}`)
    expect(document.activeElement).toBe(tab(name))
    const stops = screen.getAllByRole('tab').filter(({ tabIndex }) => tabIndex === 0)
    expect(stops).toEqual([tab(name)])
    expect(tab(name).getAttribute('aria-selected')).toBe('true')
    expect(screen.getByRole('tabpanel').getAttribute('aria-labelledby')).toBe(tab(name).id)
  })

  test('Escape closes the panel and restores the focus', async () => {
    const user = await open()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('tablist')).toBeNull()
    expect(document.activeElement?.textContent).toBe('Opener')
  })
})
