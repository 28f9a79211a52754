import { fieldsWith, forFields } from '@gatehouse/contract/directory/user-fields'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeletedAddress } from '../../../domain/deleted-address/use-deleted-address.ts'
import { fullAddress } from '../../../domain/domain-select/full-address.ts'
import { call } from '../../../platform/api/api.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { toasts } from '../../../ui/toasts/store.ts'
import { forgetLists } from '../user-calls.ts'

/** The form of a user who is still to be made. */
export function useNewUser({ domain, packageId }: { domain: string; packageId: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const offer = useDeletedAddress()
  const form = useForm({
    initial: {
      ...forFields(fieldsWith('isAskedFirst'), () => ''),
      /** In front of the "@", or a whole address. */
      email: '',
      domain,
      aliases: [] as string[],
      password: '',
      password_confirmation: '',
      passwordLinkCode: '',
      package: packageId,
    },
    submit: async ({ email, domain: chosen, password, password_confirmation, passwordLinkCode, ...rest }) => {
      const secret = passwordLinkCode
        ? { passwordLinkCode }
        : { password: password || null, password_confirmation: password_confirmation || null }
      const address = fullAddress(email, chosen)
      const body = {
        ...rest,
        ...forFields(fieldsWith('isAskedFirst'), (name) => rest[name] || null),
        email: address || null,
        ...secret,
      }
      const answer = await offer.guarded({ email: address, aliases: rest.aliases }, () =>
        call('POST /api/v4/users', { body }),
      )
      toasts.success(answer.message)
      forgetLists(client)
      await navigate({ to: `/user/${answer.id}`, ignoreBlocker: true })
    },
  })
  return { form, offer }
}

export type NewUserForm = ReturnType<typeof useNewUser>['form']
