// Reporter: names the tests that failed at first and passed at the second try, so that a race is not forgotten.
export default class SecondTries {
  onTestRunEnd(modules) {
    const names = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `${module.relativeModuleId}: ${test.fullName}`),
    )
    if (names.length === 0) return
    process.stdout.write(`\nPassed at the second try only:\n${names.map((name) => `  ${name}\n`).join('')}`)
  }
}
