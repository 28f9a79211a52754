import { z } from 'zod'
import { objectIdParams } from '../directory/users.ts'
import { successEnvelope, wireDate } from '../envelope.ts'
import { defineRoutes } from '../route.ts'
import {
  folderUses,
  importLimits,
  importProblems,
  importSecurities,
  importStates,
  skipReasons,
} from './import-terms.ts'

/** Old mail that is copied from another server by IMAP into the mailbox of a user. */

/** Control characters would end a command, and the database can't store unpaired surrogates. */
const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u)

const server = {
  host: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(/^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9])?|[0-9a-f:.]+)$/),
  port: z.number().int().min(1).max(65_535),
  security: z.enum(importSecurities),
  login: line(320),
}

const password = line(1000)

const size = z.number().int().nonnegative()

const previewFolder = z.object({
  /** The name as the server spells it, one character per byte. */
  name: z.string(),
  /** The readable name. */
  path: z.string(),
  use: z.enum(folderUses).nullable(),
  /** Null: the server didn't say. */
  messages: size.nullable(),
  bytes: size.nullable(),
  /** Proposed folder of the mailbox, separated by `/`. */
  target: z.string(),
  isIncluded: z.boolean(),
})

export type PreviewFolder = z.output<typeof previewFolder>

export const importPreview = z.object({
  folders: z.array(previewFolder),
  /** Bytes of the mailbox; null: unlimited. */
  quota: z.object({ used: size, limit: size.nullable() }),
  /** Maximum bytes of a message. Larger ones are skipped. */
  mostBytes: size,
})

export type ImportPreview = z.output<typeof importPreview>

export const mailImport = z.object({
  id: z.uuid(),
  host: z.string(),
  port: z.number().int(),
  security: z.enum(importSecurities),
  login: z.string(),
  state: z.enum(importStates),
  /** Why it failed, or why it waits; null if there is no problem. */
  problem: z.enum(importProblems).nullable(),
  /** The words of the server about the problem. */
  answer: z.string().nullable(),
  created_at: wireDate,
  ended_at: wireDate.nullable(),
  messages: size,
  /** Messages that were copied, were in the mailbox already, or were skipped. */
  processed: size,
  copied: size,
  existing: size,
  skipped: size,
  copiedBytes: size,
  /** Bytes per second at the moment; null unless it runs. */
  rate: size.nullable(),
  /** The folder that is being copied, readable. */
  folder: z.string().nullable(),
})

export type MailImport = z.output<typeof mailImport>

const importFolder = z.object({
  path: z.string(),
  target: z.string(),
  messages: size,
  copied: size,
  existing: size,
  skipped: size,
  isDone: z.boolean(),
})

const skip = z.object({
  path: z.string(),
  /** Null: the whole folder. */
  uid: size.nullable(),
  bytes: size.nullable(),
  reason: z.enum(skipReasons),
  answer: z.string().nullable(),
})

export const importReport = mailImport.extend({
  folders: z.array(importFolder),
  /** The first of the skipped messages. */
  skips: z.array(skip),
})

export type ImportReport = z.output<typeof importReport>

const importParams = objectIdParams.extend({ import: z.string() })

export const mailImportRoutes = defineRoutes({
  'GET /api/v4/users/{id}/mail-imports': {
    summary: "List the imports of old mail into a user's mailbox, newest first",
    tag: 'Mail',
    auth: 'token',
    openTo: ['impersonated'],
    hosts: ['user'],
    params: objectIdParams,
    ok: z.object({ isConnected: z.boolean(), list: z.array(mailImport) }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/users/{id}/mail-imports/preview': {
    summary: 'Show what an old mail server contains, without importing anything',
    tag: 'Mail',
    auth: 'token',
    openTo: [],
    stepUp: true,
    hosts: ['user'],
    params: objectIdParams,
    body: z.object({ ...server, password }),
    ok: importPreview,
    errors: [401, 403, 404, 409, 422],
  },
  'POST /api/v4/users/{id}/mail-imports': {
    summary: "Import old mail into a user's mailbox",
    tag: 'Mail',
    auth: 'token',
    openTo: [],
    stepUp: true,
    hosts: ['user'],
    params: objectIdParams,
    bodyLimit: 2 * 1024 * 1024,
    body: z.object({
      ...server,
      password,
      folders: z
        .array(
          z.object({
            name: z
              .string()
              .max(1000)
              .regex(/^[\x20-\x7e\x80-\xff]+$/),
            path: line(1000),
            target: line(400),
          }),
        )
        .min(1)
        .max(importLimits.folders),
    }),
    ok: successEnvelope.extend({ id: z.uuid() }),
    errors: [401, 403, 404, 409, 422],
  },
  'GET /api/v4/users/{id}/mail-imports/{import}': {
    summary: 'Get the progress or the report of an import',
    tag: 'Mail',
    auth: 'token',
    openTo: ['impersonated'],
    hosts: ['user'],
    params: importParams,
    ok: importReport,
    errors: [401, 403, 404],
  },
  'POST /api/v4/users/{id}/mail-imports/{import}/cancel': {
    summary: 'Cancel an import. Messages that were copied stay',
    tag: 'Mail',
    auth: 'token',
    openTo: ['impersonated'],
    hosts: ['user'],
    params: importParams,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'POST /api/v4/users/{id}/mail-imports/{import}/again': {
    summary: 'Run an ended import again, for what is new since then',
    tag: 'Mail',
    auth: 'token',
    openTo: [],
    stepUp: true,
    hosts: ['user'],
    params: importParams,
    body: z.object({ password }),
    ok: successEnvelope,
    errors: [401, 403, 404, 409, 422],
  },
})
