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
 * Everything that can be changed of a user, over all tabs. The change names the state that it began with; when
 * that is no more, `conflict` is set and what was typed stays until the person has decided.
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

  // Somebody else's change shows at once, as long as nothing here would be lost.
  const follow = useEffectEvent((revision: string) => {
    if (!form.dirty && !form.busy && revision !== base.revision) begin(user)
  })
  // oxlint-disable-next-line react/set-state-in-effect -- whether something was typed is known only by then
  useEffect(() => follow(user.revision), [user.revision])

  return {
    form,
    base,
    /** What to do about an alias that something deleted has. */
    offer,
    /** The user was changed by somebody else since the form began. */
    conflict,
    /** Takes over the newer state; what was typed here is laid over it. */
    reload: async () => begin(await rereadUser(client, user.id), form.values),
    /** Saves what was typed, whatever somebody else has changed. */
    overwrite: () => {
      overwriting.current = true
      // The submission begins within this call, so a later one does not overwrite too.
      form.submit()
      overwriting.current = false
    },
    discard: async () => begin(conflict ? await rereadUser(client, user.id) : user),
  }
}

export type UserForm = ReturnType<typeof useUserForm>

const personal: ReadonlySet<string> = new Set(profileFields)

/** Changes to the tab that has the wrong fields, where the current one has none of them. */
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
