import { type FormEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { t } from '../../i18n/i18n.ts'
import { logUnexpected } from '../log-unexpected.ts'
import { draftedForm, draftForm } from './draft.ts'
import {
  attachErrors,
  errorLine,
  type FieldError,
  type FieldErrors,
  isValidationFailure,
  type WireErrors,
} from './field-errors.ts'
import { takeKeptForm, trackForm } from './kept-forms.ts'
import { changedKeys } from './revised-values.ts'

type KeysOf<V, T> = { [K in keyof V]: V[K] extends T ? K : never }[keyof V] & string

export interface FormOptions<V> {
  initial: V
  /** Prefix of the field ids, such as `signup_`. */
  prefix?: string
  /** Key under which the input survives a reload of the tab, except passwords. */
  draft?: string
  /** Moves the server's errors to other fields, depending on the submitted values. */
  placeErrors?: (errors: Readonly<Record<string, WireErrors>>, sent: V) => Record<string, WireErrors>
  /** Submits the values. An error with a map of field errors is shown at the fields. */
  submit: (values: V) => unknown
}

/** How a form is saved together with others of its page. */
export interface SaveOptions {
  /** Another form has failed before: its fields keep the focus. */
  follows?: boolean
  /** Brings the form onto the screen, where it is in a tab that is not shown, before it tells what is wrong. */
  reveal?: (() => unknown) | undefined
}

/** What a text field gets from its form. */
export type FieldPart = ReturnType<Form<{ text: string }>['field']>

/** What a list of texts gets from its form. */
export type ListPart = ReturnType<Form<{ texts: string[] }>['list']>

export interface Form<V> {
  /** For the `<form>` element. */
  props: {
    ref: RefObject<HTMLFormElement | null>
    onSubmit: (event: FormEvent) => void
    noValidate: true
    'aria-busy': boolean
    'data-validation-prefix': string | undefined
  }
  values: V
  errors: FieldErrors
  /** A submission is pending; another one is ignored. */
  busy: boolean
  /** The values differ from the initial ones or those of the last `reset`, or will on submission. */
  dirty: boolean
  /** Lists with pending text in their entry field. */
  pending: readonly string[]
  /** Keys of what differs, in the order of the values. */
  changed: readonly string[]
  /** Props of a TextField, PasswordField, TextArea or Select. */
  field(key: KeysOf<V, string>): {
    id: string
    name: string
    value: string
    onValue: (value: string) => void
    error?: string
  }
  /** Props of a Checkbox. */
  check(key: KeysOf<V, boolean>): {
    id: string
    name: string
    checked: boolean
    onChecked: (checked: boolean) => void
    error?: string
  }
  /** Props of a ListInput. */
  list(key: KeysOf<V, string[]>): {
    id: string
    name: string
    value: string[]
    onValue: (value: string[]) => void
    onPending: (isPending: boolean) => void
    error?: FieldError
  }
  set<K extends keyof V>(key: K, value: V[K]): void
  /** Shows errors at fields and focuses the first one. */
  setErrors(errors: Record<string, string>): void
  /** Resets to the initial values, or to new ones, for example after saving. */
  reset(values?: V): void
  /** Submits like the submit button. */
  submit(): void
  /** Submits and tells whether that ended in a `reset`. Works for a form that is not on the screen too. */
  save(options?: SaveOptions): Promise<boolean>
  isOnScreen(): boolean
}

/** State of a form: values, field errors, busy, dirty. */
export function useForm<V extends object>(options: FormOptions<V>): Form<V> {
  const { initial, prefix = '', draft } = options
  const form = useRef<HTMLFormElement>(null)
  const [start, setStart] = useState(initial)
  const [values, setValues] = useState(() => (draft ? draftedForm(draft, initial) : initial))
  const [errors, setErrors] = useState<FieldErrors>({})
  const [busy, setBusy] = useState(false)
  const [pending, setPending] = useState<readonly string[]>([])
  const [focusRequest, setFocusRequest] = useState(0)
  // List inputs add their pending text during the submit event, before React rerenders.
  const latest = useRef(values)
  const running = useRef(false)
  const began = useRef(initial)
  const wasReset = useRef(false)
  const submission = useRef({ options: {} as SaveOptions, result: Promise.resolve(false) })
  const name = `${prefix}${Object.keys(initial).join()}`

  useEffect(() => {
    if (draft) draftForm(draft, values)
  }, [draft, values])

  const takeUp = useEffectEvent(() => {
    const known = Object.entries(takeKeptForm(name) ?? {}).filter(([key]) => key in initial)
    if (known.length === 0) return
    latest.current = { ...latest.current, ...Object.fromEntries(known) }
    setValues(latest.current)
  })
  useEffect(() => {
    takeUp()
    return trackForm(name, () =>
      Object.fromEntries(changedKeys(latest.current, began.current).map((key) => [key, latest.current[key]])),
    )
  }, [name])

  useEffect(() => {
    if (focusRequest > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [focusRequest])

  const set = <K extends keyof V>(key: K, value: V[K]) => {
    latest.current = { ...latest.current, [key]: value }
    setValues(latest.current)
  }

  const show = (next: FieldErrors, { follows = false }: SaveOptions = {}) => {
    setErrors(next)
    if (!follows && Object.keys(next).length > 0) setFocusRequest((count) => count + 1)
  }

  const fail = (failure: unknown, saving: SaveOptions) => {
    if (!isValidationFailure(failure)) return logUnexpected(failure)
    const placed = options.placeErrors?.(failure.errors, latest.current) ?? failure.errors
    const { attached, unmatched } = attachErrors(form.current, placed, prefix)
    const count = Object.keys(attached).length
    const told = count > 0 ? [`${t('error.form')}.`, ...unmatched, t('error.fields', { count })] : unmatched
    if (told.length > 0) failure.toast?.update({ message: told.join(' ') })
    show(attached, saving)
  }

  const send = async (saving: SaveOptions): Promise<boolean> => {
    if (running.current) return false
    const reveal = async () => {
      if (form.current || !saving.reveal) return
      await saving.reveal()
      setFocusRequest((count) => count + 1)
    }
    const missing = form.current ? nativeErrors(form.current, prefix) : {}
    show(missing, saving)
    if (Object.keys(missing).length > 0) return false
    running.current = true
    wasReset.current = false
    setBusy(true)
    try {
      await options.submit(latest.current)
      if (!wasReset.current) await reveal()
      return wasReset.current
    } catch (failure) {
      await reveal()
      fail(failure, saving)
      return false
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  const names = (key: string) => ({ id: prefix + key, name: key })
  const line = (key: string) => {
    const error = errors[key]
    return error && errorLine(error)
  }

  return {
    props: {
      ref: form,
      onSubmit: (event) => {
        event.preventDefault()
        submission.current.result = send(submission.current.options)
      },
      noValidate: true,
      'aria-busy': busy,
      'data-validation-prefix': prefix || undefined,
    },
    values,
    errors,
    busy,
    dirty: pending.length > 0 || !sameValues(values, start),
    pending,
    changed: [...new Set<string>([...changedKeys(values, start), ...pending])],
    // The key types ensure the type of the value, which TypeScript can't follow through the mapped type.
    field: (key) => ({
      ...names(key),
      value: values[key] as string,
      onValue: (value) => set(key, value as V[typeof key]),
      error: line(key),
    }),
    check: (key) => ({
      ...names(key),
      checked: values[key] as boolean,
      onChecked: (checked) => set(key, checked as V[typeof key]),
      error: line(key),
    }),
    list: (key) => ({
      ...names(key),
      value: values[key] as string[],
      onValue: (value) => set(key, value as V[typeof key]),
      onPending: (isPending) =>
        setPending((keys) => [...keys.filter((one) => one !== key), ...(isPending ? [key] : [])]),
      error: errors[key],
    }),
    set,
    setErrors: (next) => show(Object.fromEntries(Object.entries(next).map(([key, text]) => [key, { text }]))),
    reset: (next = start) => {
      latest.current = next
      began.current = next
      wasReset.current = true
      setStart(next)
      setValues(next)
      setErrors({})
      // For parts with their own state, such as password rules or the entry field of a list.
      form.current?.dispatchEvent(new Event('reset'))
    },
    submit: () => form.current?.requestSubmit(),
    save: (saving = {}) => {
      if (!form.current) return send(saving)
      submission.current = { options: saving, result: Promise.resolve(false) }
      // lists hand over what waits in their entry fields during the event
      form.current.requestSubmit()
      submission.current.options = {}
      return submission.current.result
    },
    isOnScreen: () => form.current !== null,
  }
}

/** Returns the browser's validation errors, with our texts and at our fields. */
function nativeErrors(form: HTMLFormElement, prefix: string): FieldErrors {
  const errors: Record<string, FieldError> = {}
  for (const control of form.elements) {
    if (
      !(
        control instanceof HTMLInputElement ||
        control instanceof HTMLTextAreaElement ||
        control instanceof HTMLSelectElement
      )
    )
      continue
    const { validity } = control
    if (!control.willValidate || validity.valid) continue
    const key = control.name || control.id.slice(prefix.length)
    if (!key) continue
    errors[key] = { text: nativeText(validity) ?? control.validationMessage }
  }
  return errors
}

function nativeText({ valueMissing, typeMismatch, badInput }: ValidityState): string | undefined {
  if (valueMissing) return t('form.required')
  return typeMismatch || badInput ? t('form.malformed') : undefined
}

function sameValues<V>(left: V, right: V): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right)
}
