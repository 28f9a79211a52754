// Type-checks every workspace, all at once.
import { spawn } from 'node:child_process'

const projects = ['packages/contract', 'packages/media', 'packages/server', 'packages/web', 'e2e', 'bench']
const codes = await Promise.all(
  projects.map(
    (project) =>
      new Promise((resolve) => {
        spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], {
          stdio: 'inherit',
        }).once('exit', resolve)
      }),
  ),
)
if (codes.some((code) => code !== 0)) process.exitCode = 1
