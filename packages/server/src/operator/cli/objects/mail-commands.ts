import { mtaStsId, mtaStsPolicy } from '../../../mail-access/discovery/mta-sts.ts'
import type { Command } from '../command.ts'

/** What the DNS has to say about mail beside the records of each domain. */
export const mailCommands: readonly Command[] = [
  {
    name: 'mta-sts:show',
    usage: 'mta-sts:show',
    summary: 'the policy for mail over TLS, and the record that tells others of it',
    needs: 0,
    run({ config, print }) {
      const policy = mtaStsPolicy(config)
      print(`_mta-sts.<domain>  TXT  "v=STSv1; id=${mtaStsId(policy)}"`)
      for (const line of policy.trimEnd().split('\n')) print(`  ${line}`)
      return Promise.resolve()
    },
  },
]
