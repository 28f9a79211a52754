import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { fileOption, hitGroups, hitOption } from '../../domain/search/hits.ts'
import { type Group, narrow, type Option } from '../../domain/search/option.ts'
import { type Hits, useHits } from '../../domain/search/use-hits.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { variant } from '../../platform/config.ts'
import type { UserInfo } from '../../platform/session/auth.ts'
import { keyOf, type Recent, readRecent, remember } from '../../platform/session/recent.ts'
import { useNavigate } from '../../router/router-context.tsx'
import { actionOptions, screenOptions } from './commands.ts'

/** Text, options and active option of the palette, and what choosing does. */
export function usePalette(user: UserInfo, onClose: () => void) {
  const t = useT()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [marked, setMarked] = useState<string>()
  // Enter was pressed before the response arrived: choose its first option, not an older one.
  const [isWaiting, setWaiting] = useState(false)
  const text = typed.trim()
  const found = useHits(text)
  const groups = text === '' ? groupsToBegin(t, user) : groupsFor(t, user, { text, found })
  const options = groups.flatMap((group) => group.options)
  const at = Math.max(
    options.findIndex(({ key }) => key === marked),
    0,
  )
  const active = options[at]

  const choose = (option: Option) => {
    const hit = found.hits.find((one) => keyOf({ hit: one }) === option.key)
    const known = readRecent(user.id).find((one) => keyOf(one) === option.key)
    if (!option.isPassing) remember(user.id, hit ? { hit } : (known ?? { key: option.key }))
    onClose()
    if (option.to) void navigate({ href: option.to })
    option.run?.()
  }
  const chooseActive = useEffectEvent(() => {
    setWaiting(false)
    if (active) choose(active)
  })
  const isSettled = !found.pending
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the awaited response has arrived
    if (isWaiting && isSettled) chooseActive()
  }, [isWaiting, isSettled])

  const onKeyDown = (event: KeyboardEvent) => {
    const count = options.length
    const target = {
      ArrowDown: (at + 1) % count,
      ArrowUp: (at - 1 + count) % count,
      Home: typed === '' ? 0 : undefined,
      End: typed === '' ? count - 1 : undefined,
      PageDown: Math.min(at + 8, count - 1),
      PageUp: Math.max(at - 8, 0),
    }[event.key]
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      // An option marked by hand is chosen as it is.
      if (found.pending && marked === undefined) setWaiting(true)
      else if (active) choose(active)
    } else if (target !== undefined && count > 0) {
      event.preventDefault()
      setMarked(options[target]?.key)
    }
  }

  return {
    typed,
    text,
    groups,
    count: options.length,
    active,
    found,
    type: (value: string) => {
      setTyped(value)
      setMarked(undefined)
      setWaiting(false)
    },
    mark: setMarked,
    choose,
    onKeyDown,
  }
}

/** Before anything is typed: recent choices, then all screens and actions. */
function groupsToBegin(t: Translate, user: UserInfo): Group[] {
  const screens = screenOptions(t, user)
  const actions = actionOptions(t, user)
  const fixed = [...screens, ...actions]
  const recent = readRecent(user.id).flatMap((one) => recentOption(t, user, one, fixed))
  const isRecent = (option: Option) => recent.some(({ key }) => key === option.key)
  return filled([
    { name: 'recent', options: recent },
    { name: 'screens', options: screens.filter((option) => !isRecent(option)) },
    { name: 'actions', options: actions.filter((option) => !isRecent(option)) },
  ])
}

/** Screens the user may no longer open aren't offered. */
function recentOption(t: Translate, user: UserInfo, recent: Recent, fixed: readonly Option[]): Option[] {
  if ('hit' in recent) return [hitOption(t, recent.hit, selfOf(user))]
  return fixed.filter(({ key }) => key === recent.key)
}

function groupsFor(t: Translate, user: UserInfo, { text, found }: { text: string; found: Hits }): Group[] {
  const all = variant() === 'user' ? [] : [allCustomers(t, text)]
  return filled([
    { name: 'screens', options: narrow(screenOptions(t, user), text) },
    ...hitGroups(found.hits, selfOf(user)),
    { name: 'file', options: found.files.map((file) => fileOption(file)) },
    { name: 'actions', options: [...all, ...narrow(actionOptions(t, user), text)] },
  ])
}

/** Users have a page for their own account; staff open their own like any other. */
function selfOf(user: UserInfo): number | undefined {
  return variant() === 'user' ? user.id : undefined
}

/** Option for staff to list all matches, with state and account. */
function allCustomers(t: Translate, text: string): Option {
  return {
    key: 'customers',
    title: t('palette.allCustomers', { text }),
    icon: IconSearch,
    to: `/dashboard?${new URLSearchParams({ search: text })}`,
  }
}

function filled(groups: readonly Group[]): Group[] {
  return groups.filter(({ options }) => options.length > 0)
}
