import type { ComponentType } from 'react'
import { loadMessages } from '../../i18n/i18n.ts'
import { whileLoading } from '../../ui/page/page-loader.tsx'
import { createStore, useStore } from '../../ui/store.ts'
import { reportError } from '../api/report-error.ts'
import { canContactSupport, config } from '../config.ts'
import { loadChunk } from '../routes/chunks.ts'

/** Wherever a link leads here, the dialog opens. */
export const supportPath = '/support/contact'

interface SupportDialogProps {
  open: boolean
  onClose: () => void
}

interface Support {
  open: boolean
  Dialog?: ComponentType<SupportDialogProps>
}

const support = createStore<Support>({ open: false })

/** Opens the form by which anybody can write to support; where there is none, the mail program. */
export function openSupport(): void {
  if (!canContactSupport()) {
    const address = config['app.support_email']
    if (address) window.location.assign(`mailto:${address}`)
    return
  }
  void whileLoading(fetchDialog()).then(
    (Dialog) => support.set({ open: true, Dialog }),
    (failure: unknown) => reportError(failure),
  )
}

async function fetchDialog(): Promise<ComponentType<SupportDialogProps>> {
  const { Dialog } = support.get()
  if (Dialog) return Dialog
  const [module] = await Promise.all([
    loadChunk(() => import('../../features/support/support-dialog.tsx')),
    loadChunk(() => loadMessages('support')),
  ])
  return module.SupportDialog
}

/** Keeps the dialog once it was opened: what was typed survives closing it. */
export function SupportSlot() {
  const { open, Dialog } = useStore(support)
  return Dialog ? <Dialog open={open} onClose={() => support.set({ open: false, Dialog })} /> : null
}
