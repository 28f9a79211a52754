import { PersonField } from '../../../domain/suggest/person-field.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { useAct } from '../../../platform/api/use-act.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'

export interface OfferDialogProps {
  /** Number of the account's wallet. */
  id: string
  /** The offer: additional ownership, or the account itself. */
  act: 'invite' | 'handOver'
  onClose: () => void
}

/** Invites someone to become an additional owner of an account, or starts a change of owner. */
export function OfferDialog({ id, act, onClose }: OfferDialogProps) {
  const t = useT()
  const route = act === 'invite' ? 'POST /api/v4/wallets/{id}/controllers' : 'POST /api/v4/wallets/{id}/owner'
  const offer = useAct(route, ['GET /api/v4/wallets/{id}/controllers'])
  const texts = act === 'invite' ? invite : handOver
  const form = useForm({
    initial: { email: '' },
    prefix: 'owner-',
    submit: async ({ email }) => {
      await offer({ params: { id }, body: { email: email.trim() } }, onClose)
    },
  })
  return (
    <FormDialog
      title={t(texts.title)}
      form={form}
      onClose={onClose}
      preset="submit"
      submitLabel={t(texts.act)}
      busyLabel={t('words.sending')}
    >
      <ul className="dialog-effects">
        {texts.effects.map((effect) => (
          <li key={effect}>{t(effect)}</li>
        ))}
      </ul>
      <PersonField {...form.field('email')} label={t('words.emailAddress')} hint={t(texts.hint)} />
      {/* Enter in a field saves, as the button in the foot does */}
      <button type="submit" hidden />
    </FormDialog>
  )
}

const invite = {
  title: 'owners.inviteTitle',
  act: 'owners.inviteDo',
  hint: 'owners.addressHint',
  effects: ['owners.inviteEffect', 'owners.inviteLimits', 'owners.inviteConsent'],
} as const

const handOver = {
  title: 'owners.handOverTitle',
  act: 'owners.handOverDo',
  hint: 'owners.heirHint',
  effects: ['owners.handOverEffect', 'owners.handOverStay', 'owners.handOverConsent'],
} as const
