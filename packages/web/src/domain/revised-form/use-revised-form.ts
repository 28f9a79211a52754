import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../../platform/api/api-error.ts'
import { reportError } from '../../platform/api/report-error.ts'
import { changedKeys, mergeValues } from '../../ui/form/revised-values.ts'
import { useForm } from '../../ui/form/use-form.ts'

export interface RevisedFormOptions<D extends { revision: string }, V extends object> {
  /** The object as the server has told. */
  detail: D
  /** What the form shows of it. */
  valuesOf: (detail: D) => V
  /** Sends what differs. `revision` is null when whatever is there is to be overwritten. */
  save: (changes: Partial<V>, revision: string | null) => Promise<unknown>
  /** Stands around the sending, once it has told of its errors; gives what `send` gives. */
  guard?: (changes: Partial<V>, send: () => Promise<boolean>) => Promise<boolean>
  /** Reads the object anew, for everything that shows it. */
  reread: () => Promise<D>
}

/**
 * A form over an object that somebody else may change too. The change names the revision that it began with;
 * when that is no more, `conflict` is set and what was typed stays until the person has decided.
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

  // Somebody else's change shows at once, as long as nothing here would be lost.
  const shown = JSON.stringify([detail.revision, valuesOf(detail)])
  const follow = useEffectEvent((state: string) => {
    if (!form.dirty && !form.busy && state !== JSON.stringify([base.revision, base.values])) begin(detail)
  })
  // oxlint-disable-next-line react/set-state-in-effect -- whether something was typed is known only by then
  useEffect(() => follow(shown), [shown])

  return {
    form,
    base: base.values,
    /** The object was changed by somebody else since the form began. */
    conflict,
    /** Takes over the newer state; what was typed here is laid over it. */
    reload: async () => begin(await reread(), form.values),
    /** Saves what was typed, whatever somebody else has changed. */
    overwrite: () => {
      overwriting.current = true
      // The submission begins within this call, so a later one does not overwrite too.
      form.submit()
      overwriting.current = false
    },
    discard: async () => begin(conflict ? await reread() : detail),
  }
}

export type RevisedForm<V extends object> = ReturnType<typeof useRevisedForm<{ revision: string }, V>>
