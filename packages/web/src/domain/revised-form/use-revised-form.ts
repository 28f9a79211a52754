import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../../platform/api/api-error.ts'
import { reportError } from '../../platform/api/report-error.ts'
import { changedKeys, mergeValues } from '../../ui/form/revised-values.ts'
import { useForm } from '../../ui/form/use-form.ts'

export interface RevisedFormOptions<D extends { revision: string }, V extends object> {
  /** The object as returned by the server. */
  detail: D
  /** Maps the object to form values. */
  valuesOf: (detail: D) => V
  /** Sends the changed fields. A null `revision` overwrites the current state. */
  save: (changes: Partial<V>, revision: string | null) => Promise<unknown>
  /** Wraps sending after its errors were reported; returns what `send` returns. */
  guard?: (changes: Partial<V>, send: () => Promise<boolean>) => Promise<boolean>
  /** Reloads the object everywhere it is shown. */
  reread: () => Promise<D>
}

/**
 * Form of an object that others may change too. A change names the revision it is based on. If that is
 * stale, `conflict` is set and the input is kept until the user has decided.
 */
export function useRevisedForm<D extends { revision: string }, V extends object>(
  options: RevisedFormOptions<D, V>,
) {
  const { detail, valuesOf, save, reread, guard = (_, send) => send() } = options
  const [base, setBase] = useState(() => ({ revision: detail.revision, values: valuesOf(detail) }))
  const [conflict, setConflict] = useState(false)
  const overwriting = useRef(false)

  const begin = (fresh: D, keep?: V) => {
    const values = valuesOf(fresh)
    setBase({ revision: fresh.revision, values })
    setConflict(false)
    form.reset(values)
    if (!keep) return
    const merged = mergeValues(keep, base.values, values)
    for (const key of changedKeys(merged, values)) form.set(key, merged[key])
  }

  const form = useForm<V>({
    initial: base.values,
    submit: async (values) => {
      const revision = overwriting.current ? null : base.revision
      const keys = changedKeys(values, base.values)
      const changes: Partial<V> = {}
      for (const key of keys) changes[key] = values[key]
      const isSaved = await guard(changes, async () => {
        try {
          await save(changes, revision)
          return true
        } catch (error) {
          if (!(error instanceof ApiError && error.status === 409)) {
            reportError(error)
            throw error
          }
          setConflict(true)
          return false
        }
      })
      if (isSaved) begin(await reread())
    },
  })

  // Shows another user's change at once if no input would be lost.
  const shown = JSON.stringify([detail.revision, valuesOf(detail)])
  const follow = useEffectEvent((state: string) => {
    if (!form.dirty && !form.busy && state !== JSON.stringify([base.revision, base.values])) begin(detail)
  })
  // oxlint-disable-next-line react/set-state-in-effect -- whether the form is dirty is only known by then
  useEffect(() => follow(shown), [shown])

  return {
    form,
    base: base.values,
    /** Someone else has changed the object since editing began. */
    conflict,
    /** Loads the newer state and reapplies the input. */
    reload: async () => begin(await reread(), form.values),
    /** Saves the input, ignoring other users' changes. */
    overwrite: () => {
      overwriting.current = true
      // The submission starts within this call, so a later one doesn't overwrite too.
      form.submit()
      overwriting.current = false
    },
    discard: async () => begin(conflict ? await reread() : detail),
  }
}

export type RevisedForm<V extends object> = ReturnType<typeof useRevisedForm<{ revision: string }, V>>
