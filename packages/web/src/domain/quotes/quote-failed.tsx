import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'

/** Shows that loading a price failed, with a retry button. */
export function QuoteFailed({ text, onRetry }: { text: string; onRetry: () => unknown }) {
  const t = useT()
  return (
    <div className="stack stack-tight" role="status">
      <p className="text-2">{text}</p>
      <div>
        <Button size="small" icon={IconRefresh} onPress={onRetry}>
          {t('load.retry')}
        </Button>
      </div>
    </div>
  )
}
