import type { UserDetail } from '@gatehouse/contract/directory/users'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { Button } from '../../ui/buttons/button.tsx'

/** Opens webmail as a user of the account. The user sees this in their activity. */
export function WebmailButton({ user }: { user: UserDetail }) {
  const t = useT()
  const open = async () => {
    const { redirectUrl } = await call('POST /api/v4/users/{id}/login-as', {
      params: { id: String(user.id) },
    })
    window.location.assign(redirectUrl)
  }
  return (
    <Button icon={IconMail} onPress={open}>
      {t('words.openWebmail')}
    </Button>
  )
}
