import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../buttons/button.tsx'
import { Note } from './note.tsx'

/** Shown instead of content that failed to load; the rest of the page stays. */
export function LoadFailed({ onRetry, reason }: { onRetry?: () => unknown; reason?: string }) {
  const t = useT()
  return (
    <Note
      tone="danger"
      live
      title={t('load.failed')}
      actions={
        onRetry && (
          <Button size="small" icon={IconRefresh} onPress={onRetry}>
            {t('load.retry')}
          </Button>
        )
      }
    >
      {reason}
    </Note>
  )
}
