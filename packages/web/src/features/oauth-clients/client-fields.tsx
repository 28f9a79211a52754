import type { OAuthClient } from '@gatehouse/contract/sessions/oauth'
import { useT } from '../../i18n/i18n.ts'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { ListInput } from '../../ui/fields/list-input.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import { grantWords, scopeWords } from './client-calls.ts'

type Scope = OAuthClient['scopes'][number]
type Grant = OAuthClient['grants'][number]

/** The values of an application's form. */
export interface ClientValues {
  name: string
  redirect_uris: string[]
  post_logout_redirect_uris: string[]
  scopes: readonly Scope[]
  grants: readonly Grant[]
  require_pkce: boolean
}

interface ClientFieldsProps {
  form: Form<ClientValues>
  /** Public clients must use PKCE. */
  confidential: boolean
}

export function ClientFields({ form, confidential }: ClientFieldsProps) {
  const t = useT()
  return (
    <>
      <FormSection title={t('words.general')} hint={t('clients.generalHint')}>
        <TextField {...form.field('name')} label={t('words.name')} maxLength={100} required />
      </FormSection>
      <FormSection title={t('words.addresses')} hint={t('clients.addressesHint')}>
        <ListInput
          {...form.list('redirect_uris')}
          label={t('clients.redirect')}
          hint={t('clients.redirectHint')}
        />
        <ListInput {...form.list('post_logout_redirect_uris')} label={t('clients.afterLogout')} />
      </FormSection>
      <FormSection title={t('clients.scopes')} hint={t('clients.scopesHint')}>
        <Switches form={form} name="scopes" words={scopeWords} />
      </FormSection>
      <FormSection title={t('clients.grants')} hint={t('clients.grantsHint')}>
        <Switches form={form} name="grants" words={grantWords} />
      </FormSection>
      {confidential && (
        <FormSection title={t('clients.pkce')} hint={t('clients.pkceHint')}>
          <Checkbox
            {...form.check('require_pkce')}
            label={t('clients.requirePkce')}
            hint={t('clients.requirePkceHint')}
          />
        </FormSection>
      )}
    </>
  )
}

interface SwitchesProps<K extends 'scopes' | 'grants'> {
  form: Form<ClientValues>
  name: K
  words: readonly (readonly [ClientValues[K][number], Parameters<ReturnType<typeof useT>>[0]])[]
}

/** A checkbox for each member of a set. */
function Switches<K extends 'scopes' | 'grants'>({ form, name, words }: SwitchesProps<K>) {
  const t = useT()
  const chosen: readonly string[] = form.values[name]
  const change = (member: string, isOn: boolean) => {
    const next = words.map(([one]) => one).filter((one) => (one === member ? isOn : chosen.includes(one)))
    // The strings are members of the set.
    form.set(name, next as unknown as ClientValues[K])
  }
  return (
    <fieldset className="clients-switches">
      <legend className="visually-hidden">
        {t(name === 'scopes' ? 'clients.scopes' : 'clients.grants')}
      </legend>
      {words.map(([member, label]) => (
        <Checkbox
          key={member}
          id={`client-${member}`}
          label={
            <>
              {t(label)} <code className="text-3">{member}</code>
            </>
          }
          checked={chosen.includes(member)}
          onChecked={(isOn) => change(member, isOn)}
        />
      ))}
    </fieldset>
  )
}
