import { fieldsWith, forFields } from '@gatehouse/contract/directory/user-fields'
import { useDeletedAddress } from '../../../domain/deleted-address/use-deleted-address.ts'
import { fullAddress } from '../../../domain/domain-select/full-address.ts'
import { placePasswordErrors } from '../../../domain/password-input/place-errors.ts'
import { call } from '../../../platform/api/api.ts'
import { useActWith } from '../../../platform/api/use-act.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { forgetLists } from '../user-calls.ts'

/** The form for a new user. */
export function useNewUser({ domain, packageId }: { domain: string; packageId: string }) {
  const act = useActWith(forgetLists)
  const navigate = useNavigate()
  const offer = useDeletedAddress()
  const form = useForm({
    initial: {
      ...forFields(fieldsWith('isAskedFirst'), () => ''),
      /** Local part, or a full address. */
      email: '',
      domain,
      aliases: [] as string[],
      password: '',
      password_confirmation: '',
      passwordLinkCode: '',
      package: packageId,
    },
    placeErrors: placePasswordErrors,
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
      const answer = await act(() =>
        offer.guarded({ email: address, aliases: rest.aliases }, () => call('POST /api/v4/users', { body })),
      )
      await navigate({ to: `/user/${answer.id}`, ignoreBlocker: true })
    },
  })
  return { form, offer }
}

export type NewUserForm = ReturnType<typeof useNewUser>['form']
