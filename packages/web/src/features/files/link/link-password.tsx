import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { PasswordField } from '../../../ui/fields/password-field.tsx'
import { useFocusFirst } from '../../../ui/form/use-focus-first.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import type { Opened } from './link-page.tsx'

/** Asks for the password of a link. */
export function LinkPassword({ token, onOpen }: { token: string; onOpen: (opened: Opened) => void }) {
  const t = useT()
  const form = useForm({
    initial: { password: '' },
    submit: async (body) =>
      onOpen(await call('POST /api/v4/fs/links/{token}/open', { params: { token }, body })),
  })
  useFocusFirst(form.props.ref)
  return (
    <>
      <PageHead title={t('filelink.title')} facts={t('filelink.passwordText')} />
      <Panel>
        <form {...form.props} className="link-password">
          <PasswordField
            {...form.field('password')}
            label={t('filelink.password')}
            autoComplete="off"
            required
          />
          <Button type="submit" variant="primary" busy={form.busy} busyLabel={t('words.opening')}>
            {t('filelink.open')}
          </Button>
        </form>
      </Panel>
    </>
  )
}
