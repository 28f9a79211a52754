import { useT } from '../../../i18n/i18n.ts'
import { useAct } from '../../../platform/api/use-act.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { publicDomainsQuery } from './public-domains-query.ts'

/** Adds a public domain for sign-ups, to be verified in DNS afterwards. */
export function NewDomainDialog({ tenant, onClose }: { tenant: number; onClose: () => void }) {
  const t = useT()
  const act = useAct('POST /api/v4/tenants/{id}/public-domains', [publicDomainsQuery(tenant).queryKey])
  const form = useForm({
    initial: { domain: '' },
    prefix: 'public-',
    submit: async ({ domain }) => {
      await act(
        {
          params: { id: String(tenant) },
          body: { domain: domain.trim() },
        },
        onClose,
      )
    },
  })
  return (
    <FormDialog
      title={t('offer.addDomainTitle')}
      form={form}
      onClose={onClose}
      preset="submit"
      submitLabel={t('words.addDomain')}
      busyLabel={t('cockpit.working')}
    >
      <TextField
        {...form.field('domain')}
        label={t('words.domain')}
        hint={t('offer.domainHint')}
        placeholder="example.com"
        maxLength={191}
        exact
        required
      />
    </FormDialog>
  )
}
