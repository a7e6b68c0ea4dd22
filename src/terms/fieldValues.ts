/** Which values a field of a kind can hold. */
import { isFp9 } from '../quantity/fp9.ts'
import { CLOSED_SETS } from './closedSets.ts'
import { isQuantity, isSetName, type KindParts, type Stem } from './fieldKinds.ts'

type Test = (value: unknown) => boolean

export function testOf({ stem, bound, isOptional }: KindParts): Test {
  const holds = bound === null ? testOfStem(stem) : testOfBound(bound)
  return isOptional ? (value) => value === null || value === undefined || holds(value) : holds
}

function testOfBound(bound: '>= 0' | '> 0'): Test {
  return bound === '> 0' ? (value) => isFp9(value) && value > 0n : (value) => isFp9(value) && value >= 0n
}

function testOfStem(stem: Stem): Test {
  if (isQuantity(stem)) return isFp9
  if (isSetName(stem)) return oneOf(CLOSED_SETS[stem])
  switch (stem) {
    case 'id':
      return (value) => typeof value === 'string'
    case 'text':
      return (value) => typeof value === 'string' && value.length >= 1 && value.length <= 255
    case 'key':
      return (value) => typeof value === 'string' && value.length <= 255
    case 'digest':
      return (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
    case 'instant':
    case 'ms':
    case 'count':
      return (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    case 'flag':
      return (value) => typeof value === 'boolean'
    case 'categories': {
      const isCategory = oneOf(CLOSED_SETS.marketCategory)
      return (value) => Array.isArray(value) && value.every(isCategory)
    }
  }
}

function oneOf(values: readonly unknown[]): Test {
  const known = new Set(values)
  return (value) => known.has(value)
}
