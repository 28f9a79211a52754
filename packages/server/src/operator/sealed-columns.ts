import { rowSecret } from '../bulk/import/read-upload.ts'
import { fileKeyPurpose } from '../files/storage/file-keys.ts'
import { importPasswordPurpose } from '../mail-import/work/import-job.ts'
import { dkimKeyPurpose } from '../mailflow/dkim/dkim-keys.ts'
import { roomPasswordPurpose } from '../meetings/rooms/room-password.ts'
import { signingKeyPurpose } from '../oauth/tokens/signing-keys.ts'
import type { SealedColumn } from '../platform/installation-keys/key-store.ts'
import { subscriptionPurpose } from '../sessions/companions/push/push-keys.ts'
import { factorPurpose } from '../sessions/second-factor/totp.ts'
import { webhookSecretPurpose } from '../webhooks/signature.ts'

/** All columns stored sealed, which are re-encrypted with a new master secret. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'oauthKeys', key: ['kid'], column: 'sealed', purpose: signingKeyPurpose },
  { table: 'fsKeys', key: ['id'], column: 'sealed', purpose: fileKeyPurpose },
  { table: 'secondFactors', key: ['id'], column: 'secret', purpose: factorPurpose },
  { table: 'companions', key: ['id'], column: 'pushSubscription', purpose: subscriptionPurpose },
  { table: 'rooms', key: ['id'], column: 'password', purpose: roomPasswordPurpose },
  { table: 'dkimKeys', key: ['domainId', 'selector'], column: 'privateKey', purpose: dkimKeyPurpose },
  { table: 'mailImports', key: ['id'], column: 'password', purpose: importPasswordPurpose },
  { table: 'webhooks', key: ['id'], column: 'secret', purpose: webhookSecretPurpose },
  { table: 'webhooks', key: ['id'], column: 'previousSecret', purpose: webhookSecretPurpose },
  { table: 'batchRows', key: ['batchId', 'n'], column: 'secret', purpose: rowSecret },
]
