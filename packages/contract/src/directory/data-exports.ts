import { z } from 'zod'
import { successEnvelope, wireDate } from '../envelope.ts'
import { defineRoutes } from '../route.ts'

/** What an export contains: the caller's own data, or everything in the account that the caller owns. */
export const exportKinds = ['person', 'account'] as const

export type ExportKind = (typeof exportKinds)[number]

/** `expired`: the archive was deleted at the end of its period. */
export const exportStates = ['waiting', 'running', 'ready', 'failed', 'expired'] as const

export const dataExport = z.object({
  id: z.uuid(),
  kind: z.enum(exportKinds),
  state: z.enum(exportStates),
  created_at: wireDate,
  /** Records and files written so far, or in total. */
  objects: z.number().int(),
  /** Number of records and files when the export began; null before that. */
  total: z.number().int().nullable(),
  /** The moment that the data of the portal show; null before the export began. */
  takenAt: wireDate.nullable(),
  /** Size of the archive in bytes; null until it is ready. */
  size: z.number().int().nullable(),
  /** When the archive is deleted; null until it is ready. */
  expiresAt: wireDate.nullable(),
})

export type DataExport = z.infer<typeof dataExport>

/** A public key as a JSON Web Key (RFC 8037). */
export const exportKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
})

export type ExportKey = z.infer<typeof exportKey>

const own = { tag: 'Exports', auth: 'token', hosts: ['user'], openTo: [] } as const
const params = z.object({ id: z.string().max(64) })

export const dataExportRoutes = defineRoutes({
  'GET /api/v4/exports': {
    ...own,
    summary: "List the caller's exports, newest first",
    ok: z.object({
      list: z.array(dataExport),
      count: z.number().int(),
      /** What the caller may export. */
      kinds: z.array(z.enum(exportKinds)),
      /** Days for which an archive can be downloaded. */
      days: z.number().int(),
    }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/exports': {
    ...own,
    stepUp: true,
    summary: 'Request an export; a mail tells when it is ready',
    body: z.object({ kind: z.enum(exportKinds) }),
    ok: successEnvelope.extend({ id: z.uuid() }),
    errors: [401, 403, 404, 409, 422],
  },
  /** The URL supports ranges, so that an interrupted download can be continued. A new URL ends the previous one. */
  'POST /api/v4/exports/{id}/download': {
    ...own,
    stepUp: true,
    summary: 'Create a URL that downloads an archive',
    params,
    ok: successEnvelope.extend({ downloadUrl: z.string(), expiresAt: wireDate }),
    errors: [401, 403, 404, 409],
  },
  'DELETE /api/v4/exports/{id}': {
    ...own,
    summary: 'Delete an export and its archive, or cancel it',
    params,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'GET /api/v4/exports/downloads/{token}': {
    tag: 'Exports',
    auth: 'public',
    hosts: ['user'],
    summary: 'Get the archive behind a download URL',
    content: true,
    params: z.object({ token: z.string().max(128) }),
    ok: z.null(),
    errors: [404, 416],
  },
  'GET /api/v4/exports/keys': {
    tag: 'Exports',
    auth: 'public',
    summary: 'Get the public keys that verify exports, as a JSON Web Key Set',
    ok: z.object({ keys: z.array(exportKey) }),
    errors: [],
  },
})
