import { type ComponentType, createElement } from 'react'
import { loadMessages } from '../../i18n/i18n.ts'
import { loadChunk } from './chunks.ts'
import type { RouteEntry } from './route-entry.ts'

const screens = new Map<NonNullable<RouteEntry['load']>, ComponentType>()

type Parts = Pick<RouteEntry, 'screen' | 'load' | 'messages'>

/** Loads a route or part of a screen: its code, its texts and, for lazy ones, the query client. */
export async function prepareScreen({ load, messages = [] }: Parts): Promise<void> {
  const texts = loadChunk(() => loadMessages(...messages))
  if (load && !screens.has(load)) {
    const [Screen, { QueryScope }] = await Promise.all([
      loadChunk(load),
      loadChunk(() => import('../api/query.tsx')),
    ])
    screens.set(load, () => createElement(QueryScope, null, createElement(Screen)))
  }
  await texts
}

/** The component of a loaded route or part. */
export function screenOf({ screen, load }: Parts): ComponentType | undefined {
  return screen ?? (load && screens.get(load))
}
