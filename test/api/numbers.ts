// What the numbers of the public surface are, in the words of their docstrings: a unit, and a range. What a word means that
// stands there without a range of its own, the reference says in a table made from this one.

import type { Declared, Member } from './surface.ts'

/** A way to say what a number is. */
export interface NumberKind {
  readonly says: RegExp
  /** As docstrings have it. */
  readonly words: string
  readonly unit: string
  /** Where the docstring says no other. */
  readonly range: string
}

const COUNTED =
  'attempts|bars|cases|commands|commits|days|events|files|fills|folds|forms|intents|items|keys|breaches|intervals|whole numbers|orders|periods|phases|positions|programs|' +
  'rejections|actions|requests|returns|rows|runs|sets|shards|steps|threads|trades|trials'

export const NUMBER_KINDS: readonly NumberKind[] = [
  {
    says: /\bepoch (ms|milliseconds)\b/i,
    words: 'epoch ms',
    unit: 'milliseconds since 1970, UTC',
    range: 'whole, from 0 to the end of the year 9999',
  },
  {
    says: /\bfp9\b/i,
    words: 'fp9',
    unit: '10⁻⁹ of the unit that is named beside it',
    range: 'whole, of any size and sign; prices, sizes and margins from 0 up',
  },
  {
    says: /\bsequences?\b|\bcommits? `\w+`/i,
    words: 'sequence, commit `seq`',
    unit: 'commits of the log, counted from 1',
    range: 'whole; 0 = before the first',
  },
  {
    says: /\b(ms|milliseconds?|seconds?|minutes?|hours?|days|years?)\b/i,
    words: 'ms, seconds, minutes, hours, days, years',
    unit: 'the one that is named',
    range: 'from 0 up; days of a run are whole',
  },
  { says: /\b(bytes|MiB)\b/i, words: 'bytes, MiB', unit: 'the one that is named', range: 'whole, from 0 up' },
  {
    says: /\b(share|part|probability|quantile|how likely)\b/i,
    words: 'share, part, probability',
    unit: 'none',
    range: 'from 0 to 1',
  },
  { says: /\bpercent\b|\d%/, words: 'percent', unit: 'a hundredth', range: 'from 0 to 100' },
  {
    says: /\b(fraction|ratio|relative|over (that|the|its|those|equity)|multiples?|times|annualised|gains over|correlation of|deviations?|correlation|skewness|kurtosis|variance|distance|width|mean)\b/i,
    words: 'fraction, ratio, multiple, over, mean, deviation, correlation',
    unit: 'none, or that of what it is a mean or a distance of',
    range: 'any number; correlations from −1 to 1, deviations, distances and variances from 0 up',
  },
  {
    says: /\bany number\b/i,
    words: 'any number',
    unit: 'that of what it is computed of',
    range: 'any number',
  },
  {
    says: /\bquote currency\b/i,
    words: 'quote currency, without fp9',
    unit: 'whole units of quote currency',
    range: 'any number',
  },
  {
    says: new RegExp(
      `\\b(how (many|often)|so many|number of|count(s|ed)?|index|place|version|port|HTTP|attempts|the most|as many|line)\\b|^(\\w+ )?(${COUNTED})\\b`,
      'i',
    ),
    words: 'how many, how often, count, place, version, and what is counted in front',
    unit: 'of what is counted',
    range: 'whole, from 0 up',
  },
]

const NUMERIC = /\b(number|bigint)\b/
/** Types that say what they are: `src/quantity/units.ts`. */
const NAMED = /\b(Quote|Base|Price|Rate|Leverage)\b/

function kindSaid(words: string): NumberKind | null {
  return NUMBER_KINDS.find(({ says }) => says.test(words)) ?? null
}

/** Numbers of a declaration, members and parameters, of which nothing says what they are. */
export function unsaidNumbers(declared: Declared): string[] {
  const members = declared.members
    .filter(({ isMethod }) => !isMethod)
    .filter((one) => isUnsaid(declared, one))
  const parameters = functionsOf(declared).flatMap((called) =>
    called.parameters.filter((one) => !isSaidOf(one, called)).map((one) => `${called.name}(${one.name})`),
  )
  return [...members.map(({ name }) => `${declared.name}.${name}`), ...parameters]
}

function isUnsaid({ members, doc: ofAll }: Declared, { name, type, doc }: Member): boolean {
  // What lies within an object is judged by itself.
  if (!NUMERIC.test(type) || type.startsWith('{') || NAMED.test(type) || kindSaid(doc ?? '') !== null)
    return false
  // Of a table the type says what all of it is; of what lies within a member, that member may.
  const around = members.find((one) => one.name !== name && new RegExp(`\\b${name}\\??: `).test(one.type))
  return kindSaid(ofAll ?? '') === null && kindSaid(around?.doc ?? '') === null
}

interface Parameter {
  readonly name: string
  readonly type: string
}

interface Called {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly doc: string
}

/** A function, or the methods of a class or an interface, with those parameters that are numbers and nothing more. */
function functionsOf({ name, text, doc, members }: Declared): Called[] {
  const own = /^function \w+(?:<.*?>)?\((.*?)\): /s.exec(text)
  if (own !== null) return [{ name, parameters: numbersIn(own[1] ?? ''), doc: doc ?? '' }]
  // What it keeps of an interface, that says.
  const promised = /^class \w+ implements /.test(text)
  return members
    .filter(({ isMethod, doc: own }) => isMethod && !(promised && own === null))
    .map((member) => ({
      name: `${name}.${member.name}`,
      parameters: numbersIn(/^(?:<.*?>)?\((.*?)\)(:|$)/s.exec(member.type)?.[1] ?? '').filter(
        // Of a constructor, that the member of its name says.
        (parameter) =>
          !members.some((one) => one.name === parameter.name && kindSaid(one.doc ?? '') !== null),
      ),
      doc: `${member.doc ?? ''}\n\n${doc ?? ''}`,
    }))
}

function numbersIn(list: string): Parameter[] {
  const found = list.matchAll(/(\w+)\??: ((?:readonly )?\(?(?:number|bigint)\b[^,);]*)/g)
  return Array.from(found, ([, name = '', type = '']) => ({ name, type })).filter(
    ({ type }) => !NAMED.test(type),
  )
}

/** The sentence that names a parameter says what it is, or its `@param` does; of the only one of its type the first sentence may. */
function isSaidOf({ name, type }: Parameter, { doc, parameters }: Called): boolean {
  const sentences = doc.replaceAll(/```.*?```/gs, '').split(/(?<=[.;])\s|\n\n|\n(?=@)/)
  const isOnly = parameters.filter((one) => one.type === type).length === 1
  return sentences
    .filter(
      (one, index) =>
        one.includes(`\`${name}\``) || one.startsWith(`@param ${name} `) || (isOnly && index === 0),
    )
    .some((one) => kindSaid(one.replaceAll('\n', ' ')) !== null)
}
