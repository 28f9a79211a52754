import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useState,
} from 'react'
import { useT } from '../../i18n/i18n.ts'
import { createStore, type Store, useStore } from '../../state/store.ts'
import { SaveBar } from './save-bar.tsx'
import type { Form, SaveOptions } from './use-form.ts'

/** A form of a page, as the bar of the page knows it. */
export interface PageForm {
  form: Pick<Form<object>, 'dirty' | 'busy' | 'isOnScreen'> & {
    save: (options?: SaveOptions) => Promise<boolean>
    reset: () => void
  }
  /** What was changed, each in a word or two. */
  changes: readonly string[]
  /** How many changes these are; default: one each. */
  count?: number
  /** In the place of `form.reset`. */
  discard?: (() => unknown) | undefined
  /** Opens the tab of the form. */
  reveal?: (() => unknown) | undefined
}

interface Shown {
  forms: readonly {
    id: string
    changes: readonly string[]
    count: number
    dirty: boolean
    busy: boolean
  }[]
  /** Why nothing can be saved yet. */
  reason?: string | undefined
  isSaving: boolean
}

interface Scope {
  shown: Store<Shown>
  put: (id: string, form: PageForm) => void
  drop: (id: string) => void
  wait: (reason: string | undefined) => void
  save: () => Promise<void>
  discard: () => void
}

const ScopeContext = createContext<Scope | undefined>(undefined)

/** A page, or an object on it, whose forms are saved together by one bar at its foot. */
export function SaveScope({ children }: { children: ReactNode }) {
  const [scope] = useState(createScope)
  return (
    <ScopeContext value={scope}>
      {children}
      <PageBar scope={scope} />
    </ScopeContext>
  )
}

/** Has the form saved by the bar of its page, for as long as the calling component is there. */
export function usePageForm(part: PageForm): void {
  const scope = useScope()
  const id = useId()
  // the handlers of a form are new whenever it renders
  useEffect(() => scope.put(id, part))
  useEffect(() => () => scope.drop(id), [scope, id])
}

/** Keeps the bar from saving while there is a reason, such as a price that is still to come. */
export function useSaveWait(reason: string | undefined): void {
  const scope = useScope()
  useEffect(() => {
    scope.wait(reason)
    return () => scope.wait(undefined)
  }, [scope, reason])
}

export interface SaveFormProps<V> {
  form: Form<V>
  label?: string
  className: string
  children: ReactNode
}

/**
 * The element of a form that the bar of its page saves. Enter in a field saves as the bar does: browsers do that only
 * where the button is inside the form.
 */
export function SaveForm<V>({ form, label, className, children }: SaveFormProps<V>) {
  const scope = useScope()
  const saveOnEnter = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || event.defaultPrevented || event.nativeEvent.isComposing) return
    const { target, currentTarget } = event
    if (!(target instanceof HTMLInputElement) || target.form !== currentTarget) return
    event.preventDefault()
    void scope.save()
  }
  return (
    <form {...form.props} aria-label={label} className={className} onKeyDown={saveOnEnter}>
      {children}
    </form>
  )
}

function PageBar({ scope }: { scope: Scope }) {
  const t = useT()
  const { forms, reason, isSaving } = useStore(scope.shown)
  const dirty = forms.filter((form) => form.dirty)
  if (dirty.length === 0) return null
  return (
    <SaveBar
      label={t('form.unsaved')}
      count={t('words.unsavedChanges', { count: dirty.reduce((sum, form) => sum + form.count, 0) })}
      changes={dirty.flatMap((form) => form.changes).join(', ')}
      discard={t('form.discard')}
      onDiscard={scope.discard}
      save={t('dialog.save')}
      saving={t('words.saving')}
      onSave={scope.save}
      busy={isSaving || dirty.some((form) => form.busy)}
      reason={reason}
    />
  )
}

function useScope(): Scope {
  const scope = useContext(ScopeContext)
  if (scope === undefined) throw new Error('There is no SaveScope around this form')
  return scope
}

function createScope(): Scope {
  const parts = new Map<string, PageForm>()
  const shown = createStore<Shown>({ forms: [], isSaving: false })

  const tell = (change: Partial<Shown>) => {
    const next = { ...shown.get(), ...change }
    if (JSON.stringify(next) !== JSON.stringify(shown.get())) shown.set(next)
  }
  const tellForms = () =>
    tell({
      forms: [...parts].map(([id, { form, changes, count = changes.length }]) => ({
        ...{ id, changes, count },
        ...{ dirty: form.dirty, busy: form.busy },
      })),
    })

  // One after the other: what is on the screen first, since its errors need nothing to be opened.
  const saveAll = async () => {
    const dirty = [...parts].filter(([, { form }]) => form.dirty)
    const onScreen = dirty.filter(([, { form }]) => form.isOnScreen())
    const others = dirty.filter((part) => !onScreen.includes(part))
    let hasFailed = false
    for (const [id] of [...onScreen, ...others]) {
      const part = parts.get(id)
      if (!part?.form.dirty) continue
      const isSaved = await part.form.save(hasFailed ? { follows: true } : { reveal: part.reveal })
      if (!isSaved) hasFailed = true
    }
  }

  return {
    shown,
    put: (id, part) => {
      parts.set(id, part)
      tellForms()
    },
    drop: (id) => {
      parts.delete(id)
      tellForms()
    },
    wait: (reason) => tell({ reason }),
    save: async () => {
      if (shown.get().isSaving || shown.get().reason !== undefined) return
      tell({ isSaving: true })
      try {
        await saveAll()
      } finally {
        tell({ isSaving: false })
      }
    },
    discard: () => {
      for (const { form, discard } of parts.values())
        if (form.dirty) {
          if (discard) void discard()
          else form.reset()
        }
    },
  }
}
