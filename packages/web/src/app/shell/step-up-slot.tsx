import { type ComponentType, createElement, useEffect, useState } from 'react'
import { loadMessages } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { loadChunk } from '../../platform/navigation/chunks.ts'
import { useLoggedIn } from '../../platform/session/auth.ts'
import { type StepUpRequest, stepUpRequest } from '../../platform/session/step-up.ts'
import { useStore } from '../../state/store.ts'
import { whileLoading } from '../../ui/page/page-loader.tsx'

/** The reauthentication dialog, above the current screen. Loaded when first needed. */
export function StepUpSlot() {
  const request = useStore(stepUpRequest)
  const [Dialog, setDialog] = useState<ComponentType<StepUpRequest>>()
  const loggedIn = useLoggedIn()
  useEffect(() => {
    // the session has ended meanwhile, which is reported separately
    if (request && !loggedIn) request.onRefused(endedSession())
  }, [request, loggedIn])
  useEffect(() => {
    if (!request || Dialog) return
    whileLoading(fetchDialog()).then((Loaded) => setDialog(() => Loaded), request.onRefused)
  }, [request, Dialog])
  return request && Dialog ? createElement(Dialog, request) : null
}

function endedSession(): ApiError {
  const error = new ApiError('', { status: 401 })
  error.endedSession = true
  return error
}

async function fetchDialog(): Promise<ComponentType<StepUpRequest>> {
  const [{ StepUpDialog }] = await Promise.all([
    loadChunk(() => import('../../features/step-up/step-up-dialog.tsx')),
    loadChunk(() => loadMessages('proof')),
  ])
  return StepUpDialog
}
