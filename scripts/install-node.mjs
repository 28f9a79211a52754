// Downloads the versions of Node.js that the tests start a release with. Tests of a missing version are skipped.
import { NodeUnavailable, nodeRuntime, testedVersions } from './release/node-runtime.mjs'

for (const version of testedVersions) {
  try {
    process.stdout.write(`node ${version}: ${nodeRuntime(version)}\n`)
  } catch (error) {
    if (!(error instanceof NodeUnavailable)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
