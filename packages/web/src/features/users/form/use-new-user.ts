import { useNavigate } from '@tanstack/react-router'
import { useDeletedAddress } from '../../../domain/deleted-address/use-deleted-address.ts'
import { fullAddress } from '../../../domain/domain-select/full-address.ts'
import { call } from '../../../platform/api/api.ts'
import { useActWith } from '../../../platform/api/use-act.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { forgetLists } from '../user-calls.ts'

/** The form of a user who is still to be made. */
export function useNewUser({ domain, packageId }: { domain: string; packageId: string }) {
  const act = useActWith(forgetLists)
  const navigate = useNavigate()
  const offer = useDeletedAddress()
  const form = useForm({
    initial: {
      first_name: '',
      last_name: '',
      organization: '',
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
      const { first_name, last_name, organization, aliases, package: chosenPackage } = rest
      const address = fullAddress(email, chosen)
      const body = {
        first_name: first_name || null,
        last_name: last_name || null,
        organization: organization || null,
        email: address || null,
        aliases,
        package: chosenPackage,
        ...secret,
      }
      const answer = await act(() =>
        offer.guarded({ email: address, aliases }, () => call('POST /api/v4/users', { body })),
      )
      await navigate({ to: `/user/${answer.id}`, ignoreBlocker: true })
    },
  })
  return { form, offer }
}

export type NewUserForm = ReturnType<typeof useNewUser>['form']
