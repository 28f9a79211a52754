import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from '../../router/router-context.tsx'
import { nextStop } from '../keyboard/next-stop.ts'
import './tabs.css'

export interface Tab {
  /** Used in the URL and in ids. */
  name: string
  label: string
  /** Number of items in the tab, with a plus if the count is capped. */
  count?: number | string
  content: () => ReactNode
}

export interface TabsProps {
  label: string
  tabs: readonly Tab[]
  /** Name of the query parameter; default: `tab`. */
  param?: string
  /** Below a page heading instead of inside a panel. */
  outside?: boolean
  /** Query parameters kept when switching tabs, for tabs with their own lists. Default: all. */
  keep?: readonly string[]
}

/** Tabs whose selection is part of the URL. Left and right arrow keys, Home and End move between them. */
export function Tabs({ label, tabs, param = 'tab', outside = false, keep }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const search = useLocation().search
  const current = tabs.find((tab) => tab.name === search[param]) ?? tabs[0]
  useSelectedInView(list, current?.name)
  if (!current) return null

  const select = (tab: Tab) => {
    const value = tab === tabs[0] ? undefined : tab.name
    const kept = keep ? Object.fromEntries(keep.map((name) => [name, search[name]])) : search
    void navigate({ to: '.', search: { ...kept, [param]: value }, replace: true, resetScroll: false })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextStop(event, tabs.indexOf(current), tabs.length, 'horizontal')
    const target = next === undefined ? undefined : tabs[next]
    if (!target) return
    event.preventDefault()
    select(target)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`tab-${target.name}`)}`)?.focus()
  }

  return (
    <>
      <div
        ref={list}
        className={outside ? 'tabs tabs-outside' : 'tabs'}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
      >
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`tab-${tab.name}`}
            aria-controls={`panel-${tab.name}`}
            aria-selected={tab === current}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => select(tab)}
          >
            {tab.label}
            {tab.count !== undefined && <span className="tabs-count">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`panel-${current.name}`} aria-labelledby={`tab-${current.name}`}>
        {current.content()}
      </div>
    </>
  )
}

/** Scrolls the selected tab into view, as tabs may be wider than the screen. */
function useSelectedInView(list: RefObject<HTMLElement | null>, name: string | undefined): void {
  useEffect(() => {
    const frame = list.current
    const tab = name && frame?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (!frame || !tab || frame.scrollWidth <= frame.clientWidth) return
    const left = tab.offsetLeft - frame.offsetLeft - (frame.clientWidth - tab.offsetWidth) / 2
    frame.scrollTo({ left })
  }, [list, name])
}
