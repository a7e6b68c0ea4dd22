import { afterEach, expect, test, vi } from 'vitest'
import { dataCacheFolder } from '../../../src/backtest/plan/dataCache.ts'

afterEach(() => vi.unstubAllEnvs())

test('data is kept in the folder that the environment names, and nowhere where it names none', () => {
  for (const [named, folder] of [
    [undefined, null],
    ['', null],
    ['off', null],
    ['columns', 'columns'],
  ] as const) {
    vi.stubEnv('MARGIN_CORE_CACHE', named)
    expect(dataCacheFolder()).toBe(folder)
  }
})
