import { useMatches } from '@tanstack/react-router'
import { createElement, useEffect, useLayoutEffect } from 'react'
import type { MessageKey } from '../i18n/areas.ts'
import { useT } from '../i18n/i18n.ts'
import { useDocumentTitle } from '../ui/document-title.ts'
import { screenOf } from './lazy-screen.ts'
import { menuEntryAt } from './menu.ts'
import type { RouteEntry } from './route-table.ts'

let shownPath: string | undefined

/** Frames a routed screen: title, body class, and the focus after a navigation. */
export function RoutedScreen({ entry }: { entry: RouteEntry }) {
  const t = useT()
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' })
  useDocumentTitle(t(entry.title))
  useBodyClass(pageClass(path))
  useFocusAfterNavigation(path)
  const Screen = screenOf(entry)
  return Screen ? createElement(Screen, { key: entry.path }) : null
}

/** The name that the route table gives to the current screen. */
export function useRouteTitle(): MessageKey {
  return useMatches({ select: (matches) => matches.at(-1)?.staticData.entry?.title ?? 'error.404' })
}

/** The class by which themes and static pages style a screen: `page-` and the first segment of the path. */
export function pageClass(path: string): string {
  const page = menuEntryAt(path)?.page
  return `page-${(page ?? path.split('/')[1] ?? '').toLowerCase()}`
}

export function useBodyClass(name: string): void {
  useLayoutEffect(() => {
    document.body.classList.add(name)
    return () => document.body.classList.remove(name)
  }, [name])
}

/** Lets a screen reader begin at the new heading; a screen that focuses a field of its own keeps that. */
function useFocusAfterNavigation(path: string): void {
  useEffect(() => {
    const first = shownPath === undefined
    const changed = shownPath !== path
    shownPath = path
    if (!first && changed) focusHeading()
  }, [path])
}

export function focusHeading(): void {
  const main = document.querySelector('main')
  if (main?.contains(document.activeElement)) return
  const heading = main?.querySelector<HTMLElement>('h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}
