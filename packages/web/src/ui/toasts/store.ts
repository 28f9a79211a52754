import { createStore } from '../../state/store.ts'
import type { Glyph } from '../icon.tsx'

export type ToastType = 'error' | 'success' | 'warning' | 'info' | 'custom'

export interface ToastOptions {
  type?: ToastType
  title?: string
  message: string
  /** Milliseconds; 0 keeps it open until closed. Default 5000, twice that for errors and warnings. */
  timeout?: number
  /** Whether it disappears automatically; default: true. */
  autohide?: boolean
  /**
   * Progress bar at the bottom: the remaining time (default), none, or the progress of an operation, from 0 to
   * 1.
   */
  progress?: boolean | number
  /** Only for `custom`; the other types have their own. */
  icon?: Glyph
  actions?: { label: string; onPress: () => void }[]
}

export interface Toast extends ToastOptions {
  id: number
  type: ToastType
  timeout: number
  progress: boolean | number
}

/** A toast on screen, to be changed or closed programmatically. */
export interface ToastHandle {
  update(change: Partial<ToastOptions>): void
  close(): void
}

interface Clock {
  left: number
  since: number
  timer?: ReturnType<typeof setTimeout>
}

const defaultTimeout = 5000

/** The toasts on screen, newest first. */
export const toastStore = createStore<readonly Toast[]>([])

const clocks = new Map<number, Clock>()
let lastId = 0
let held = false

/** Shows a toast. */
export function showToast(options: ToastOptions): ToastHandle {
  lastId += 1
  const toast = { ...complete(options), id: lastId }
  toastStore.update((list) => [toast, ...list])
  start(toast)
  return {
    update: (change) => updateToast(toast.id, change),
    close: () => closeToast(toast.id),
  }
}

export const toasts = {
  show: showToast,
  error: (message: string, options?: Partial<ToastOptions>) =>
    showToast({ ...options, message, type: 'error' }),
  success: (message: string, options?: Partial<ToastOptions>) =>
    showToast({ ...options, message, type: 'success' }),
  warning: (message: string, options?: Partial<ToastOptions>) =>
    showToast({ ...options, message, type: 'warning' }),
  info: (message: string, options?: Partial<ToastOptions>) =>
    showToast({ ...options, message, type: 'info' }),
}

export function closeToast(id: number): void {
  clearTimeout(clocks.get(id)?.timer)
  clocks.delete(id)
  toastStore.update((list) => list.filter((toast) => toast.id !== id))
}

/** Pauses all timers while the user is reading: hovering over the toasts, or focusing inside. */
export function holdToasts(): void {
  held = true
  for (const clock of clocks.values()) {
    clearTimeout(clock.timer)
    clock.left -= Date.now() - clock.since
  }
}

export function releaseToasts(): void {
  held = false
  for (const [id, clock] of clocks) run(id, clock)
}

function complete(options: ToastOptions): Omit<Toast, 'id'> {
  const { type = 'info', autohide = true } = options
  const usual = type === 'error' || type === 'warning' ? 2 * defaultTimeout : defaultTimeout
  const timeout = autohide ? (options.timeout ?? usual) : 0
  return { ...options, type, timeout, progress: options.progress ?? timeout > 0 }
}

function updateToast(id: number, change: Partial<ToastOptions>): void {
  const before = toastStore.get().find((toast) => toast.id === id)
  if (!before) return
  const after = { ...complete({ ...before, ...change }), id }
  toastStore.update((list) => list.map((toast) => (toast.id === id ? after : toast)))
  if (change.timeout === undefined && change.autohide === undefined) return
  clearTimeout(clocks.get(id)?.timer)
  clocks.delete(id)
  start(after)
}

function start(toast: Toast): void {
  if (toast.timeout === 0) return
  const clock = { left: toast.timeout, since: Date.now() }
  clocks.set(toast.id, clock)
  if (!held) run(toast.id, clock)
}

function run(id: number, clock: Clock): void {
  clearTimeout(clock.timer)
  clock.since = Date.now()
  clock.timer = setTimeout(() => closeToast(id), Math.max(0, clock.left))
}
