import type { UserConfig, UserDetail } from '@gatehouse/contract/directory/users'
import type { UserConfigInput } from '@gatehouse/contract/policies'
import { useQueryClient } from '@tanstack/react-query'
import { useT } from '../../../i18n/i18n.ts'
import { apiQuery, useApi } from '../../../platform/api/query.tsx'
import { useAct } from '../../../platform/api/use-act.ts'
import { hasPermission } from '../../../platform/session/auth.ts'
import { usePanelForm } from '../../../ui/form/save-panel.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { type Form, useForm } from '../../../ui/form/use-form.ts'
import { userQuery } from '../user-calls.ts'
import { type MailChoices, mailChoices, mailInput, mailSwitches } from './configuration.ts'
import { MailDelivery } from './mail-delivery.tsx'
import { MainOptions, type MainValues } from './main-options.tsx'
import './settings.css'

/** Sign-in and mail of one user: two forms that the bar of the page saves. */
export function ConfigurationForms({ user }: { user: UserDetail }) {
  const t = useT()
  const params = { id: String(user.id) }
  const effective = useApi('GET /api/v4/users/{id}/effective', { params })
  const save = useSaveConfig(user)
  const shown = mailSwitches.filter(({ key }) => key === 'greylist_enabled' || hasPermission('mailfilter'))

  const main: Form<MainValues> = useForm<MainValues>({
    initial: mainValues(user.config),
    prefix: 'settings-',
    submit: async (values) => main.reset(mainValues(await save(changedOptions(values, user.config)))),
  })
  const mail: Form<MailChoices> = useForm<MailChoices>({
    initial: mailChoices(user.config),
    prefix: 'settings-',
    submit: async (values) => mail.reset(mailChoices(await save(mailInput(values, shown)))),
  })

  usePanelForm(main, t('usersettings.main'), 'settings')
  usePanelForm(mail, t('words.mailDelivery'), 'settings')
  return (
    <div className="stack settings-sections">
      {hasPermission('beta') && <MainOptions form={main} effective={effective.data} />}
      <MailDelivery form={mail} config={user.config} shown={shown} effective={effective.data} />
      <UnsavedGuard form={{ dirty: main.dirty || mail.dirty, busy: main.busy || mail.busy }} />
    </div>
  )
}

function mainValues({ guam_enabled, limit_geo }: UserConfig): MainValues {
  return { guam_enabled, limit_geo }
}

/** Returns the changed options: the geo-lock requires reauthentication, the other doesn't. */
function changedOptions({ guam_enabled, limit_geo }: MainValues, before: UserConfig): UserConfigInput {
  const isSameGeo = limit_geo.join() === before.limit_geo.join()
  return {
    ...(guam_enabled !== before.guam_enabled && { guam_enabled }),
    ...(!isSameGeo && { limit_geo }),
  }
}

/** Saves a part of the configuration; the result is shown wherever the user appears. */
function useSaveConfig(user: UserDetail): (body: UserConfigInput) => Promise<UserConfig> {
  const client = useQueryClient()
  const save = useAct('POST /api/v4/users/{id}/config')
  return async (body) => {
    const params = { id: String(user.id) }
    const { config, effective } = await save({ params, body })
    client.setQueryData(apiQuery('GET /api/v4/users/{id}/effective', { params }).queryKey, effective)
    client.setQueryData(userQuery(user.id).queryKey, (known) => known && { ...known, config })
    return config
  }
}
