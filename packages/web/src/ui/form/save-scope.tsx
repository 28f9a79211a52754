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

/** A form as the page's save bar sees it. */
export interface PageForm {
  form: Pick<Form<object>, 'dirty' | 'busy' | 'isOnScreen'> & {
    save: (options?: SaveOptions) => Promise<boolean>
    reset: () => void
  }
  /** Names of the changes, one or two words each. */
  changes: readonly string[]
  /** Number of changes; default: the number of names. */
  count?: number
  /** Replaces `form.reset`. */
  discard?: (() => unknown) | undefined
  /** Opens the tab that contains the form. */
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
  /** Why the page can't be saved yet. */
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

/** A page, or one object on it, whose forms are saved together by one bar at the bottom. */
export function SaveScope({ children }: { children: ReactNode }) {
  const [scope] = useState(createScope)
  return (
    <ScopeContext value={scope}>
      {children}
      <PageBar scope={scope} />
    </ScopeContext>
  )
}

/** Registers a form with the page's save bar while the component is mounted. */
export function usePageForm(part: PageForm): void {
  const scope = useScope()
  const id = useId()
  // a form's handlers change with every render
  useEffect(() => scope.put(id, part))
  useEffect(() => () => scope.drop(id), [scope, id])
}

/** Disables saving while there is a reason, such as a price that hasn't arrived yet. */
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
 * The form element of a form saved by the page's bar. Enter in a field saves too: browsers submit only if the submit
 * button is inside the form.
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
  if (scope === undefined) throw new Error('SaveScope is missing around this form')
  return scope
}

function createScope(): Scope {
  const parts = new Map<string, PageForm>()
  const shown = createStore<Shown>({ forms: [], isSaving: false })

  const update = (change: Partial<Shown>) => {
    const next = { ...shown.get(), ...change }
    if (JSON.stringify(next) !== JSON.stringify(shown.get())) shown.set(next)
  }
  const updateForms = () =>
    update({
      forms: [...parts].map(([id, { form, changes, count = changes.length }]) => ({
        ...{ id, changes, count },
        ...{ dirty: form.dirty, busy: form.busy },
      })),
    })

  // Sequentially, visible forms first: their errors show without switching tabs.
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
      updateForms()
    },
    drop: (id) => {
      parts.delete(id)
      updateForms()
    },
    wait: (reason) => update({ reason }),
    save: async () => {
      if (shown.get().isSaving || shown.get().reason !== undefined) return
      update({ isSaving: true })
      try {
        await saveAll()
      } finally {
        update({ isSaving: false })
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
