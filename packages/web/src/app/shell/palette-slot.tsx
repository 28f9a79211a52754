import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { type ComponentType, createElement, useEffect } from 'react'
import { loadMessages, useT } from '../../i18n/i18n.ts'
import { reportError } from '../../platform/api/report-error.ts'
import { variant } from '../../platform/config.ts'
import { loadChunk } from '../../platform/navigation/chunks.ts'
import { isHeldBack, useUser } from '../../platform/session/auth.ts'
import { createStore, useStore } from '../../state/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { whileLoading } from '../../ui/page/page-loader.tsx'

interface PaletteProps {
  onClose: () => void
}

interface State {
  open: boolean
  Palette?: ComponentType<PaletteProps>
}

const palette = createStore<State>({ open: false })

/** Apple devices use another modifier key for shortcuts. */
const isApple = /Mac|iP(hone|ad|od)/.test(navigator.userAgent)

/** The button that opens the global search; only for signed-in, unrestricted users. */
export function JumpBox() {
  const t = useT()
  const user = useUser()
  if (!user || isHeldBack(user)) return null
  const keys = isApple ? '⌘ K' : t('shell.jumpKeys')
  const label = t(variant() === 'user' ? 'shell.jump' : 'cockpit.jump')
  return (
    <button
      type="button"
      className="jump"
      aria-label={`${label} ${keys}`}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K /"
      onClick={openPalette}
    >
      <Icon of={IconSearch} size="small" />
      <span>{label}</span>
      <kbd>{keys}</kbd>
    </button>
  )
}

/** Handles the palette's shortcut and renders it. Code and texts are loaded when it is first opened. */
export function PaletteSlot() {
  const user = useUser()
  const { open, Palette } = useStore(palette)
  const isOffered = user !== undefined && !isHeldBack(user)
  useEffect(() => {
    if (!isOffered) return
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event) || document.querySelector('[data-dialog]')) return
      event.preventDefault()
      openPalette()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      closePalette()
    }
  }, [isOffered])
  return open && isOffered && Palette ? createElement(Palette, { onClose: closePalette }) : null
}

function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (altKey) return false
  if (ctrlKey || metaKey) return !shiftKey && key.toLowerCase() === 'k'
  const isField =
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))
  return key === '/' && !isField
}

function openPalette(): void {
  whileLoading(fetchPalette()).then(
    (Palette) => palette.set({ open: true, Palette }),
    (failure: unknown) => reportError(failure),
  )
}

function closePalette(): void {
  palette.update((state) => ({ ...state, open: false }))
}

async function fetchPalette(): Promise<ComponentType<PaletteProps>> {
  const { Palette } = palette.get()
  if (Palette) return Palette
  const [{ Palette: Loaded }, { QueryScope }] = await Promise.all([
    loadChunk(() => import('../../features/palette/palette.tsx')),
    loadChunk(() => import('../../platform/api/query.tsx')),
    loadChunk(() => loadMessages('palette')),
  ])
  return (props) => createElement(QueryScope, null, createElement(Loaded, props))
}
