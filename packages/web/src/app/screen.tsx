import { useMatches } from '@tanstack/react-router'
import { createElement, useEffect, useLayoutEffect } from 'react'
import type { MessageKey } from '../i18n/areas.ts'
import { useT } from '../i18n/i18n.ts'
import { useDocumentTitle } from '../ui/document-title.ts'
import { screenOf } from './lazy-screen.ts'
import { menuEntryAt } from './menu.ts'
import type { RouteEntry } from './route-table.ts'

let shownPath: string | undefined
let navigated = false

/** Frames a routed screen: title, body class, and the focus after a navigation. */
export function RoutedScreen({ entry }: { entry: RouteEntry }) {
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' })
  useBodyClass(pageClass(path))
  useFocusAfterNavigation(path)
  const Screen = screenOf(entry)
  return (
    <>
      <RouteTitle title={entry.title} />
      {Screen && createElement(Screen, { key: entry.path })}
    </>
  )
}

/** Stands before the screen, so that a better title of the screen comes after this one. */
function RouteTitle({ title }: { title: MessageKey }) {
  const t = useT()
  useDocumentTitle(t(title))
  return null
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

/** Names the screen at the body; the server has done so for the first one, which may have led elsewhere. */
export function useBodyClass(name: string): void {
  useLayoutEffect(() => {
    const others = [...document.body.classList].filter((known) => known.startsWith('page-'))
    document.body.classList.remove(...others)
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
    if (first || !changed) return
    navigated = true
    focusHeading()
  }, [path])
}

/** The same for a screen whose heading arrives later. */
export function useFocusWhenReady(ready: boolean): void {
  useEffect(() => {
    if (ready && navigated) focusHeading()
  }, [ready])
}

/** Moves the focus to the heading of the screen, unless something in the screen has it already. */
export function focusHeading(): void {
  const main = document.querySelector('main')
  const { activeElement } = document
  // The link that led here may still be in the page.
  if (main?.contains(activeElement) && !(activeElement instanceof HTMLAnchorElement)) return
  const heading = main?.querySelector<HTMLElement>('h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}
