import { type DirectoryKind, kinds, type PathOf } from '@gatehouse/contract/directory/kinds'
import type { Routes } from '@gatehouse/contract/routes'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { call } from '../../platform/api/api.ts'
import { reportDone } from '../../platform/api/undo.ts'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { useRevisedForm } from '../revised-form/use-revised-form.ts'
import { type Detail, forgetKind, type ObjectKind, objectQuery, paramsOf, pathOf } from './kind-calls.ts'

/** Kinds whose form sends its revision. */
type RevisedKind = DirectoryKind | 'room'

type Update<K extends RevisedKind> = Routes[`PUT /api/v4/${PathOf<K>}/{id}`]['body']
type ConfigInput<K extends ObjectKind> = Routes[`POST /api/v4/${PathOf<K>}/{id}/config`]['body']

interface ObjectFormOptions<K extends RevisedKind, V extends object> {
  /** Returns the form values of an object. */
  valuesOf: (detail: Detail<K>) => V
  /** Returns the request body for changed values. */
  bodyOf: (changes: Partial<V>) => Omit<Update<K>, 'revision'>
  /** Returns changed settings, which use a separate call; undefined if none. */
  configOf?: (changes: Partial<V>) => ConfigInput<K> | undefined
  /** The settings as they are, to which a change of nothing else can be taken back. */
  configNow?: ConfigInput<K>
  /** Wraps the submission; see `useRevisedForm`. */
  guard?: (changes: Partial<V>, send: () => Promise<boolean>) => Promise<boolean>
}

/** The form of an object's General tab. */
export function useObjectForm<K extends RevisedKind, V extends object>(
  kind: K,
  detail: Detail<K>,
  { bodyOf, configOf, configNow, ...options }: ObjectFormOptions<K, V>,
) {
  const client = useQueryClient()
  const path: PathOf<RevisedKind> = kinds[kind].path
  const configBefore: ConfigInput<RevisedKind> | undefined = configNow
  const reread = async () => {
    const fresh = await client.fetchQuery({ ...objectQuery(kind, detail.id), staleTime: 0 })
    forgetKind(client, kind)
    return fresh
  }
  return useRevisedForm<Detail<K>, V>({
    ...options,
    detail,
    save: async (changes, revision) => {
      const request = { params: paramsOf(detail.id), ignoreErrors: true }
      const config: ConfigInput<RevisedKind> | undefined = configOf?.(changes)
      const update = bodyOf(changes)
      // save settings first: they aren't part of the revision, and if they are rejected, nothing is saved
      const configured =
        config && (await call(`POST /api/v4/${path}/{id}/config`, { ...request, body: config }))
      const isUpdated = Object.values(update).some((value) => value !== undefined)
      if (configured && !isUpdated) {
        const { params } = request
        const undo = () => call(`POST /api/v4/${path}/{id}/config`, { params, body: configBefore })
        return reportDone(configured.message, configBefore && undo, reread)
      }
      const { message } = await call(`PUT /api/v4/${path}/{id}`, {
        ...request,
        body: { ...update, revision },
      })
      toasts.success(message)
    },
    reread,
  })
}

interface ConfigFormOptions<K extends ObjectKind, S extends object> {
  /** Returns the form values of the settings. */
  valuesOf: (config: Detail<K>['config']) => S
  bodyOf: (values: S) => ConfigInput<K>
}

/** The form of an object's Settings tab. */
export function useConfigForm<K extends ObjectKind, S extends object>(
  kind: K,
  { id, config }: Pick<Detail<K>, 'id' | 'config'>,
  { valuesOf, bodyOf }: ConfigFormOptions<K, S>,
): Form<S> {
  const client = useQueryClient()
  const path: PathOf<ObjectKind> = pathOf(kind)
  const values = valuesOf(config)
  const reread = async () => {
    const fresh = await client.fetchQuery({ ...objectQuery(kind, id), staleTime: 0 })
    forgetKind(client, kind)
    return fresh
  }
  const send = (wanted: S) => {
    const body: ConfigInput<ObjectKind> = bodyOf(wanted)
    return call(`POST /api/v4/${path}/{id}/config`, { params: paramsOf(id), body })
  }
  const form: Form<S> = useForm<S>({
    initial: values,
    submit: async (wanted) => {
      const { message } = await send(wanted)
      reportDone(message, () => send(values), reread)
      form.reset(valuesOf((await reread()).config))
    },
  })

  // What was changed elsewhere, or taken back, shows at once, as long as nothing here would be lost.
  const shown = JSON.stringify(values)
  const known = useRef(shown)
  const follow = useEffectEvent((state: string) => {
    if (state === known.current) return
    known.current = state
    if (!form.dirty && !form.busy) form.reset(values)
  })
  // oxlint-disable-next-line react/set-state-in-effect -- whether something was typed is known only by then
  useEffect(() => follow(shown), [shown])
  return form
}

/** Returns changed text for sending: trimmed, null if empty; undefined if unchanged. */
export function sentText(text: string | undefined): string | null | undefined {
  return text === undefined ? undefined : text.trim() || null
}
