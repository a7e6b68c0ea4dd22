import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['./test/seeds.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // The nightly property runs take ten times as many runs as those of CI.
    testTimeout: process.env.MARGIN_CORE_NIGHTLY === '1' ? 3_600_000 : 120_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/closingLine.ts'],
  },
})
