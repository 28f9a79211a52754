import type { PlanMode, SignupPlan } from '@gatehouse/contract/signup'
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import type { MessageKey } from '../../../i18n/areas.ts'
import { price as money, number } from '../../../i18n/format.ts'
import { type Translate, useT } from '../../../i18n/i18n.ts'
import { useInternalLinks } from '../../../platform/navigation/internal-links.ts'
import { Facts } from '../../../ui/facts/facts.tsx'
import { type Glyph, Icon } from '../../../ui/icon.tsx'
import { differences, type PlanFact } from './plan-differences.ts'

const icons: Partial<Record<string, Glyph>> = {
  individual: IconUser,
  group: IconUsers,
  phone: IconDeviceMobile,
}

export function PlanIcon({ plan }: { plan: SignupPlan }) {
  return <Icon of={icons[plan.title] ?? IconUser} size="large" />
}

/**
 * Price of a plan after voucher discount, and when it starts; `pending`: the price belongs to another
 * voucher.
 */
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
          {t('signup.perPeriod', { months })}{' '}
          {t('signup.forUsers', { count: plan.users, more: plan.isDomain ? 'yes' : 'no' })}
        </small>
      </p>
      {freeMonths > 0 && <p className="plan-free">{t('signup.free', { count: freeMonths })}</p>}
    </div>
  )
}

/** Facts that distinguish the plans, in the same order for each. */
export function PlanDifferences({ plan, plans }: { plan: SignupPlan; plans: readonly SignupPlan[] }) {
  const t = useT()
  const facts = differences(plans).map((key) => ({
    label: t(factLabels[key]),
    value: planFact(t, plan, key),
  }))
  return facts.length === 0 ? null : <Facts facts={facts} />
}

const factLabels: Readonly<Record<PlanFact, MessageKey>> = {
  users: 'words.users',
  address: 'signup.factAddress',
  proof: 'signup.factProof',
  includes: 'signup.factIncludes',
}

function planFact(t: Translate, plan: SignupPlan, key: PlanFact): string {
  switch (key) {
    case 'users':
      return plan.isDomain ? t('signup.usersAny', { count: plan.users }) : number(plan.users)
    case 'address':
      return t(plan.isDomain ? 'signup.addressOwn' : 'signup.addressOurs')
    case 'proof':
      return t(proofs[plan.mode])
    case 'includes':
      return plan.includes
        .map(({ name, quantity, unit }) => {
          if (unit) return `${name} ${number(quantity)}\u00a0${unit}`
          return quantity > 1 ? `${number(quantity)} × ${name}` : name
        })
        .join(', ')
  }
}

const proofs = {
  email: 'signup.proofEmail',
  token: 'signup.proofToken',
  mandate: 'signup.proofCard',
} as const satisfies Record<PlanMode, MessageKey>

/** Description of a plan from the catalogue. */
export function PlanText({ html }: { html: string }) {
  const onClick = useInternalLinks()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only handles clicks on the links inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: pressing Enter on a link fires a click
    <div
      className="plan-text"
      onClick={onClick}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
