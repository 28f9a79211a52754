// Reporter: names the tests that failed at first and passed at the second try, so that a race is not forgotten. Only
// browser tests may need one; any other makes the run fail.
export default class SecondTries {
  onTestRunEnd(modules) {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests()].filter((test) => test.diagnostic()?.flaky),
    )
    if (flaky.length === 0) return
    const names = flaky.map((test) => `  ${test.module.relativeModuleId}: ${test.fullName}\n`)
    process.stdout.write(`\nPassed at the second try only:\n${names.join('')}`)
    const isAllowed = (test) => test.project.name.startsWith('e2e')
    if (!flaky.every(isAllowed)) {
      process.stdout.write('Only browser tests may need a second try.\n')
      process.exitCode = 1
    }
  }
}
