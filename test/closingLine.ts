// Prints `N passed, N failed` as the very last line of a run, for people and scripts that read only that, and ahead of it
// the tests that passed only when they were asked again: each of them waits for something it should not.

import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
  private passed = 0
  private failed = 0
  private skipped = 0
  private asked: readonly string[] = []

  onInit(): void {
    // The default reporter also writes when the run has ended; only the exit comes after everything else.
    process.once('exit', (code) => {
      const failed = code !== 0 && this.failed === 0 ? 1 : this.failed
      for (const name of this.asked) process.stdout.write(`passed on a second try: ${name}\n`)
      const skipped = this.skipped > 0 ? `, ${this.skipped} skipped` : ''
      process.stdout.write(`${this.passed} passed, ${failed} failed${skipped}\n`)
    })
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    this.passed = 0
    this.skipped = 0
    const asked: string[] = []
    this.failed = unhandledErrors.length
    for (const module of modules) {
      // A module that could not be imported, or whose hooks threw, has errors of its own and may have no tests.
      this.failed += module.errors().length
      for (const suite of module.children.allSuites()) this.failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') this.passed += 1
        else if (state === 'skipped') this.skipped += 1
        else this.failed += 1
        if (test.diagnostic()?.flaky) asked.push(`${module.relativeModuleId} > ${test.fullName}`)
      }
    }
    this.asked = asked
  }
}
