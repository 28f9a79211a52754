// Reporter: lists tests that passed only after a retry, because each of them has a race. Only browser tests may be
// retried; any other makes the run fail.
export default class SecondTries {
  onTestRunEnd(modules) {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests()].filter((test) => test.diagnostic()?.flaky),
    )
    if (flaky.length === 0) return
    const names = flaky.map((test) => `  ${test.module.relativeModuleId}: ${test.fullName}\n`)
    process.stdout.write(`\nPassed only after a retry:\n${names.join('')}`)
    const isAllowed = (test) => test.project.name.startsWith('e2e')
    if (!flaky.every(isAllowed)) {
      process.stdout.write('Only browser tests may be retried.\n')
      process.exitCode = 1
    }
  }
}
