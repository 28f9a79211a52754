import { z } from 'zod'
import { count, yesOrNo } from '../platform/settings/setting-kinds.ts'

/** Settings for storage and retention of files. */
export const fileSettings = {
  FILESYSTEM_DISK: z
    .enum(['local', 's3'])
    .default('local')
    .describe('Where content is stored. `local`: in a folder. `s3`: in a bucket of an S3-compatible server'),
  FILES_FOLDER: z.string().min(1).optional().describe('Folder for content. If not set: `DATA_DIR/files`'),
  FILES_S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
    .optional()
    .describe('Address of the S3-compatible server. If not set: the Amazon endpoint of the region'),
  FILES_S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket'),
  FILES_S3_BUCKET: z
    .string()
    .min(3)
    .max(63)
    .optional()
    .describe('Name of an existing bucket. Required with `s3`'),
  FILES_S3_KEY: z.string().min(1).optional().describe('Access key ID. Required with `s3`'),
  FILES_S3_SECRET: z.string().min(1).optional().describe('Secret access key. Required with `s3`'),
  FILES_S3_PATH_STYLE: yesOrNo
    .default(true)
    .describe('Use path-style URLs, with the bucket in the path instead of the host name'),
  FILES_CHUNK_MIB: count(10, 1, 1024).describe(
    'Maximum size of an upload chunk in MiB, less 8 KiB. Proxies must allow it',
  ),
  FILES_UPLOAD_HOURS: count(6, 1, 720).describe(
    'Hours after which an unfinished upload without a new chunk is discarded',
  ),
  FILES_TRASH_DAYS: count(30, 0, 3650).describe('Days for which deleted files stay in the trash'),
  FILES_VERSIONS: count(10, 0, 1000).describe('Number of earlier versions kept per file'),
  FILES_VERSION_DAYS: count(90, 0, 3650).describe('Days for which an earlier version is kept at most'),
  FILES_FREE_GIB: count(0, 0, 1_000_000).describe(
    'GiB that every user may store, in addition to one GiB per unit of storage',
  ),
  FILES_ORIGIN: z
    .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
    .refine(
      (value) => new URL(value).origin === value.replace(/\/$/, ''),
      'must be an address without a path',
    )
    .transform((value) => new URL(value).origin)
    .optional()
    .describe(
      'Address of a separate host that serves only file content, such as `https://files.example.net`. If not set: the portal’s host serves it',
    ),
  FILES_CLAMD: z
    .string()
    .regex(
      /^(\/.+|[a-z0-9.-]+:\d{1,5}|\[[0-9a-f:]+\]:\d{1,5})$/i,
      'must be host:port or the path of a socket',
    )
    .optional()
    .describe(
      'ClamAV daemon that scans new content: `host:port` or the path of its socket. If not set: content is not scanned',
    ),
}

const parsed = z.object(fileSettings)

export type FileSettings = z.infer<typeof parsed>

/** Returns a contradiction between settings as `SETTING: sentence`; undefined if there is none. */
export function fileSettingsProblem(value: FileSettings & { readonly APP_URL?: string | undefined }) {
  return originProblem(value) ?? bucketProblem(value)
}

function originProblem({ FILES_ORIGIN, APP_URL }: Parameters<typeof fileSettingsProblem>[0]) {
  if (FILES_ORIGIN === undefined) return undefined
  const host = new URL(FILES_ORIGIN).hostname
  const portal = APP_URL === undefined ? 'localhost' : new URL(APP_URL).hostname
  const isTaken = ['', 'admin.', 'reseller.'].some((prefix) => host === `${prefix}${portal}`)
  return isTaken ? 'FILES_ORIGIN: is a host of the portal itself' : undefined
}

function bucketProblem(value: FileSettings): string | undefined {
  if (value.FILESYSTEM_DISK !== 's3') return undefined
  for (const name of ['FILES_S3_BUCKET', 'FILES_S3_KEY', 'FILES_S3_SECRET'] as const) {
    if (value[name] === undefined) return `${name}: required with FILESYSTEM_DISK=s3`
  }
  return undefined
}

/** Maximum bytes per chunk of an upload. */
export function maxChunkSize(value: FileSettings): number {
  return value.FILES_CHUNK_MIB * 1024 * 1024 - 8192
}
