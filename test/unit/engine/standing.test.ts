// What stops an engine is told once, in a line, and whoever is told cannot hurt it.

import { describe, expect, test } from 'vitest'
import { carefully, reasonOf } from '../../../src/engine/notices.ts'
import { Standing } from '../../../src/engine/standing.ts'

const taken = (standing: Standing) => [standing.takesCommands, standing.hasStopped]

describe('standing', () => {
  test('the first reason stands, and is told once', () => {
    const told: string[] = []
    const standing = new Standing(null, (notice) => told.push(notice))
    expect([...taken(standing), standing.failure]).toEqual([true, false, null])
    expect(() => standing.mustTakeCommands()).not.toThrow()
    const first = new Error('the disk is full', { cause: new Error('ENOSPC') })
    standing.stop(first)
    standing.stop(new Error('another'))
    standing.end()
    expect([...taken(standing), standing.failure]).toEqual([false, true, first])
    expect(told).toEqual(['the engine has stopped: the disk is full: ENOSPC'])
    expect(() => standing.mustRead()).toThrow(expect.objectContaining({ cause: first }))
    expect(() => standing.mustTakeCommands()).toThrow('the engine has stopped')
  })

  test('one without anything to write to reads, and refuses commands', () => {
    const standing = new Standing('another process writes', () => {})
    expect(taken(standing)).toEqual([false, false])
    expect(() => standing.mustRead()).not.toThrow()
    expect(() => standing.mustTakeCommands()).toThrow('the engine only reads: another process writes')
  })

  test('an end is told nobody, and is the reason from then on', () => {
    const told: string[] = []
    const standing = new Standing(null, (notice) => told.push(notice))
    standing.end()
    standing.stop(new Error('later'))
    expect(String(standing.failure)).toContain('the engine was closed')
    expect([taken(standing), told]).toEqual([[false, true], []])
  })

  test('what is stopped without an error has stopped all the same', () => {
    const standing = new Standing(null, () => {})
    standing.stop(undefined)
    expect(taken(standing)).toEqual([false, true])
  })
})

describe('notices', () => {
  test('a reason is all causes in a line, whatever was thrown', () => {
    expect(reasonOf(new Error('a', { cause: new Error('b', { cause: 'c' }) }))).toBe('a: b: c')
    expect([reasonOf('text'), reasonOf(undefined), reasonOf(null)]).toEqual(['text', 'undefined', 'null'])
  })

  test('a listener that throws, rejects or is none harms nobody', async () => {
    const heard: string[] = []
    const listeners = [
      (notice: string) => {
        heard.push(notice)
        throw new Error('thrown')
      },
      async (notice: string) => {
        heard.push(notice)
        throw new Error('rejected')
      },
      (notice: string) => void heard.push(notice),
      undefined,
    ]
    for (const [index, listener] of listeners.entries()) carefully(listener)(String(index))
    await new Promise((resolve) => setImmediate(resolve))
    expect(heard).toEqual(['0', '1', '2'])
  })
})
