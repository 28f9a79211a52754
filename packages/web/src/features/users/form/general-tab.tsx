import { displayAddress, displayDomain } from '@gatehouse/contract/canonical-address'
import type { UserDetail } from '@gatehouse/contract/directory/users'
import { pricingOf } from '../../../domain/subscriptions/discount.tsx'
import { PricePanel } from '../../../domain/subscriptions/price-panel.tsx'
import { completeUnits } from '../../../domain/subscriptions/rules.ts'
import { SubscriptionSelect } from '../../../domain/subscriptions/subscription-select.tsx'
import { useObjectPrice } from '../../../domain/subscriptions/use-price-preview.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { ListInput } from '../../../ui/fields/list-input.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'
import { Glance } from '../glance.tsx'
import { EditFrame } from './edit-frame.tsx'
import { PasswordSection } from './password-section.tsx'
import type { UserForm } from './use-user-form.ts'

export interface GeneralTabProps {
  user: UserDetail
  isSelf: boolean
  edit: UserForm
}

/** Addresses, password and subscriptions of a user. */
export function GeneralTab({ user, isSelf, edit }: GeneralTabProps) {
  const t = useT()
  const skus = useApi(
    'GET /api/v4/users/{id}/skus',
    { params: { id: String(user.id) } },
    { enabled: user.canEditSubscriptions },
  )
  const wanted = skus.data && completeUnits(skus.data, edit.form.values.skus)
  const price = useObjectPrice(
    wanted && { type: 'user', action: 'change', id: user.id, skus: { ...wanted } },
    user.revision,
  )
  return (
    <div className="columns">
      <EditFrame edit={edit} label={t('words.general')} waiting={wanted && price.pending}>
        <Addresses user={user} edit={edit} />
        {user.canChangeAccess && <PasswordSection user={user} isSelf={isSelf} form={edit.form} />}
        {user.canEditSubscriptions && (
          <FormSection title={t('words.subscriptions')} hint={t('users.subscriptionsHint')}>
            {skus.data && (
              <SubscriptionSelect
                id="skus"
                name="skus"
                label={t('words.subscriptions')}
                skus={skus.data}
                held={user.skus}
                value={edit.form.values.skus}
                onValue={(units) => edit.form.set('skus', units)}
                pricing={pricingOf(user.wallet)}
                price={price}
                error={edit.form.errors.skus}
              />
            )}
            {!skus.data &&
              (skus.isError ? <LoadFailed onRetry={skus.refetch} /> : <SkeletonRows count={5} />)}
          </FormSection>
        )}
      </EditFrame>
      <aside className="stack" aria-label={t('words.atAGlance')}>
        {user.canEditSubscriptions && !(skus.isError && !skus.data) && (
          <PricePanel state={price} skus={skus.data} />
        )}
        <Glance user={user} />
      </aside>
    </div>
  )
}

function Addresses({ user, edit: { form } }: Pick<GeneralTabProps, 'user' | 'edit'>) {
  const t = useT()
  return (
    <FormSection title={t('words.addresses')} hint={t('users.addressesHint')}>
      <TextField
        id="email"
        name="email"
        label={t('users.primaryEmail')}
        value={displayAddress(user.email)}
        onValue={() => {}}
        disabled
      />
      {user.canEditAliases ? (
        <ListInput
          {...form.list('aliases')}
          label={t('words.aliases')}
          placeholder={t('words.aliasExample', { domain: displayDomain(user.email.split('@')[1] ?? '') })}
        />
      ) : (
        <Aliases aliases={user.aliases} />
      )}
    </FormSection>
  )
}

function Aliases({ aliases }: { aliases: readonly string[] }) {
  const t = useT()
  if (aliases.length === 0) return null
  return (
    <div className="field">
      <h3 className="small">{t('words.aliases')}</h3>
      <ul className="users-aliases">
        {aliases.map((alias) => (
          <li key={alias}>{displayAddress(alias)}</li>
        ))}
      </ul>
      <p className="field-hint">{t('users.aliasesByOwner')}</p>
    </div>
  )
}
