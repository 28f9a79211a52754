import type { UserDetail } from '@gatehouse/contract/directory/users'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useDeletedAddress } from '../../../domain/deleted-address/use-deleted-address.ts'
import { placePasswordErrors } from '../../../domain/password-input/place-errors.ts'
import { ApiError, call } from '../../../platform/api/api.ts'
import { reportError } from '../../../platform/api/report-error.ts'
import { updateUser } from '../../../platform/session/auth.ts'
import { useLocation } from '../../../router/router-context.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useShowTab } from '../../../ui/page/use-show-tab.ts'
import { toasts } from '../../../ui/toasts/store.ts'
import { rereadUser } from '../user-calls.ts'
import {
  baseOf,
  changedFields,
  mergeValues,
  profileFields,
  type UserValues,
  updateOf,
} from './user-values.ts'

/**
 * All changes to a user, across tabs. A change names the revision it is based on. If that is stale,
 * `conflict` is set and the input is kept until the user has decided.
 */
export function useUserForm(user: UserDetail, { isSelf }: { isSelf: boolean }) {
  const client = useQueryClient()
  const [base, setBase] = useState(() => baseOf(user))
  const [conflict, setConflict] = useState(false)
  const offer = useDeletedAddress()
  const overwriting = useRef(false)
  const showTabOf = useTabOfErrors()

  const begin = (fresh: UserDetail, keep?: UserValues) => {
    const next = baseOf(fresh)
    setBase(next)
    setConflict(false)
    form.reset(next.values)
    if (!keep) return
    const merged = mergeValues(keep, base.values, next.values)
    for (const key of changedFields(merged, next.values)) form.set(key, merged[key])
  }

  const save = async (values: UserValues, revision: string | null) => {
    try {
      const answer = await call('PUT /api/v4/users/{id}', {
        params: { id: String(user.id) },
        body: { ...updateOf(values, base.values), revision },
        ignoreErrors: true,
      })
      toasts.success(answer.message)
      const fresh = await rereadUser(client, user.id)
      if (isSelf) updateUser({ settings: fresh.settings, statusInfo: answer.statusInfo ?? fresh.statusInfo })
      begin(fresh)
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return setConflict(true)
      reportError(error)
      if (error instanceof ApiError && error.errors) await showTabOf(Object.keys(error.errors))
      throw error
    }
  }

  const form = useForm<UserValues>({
    placeErrors: placePasswordErrors,
    initial: base.values,
    submit: async (values) => {
      const revision = overwriting.current ? null : base.revision
      await offer.guarded({ aliases: values.aliases }, () => save(values, revision))
    },
  })

  // Shows another user's change at once if no input would be lost.
  const follow = useEffectEvent((revision: string) => {
    if (!form.dirty && !form.busy && revision !== base.revision) begin(user)
  })
  // oxlint-disable-next-line react/set-state-in-effect -- whether the form is dirty is only known by then
  useEffect(() => follow(user.revision), [user.revision])

  return {
    form,
    base,
    /** Offer to release an alias held by a deleted object. */
    offer,
    /** Someone else has changed the user since editing began. */
    conflict,
    /** Loads the newer state and reapplies the input. */
    reload: async () => begin(await rereadUser(client, user.id), form.values),
    /** Saves the input, ignoring other users' changes. */
    overwrite: () => {
      overwriting.current = true
      // The submission starts within this call, so a later one doesn't overwrite too.
      form.submit()
      overwriting.current = false
    },
    discard: async () => begin(conflict ? await rereadUser(client, user.id) : user),
  }
}

export type UserForm = ReturnType<typeof useUserForm>

const personal: ReadonlySet<string> = new Set(profileFields)

/** Switches to the tab with invalid fields if the current one has none. */
function useTabOfErrors(): (keys: string[]) => Promise<void> {
  const showTab = useShowTab()
  const { tab = 'general' } = useLocation().search
  return async (keys) => {
    // the tabs without this form have forms of their own, and are left by the bar of the page
    if (keys.length === 0 || !['general', 'personal'].includes(tab)) return
    const isPersonal = tab === 'personal'
    if (!keys.some((key) => personal.has(key) === isPersonal))
      await showTab(isPersonal ? undefined : 'personal')
  }
}
