import { availableParallelism, cpus, loadavg } from 'node:os'
import { charging } from './charging.ts'
import { eventDelivery } from './events.ts'
import { accountExport } from './export.ts'
import { files } from './files.ts'
import { firstLoad } from './first-load.ts'
import { identity } from './identity.ts'
import { importUsers } from './import.ts'
import { ledger } from './ledger.ts'
import { lists } from './lists.ts'
import { login } from './login.ts'
import { milter } from './mail/milter.ts'
import { policy } from './mail/policy.ts'
import { media } from './media.ts'
import { plan } from './plan.ts'
import { provisioning } from './provisioning.ts'
import { read } from './read.ts'
import { type Benchmark, reaches } from './result.ts'
import { staffSearch } from './staff-search.ts'
import { startUp } from './start-up.ts'

const benchmarks: readonly Benchmark[] = [
  startUp,
  firstLoad,
  login,
  identity,
  read,
  lists,
  staffSearch,
  importUsers,
  plan,
  provisioning,
  eventDelivery,
  files,
  accountExport,
  charging,
  ledger,
  policy,
  milter,
  media,
]

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name))
if (unknown.length > 0)
  throw new Error(
    `unknown benchmark ${unknown.join(', ')}. Available: ${benchmarks.map((one) => one.name).join(', ')}`,
  )

process.stdout.write(
  `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, load average ${(loadavg()[0] ?? 0).toFixed(1)}\n\n`,
)
for (const benchmark of benchmarks) {
  if (wanted.length > 0 && !wanted.includes(benchmark.name)) continue
  for (const result of await benchmark.run()) {
    const sign = result.bar.at === 'most' ? '≤' : '≥'
    const verdict = reaches(result) ? 'met' : 'MISSED'
    process.stdout.write(
      `${result.what}: ${result.value.toFixed(2)} ${result.unit} (target ${sign} ${result.bar.limit} ${result.unit}, ${verdict})\n  ${result.detail}\n`,
    )
    if (!reaches(result)) process.exitCode = 1
  }
}

// handles left open by native libraries must not keep the process alive
process.exit()
