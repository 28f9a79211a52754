import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { catalogueQuery } from './catalogue/catalogue-query.ts'

/** Creates a discount; with a code, customers claim it at sign-up. */
export function DiscountDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useT()
  const act = useAct('POST /api/v4/tenants/{id}/discounts', [catalogueQuery(id).queryKey])
  const form = useForm({
    initial: { discount: '', description: '', code: '' },
    prefix: 'discount-',
    submit: async ({ discount, description, code }) => {
      if (!/^\d{1,3}$/.test(discount.trim()) || Number(discount) > 100) {
        form.setErrors({ discount: t('tenants.faultPercent') })
        return
      }
      const body = {
        discount: Number(discount),
        description: description.trim(),
        code: code.trim() || null,
      }
      await act({ params: { id }, body }, onClose)
    },
  })
  return (
    <FormDialog
      title={t('tenants.newDiscountTitle')}
      form={form}
      onClose={onClose}
      preset="save"
      busyLabel={t('words.saving')}
    >
      <TextField
        {...form.field('discount')}
        label={t('tenants.percent')}
        hint={t('tenants.percentHint')}
        inputMode="numeric"
        autoComplete="off"
        required
      />
      <TextField
        {...form.field('description')}
        label={t('words.description')}
        hint={t('tenants.descriptionHint')}
        maxLength={255}
        required
      />
      <TextField
        {...form.field('code')}
        label={t('words.code')}
        hint={t('tenants.codeHint')}
        maxLength={32}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        optional
      />
    </FormDialog>
  )
}
