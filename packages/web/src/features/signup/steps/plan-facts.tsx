import type { SignupPlan } from '@gatehouse/contract/signup'
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { price as money } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useInternalLinks } from '../../../platform/navigation/internal-links.ts'
import { type Glyph, Icon } from '../../../ui/icon.tsx'

const icons: Partial<Record<string, Glyph>> = {
  individual: IconUser,
  group: IconUsers,
  phone: IconDeviceMobile,
}

export function PlanIcon({ plan }: { plan: SignupPlan }) {
  return <Icon of={icons[plan.title] ?? IconUser} size="large" />
}

/** What a plan costs, less what a voucher takes off, and from when; `pending`: the price is that of another voucher. */
export function PlanPrice({ plan, pending }: { plan: SignupPlan; pending: boolean }) {
  const t = useT()
  const { cost, price, currency, months, freeMonths } = plan
  return (
    <div>
      <p className="plan-price" data-pending={pending || undefined}>
        {money(price, currency)}{' '}
        <small>
          {price !== cost && (
            <>
              <span className="visually-hidden">{t('signup.insteadOf')} </span>
              <s>{money(cost, currency)}</s>{' '}
            </>
          )}
          {t('signup.perPeriod', { months })}
        </small>
      </p>
      {freeMonths > 0 && <p className="plan-free">{t('signup.free', { count: freeMonths })}</p>}
    </div>
  )
}

/** What a plan holds, as the catalogue tells it. */
export function PlanText({ html }: { html: string }) {
  const onClick = useInternalLinks()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to the links inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key on a link arrives as a click
    <div
      className="plan-text"
      onClick={onClick}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has taken out what could run
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
