import { type ComponentType, createElement, useEffect, useState } from 'react'
import { loadMessages } from '../../i18n/i18n.ts'
import { whileLoading } from '../../ui/page-loader.tsx'
import { useStore } from '../../ui/store.ts'
import { loadChunk } from '../chunks.ts'
import { type StepUpRequest, stepUpRequest } from '../step-up.ts'

/** The dialog in which somebody proves who it is, over whatever is on the screen. It comes when it is asked for first. */
export function StepUpSlot() {
  const request = useStore(stepUpRequest)
  const [Dialog, setDialog] = useState<ComponentType<StepUpRequest>>()
  useEffect(() => {
    if (!request || Dialog) return
    whileLoading(fetchDialog()).then((Loaded) => setDialog(() => Loaded), request.onRefused)
  }, [request, Dialog])
  return request && Dialog ? createElement(Dialog, request) : null
}

async function fetchDialog(): Promise<ComponentType<StepUpRequest>> {
  const [{ StepUpDialog }] = await Promise.all([
    loadChunk(() => import('../../features/step-up/step-up-dialog.tsx')),
    loadChunk(() => loadMessages('proof')),
  ])
  return StepUpDialog
}
