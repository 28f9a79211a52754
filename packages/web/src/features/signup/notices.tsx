import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Note } from '../../ui/page/note.tsx'
import type { Signup } from './use-signup.ts'

/** Offers from the path, and which of them are unavailable. */
export function Notices({ signup }: { signup: Signup }) {
  const t = useT()
  const { place, plans = [], lostCode, dropOffer } = signup
  const { entry, voucher, referral, invitation } = place
  const unknown = entry.kind === 'plan' && !plans.some(({ title }) => title === entry.title)
  return (
    <div className="signup-notices">
      {unknown && (
        <Note tone="warning" title={t('signup.unknownPlan', { title: entry.title })}>
          {t('signup.unknownPlanText')}
        </Note>
      )}
      {lostCode && (
        <Note tone="warning" title={t('signup.lostCode')}>
          {t('signup.lostCodeText')}
        </Note>
      )}
      {invitation && (
        <Note tone="success" title={t('signup.invitationNoted')}>
          {t('signup.invitationText')}
        </Note>
      )}
      {voucher && (
        <Note
          tone="success"
          title={t('signup.voucherNoted', { voucher })}
          actions={<Drop onPress={() => dropOffer('voucher')} />}
        >
          {t('signup.voucherText')}
        </Note>
      )}
      {referral && (
        <Note
          title={t('signup.referralNoted', { referral })}
          actions={<Drop onPress={() => dropOffer('referral')} />}
        >
          {t('signup.referralText')}
        </Note>
      )}
    </div>
  )
}

function Drop({ onPress }: { onPress: () => void }) {
  const t = useT()
  return (
    <Button size="small" onPress={onPress}>
      {t('words.remove')}
    </Button>
  )
}
