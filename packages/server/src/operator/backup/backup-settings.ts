import { z } from 'zod'

/** Settings of backups. */
export const backupSettings = {
  GATEHOUSE_BACKUP_PASSPHRASE: z
    .string()
    .optional()
    .describe(
      'Passphrase of backups, for `backup:` commands in scripts. At least 12 characters. Without it and `--passphrase-file`, the commands ask for it',
    ),
}

const parsedSettings = z.object(backupSettings)

export type BackupSettings = z.infer<typeof parsedSettings>
