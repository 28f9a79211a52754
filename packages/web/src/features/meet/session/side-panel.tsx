import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { MessageKey } from '../../../i18n/areas.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { nextStop } from '../../../ui/keyboard/next-stop.ts'
import type { PanelName } from '../room/room-state.ts'
import { ChatPanel } from './chat-panel.tsx'
import { useMeeting, useRoom } from './meeting-context.ts'
import { PeoplePanel } from './people/people-panel.tsx'
import { WaitingList } from './people/waiting-list.tsx'
import '../../../ui/page/tabs.css'

const names = ['chat', 'people'] as const satisfies readonly PanelName[]

const labels: Record<PanelName, MessageKey> = { chat: 'meeting.chat', people: 'words.people' }

/** Restores the focus to the element that opened the panel. */
function useFocusBack(): void {
  // before anything in the panel takes the focus
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    },
    [opener],
  )
}

/** Chat and people beside the stage, or above it on a phone. */
export function SidePanel({ panel }: { panel: PanelName }) {
  const t = useT()
  const meeting = useMeeting()
  const { peers } = useRoom()
  useFocusBack()
  const open = (name: PanelName | undefined) => meeting.act({ type: 'panel', panel: name })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = nextStop(event, names.indexOf(panel), names.length, 'horizontal')
    const next = at === undefined ? undefined : names[at]
    if (!next) return
    event.preventDefault()
    // rendered synchronously: the chat field takes the focus, and an arrow key must keep it on the tab
    flushSync(() => open(next))
    event.currentTarget.querySelector<HTMLElement>(`#stage-tab-${next}`)?.focus()
  }
  return (
    <aside
      className="stage-side"
      aria-label={t(labels[panel])}
      onKeyDown={(event) => event.key === 'Escape' && open(undefined)}
    >
      <header>
        <div className="tabs" role="tablist" aria-label={t('meeting.panels')} onKeyDown={onKeyDown}>
          {names.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`stage-tab-${name}`}
              aria-controls="stage-panel"
              aria-selected={name === panel}
              tabIndex={name === panel ? 0 : -1}
              onClick={() => open(name)}
            >
              {t(labels[name])}
              {name === 'people' && <span className="tabs-count">{peers.length}</span>}
            </button>
          ))}
        </div>
        <Button variant="quiet" icon={IconX} label={t('words.close')} onPress={() => open(undefined)} />
      </header>
      <WaitingList />
      <div className="stage-panel" role="tabpanel" id="stage-panel" aria-labelledby={`stage-tab-${panel}`}>
        {panel === 'chat' ? <ChatPanel /> : <PeoplePanel />}
      </div>
    </aside>
  )
}
