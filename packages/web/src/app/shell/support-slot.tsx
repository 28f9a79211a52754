import { type ComponentType, createElement } from 'react'
import { loadMessages } from '../../i18n/i18n.ts'
import { reportError } from '../../platform/api/report-error.ts'
import { loadChunk } from '../../platform/navigation/chunks.ts'
import { setSupportForm } from '../../platform/navigation/support.ts'
import { createStore, useStore } from '../../state/store.ts'
import { whileLoading } from '../../ui/page/page-loader.tsx'

interface SupportDialogProps {
  open: boolean
  onClose: () => void
}

interface Support {
  open: boolean
  Dialog?: ComponentType<SupportDialogProps>
}

const support = createStore<Support>({ open: false })

setSupportForm(() => {
  void whileLoading(fetchDialog()).then(
    (Dialog) => support.set({ open: true, Dialog }),
    (failure: unknown) => reportError(failure),
  )
})

async function fetchDialog(): Promise<ComponentType<SupportDialogProps>> {
  const { Dialog } = support.get()
  if (Dialog) return Dialog
  const [{ SupportDialog }, { QueryScope }] = await Promise.all([
    loadChunk(() => import('../../features/support/support-dialog.tsx')),
    loadChunk(() => import('../../platform/api/query.tsx')),
    loadChunk(() => loadMessages('support')),
  ])
  return (props) => createElement(QueryScope, null, createElement(SupportDialog, props))
}

/** Keeps the dialog mounted once opened, so that input survives closing it. */
export function SupportSlot() {
  const { open, Dialog } = useStore(support)
  return Dialog ? <Dialog open={open} onClose={() => support.set({ open: false, Dialog })} /> : null
}
