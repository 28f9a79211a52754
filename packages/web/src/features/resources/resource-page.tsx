import type { ResourceDetail } from '@gatehouse/contract/directory/resources'
import type { FieldLabels } from '../../domain/directory/labels.ts'
import { ObjectPage } from '../../domain/directory/object-page.tsx'
import { ObjectScreen } from '../../domain/directory/object-screen.tsx'
import { sentText, useObjectForm } from '../../domain/directory/use-object-forms.ts'
import { useT } from '../../i18n/i18n.ts'
import { usePanelForm } from '../../ui/form/save-panel.tsx'
import { policyLabels, readPolicy } from './invitation-policy.ts'
import { NewResource } from './new-resource.tsx'
import { SettingsTab, usePolicyForm } from './settings-tab.tsx'

/** Labels of a resource's fields, in form order. */
const labels: FieldLabels = {
  name: 'words.name',
  email: 'words.address',
  invitation_policy: 'words.invitations',
}

/** Page of a resource, or of a new one. */
export function ResourcePage() {
  return (
    <ObjectPage
      kind="resource"
      form={(domains) => <NewResource domains={domains} />}
      screen={(resource) => <ResourceScreen resource={resource} />}
    />
  )
}

/** A resource: name, invitation policy, activity. */
function ResourceScreen({ resource }: { resource: ResourceDetail }) {
  const t = useT()
  const settings = usePolicyForm(resource)
  usePanelForm(settings, t('words.invitations'), 'settings')
  const edit = useObjectForm('resource', resource, {
    valuesOf: ({ name }) => ({ name }),
    bodyOf: ({ name }) => ({ name: sentText(name) }),
  })
  const { policy } = readPolicy(resource.config.invitation_policy)
  return (
    <ObjectScreen
      kind="resource"
      object={resource}
      edit={edit}
      name={edit.form.field('name')}
      labels={labels}
      glance={[{ label: t('words.invitations'), value: t(policyLabels[policy]) }]}
      loss={t('resources.deleteGoes')}
      settings={{ form: settings, tab: () => <SettingsTab form={settings} /> }}
    />
  )
}
