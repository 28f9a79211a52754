import type { Command } from '../platform/cli/command.ts'
import { mtaStsId, mtaStsPolicy } from './discovery/mta-sts.ts'

type Config = Parameters<typeof mtaStsPolicy>[0]

/** Commands that print DNS records for mail beyond those of each domain. */
export const mailCommands: readonly Command<Config>[] = [
  {
    name: 'mta-sts:show',
    usage: 'mta-sts:show',
    summary: 'show the MTA-STS policy and the DNS record that announces it',
    needs: 0,
    run({ config, answer }) {
      const policy = mtaStsPolicy(config)
      const id = mtaStsId(policy)
      answer.record({ id, policy }, [
        `_mta-sts.<domain>  TXT  "v=STSv1; id=${id}"`,
        ...policy
          .trimEnd()
          .split('\n')
          .map((line) => `  ${line}`),
      ])
      return Promise.resolve()
    },
  },
]
