// What makes a page one for everyone: each control has a name, text stands out, and no rule of WCAG 2.2 is broken.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { faintIn } from './faint.ts'

/** Controls that say nothing of what they are for. */
const NAMELESS = `[...document.querySelectorAll('button, input, select, a[href], [role=img]')].filter((control) => {
  const labels = [...(control.labels ?? [])].map((label) => label.textContent).join('')
  const name = control.getAttribute('aria-label') ?? (labels || control.textContent)
  return name.trim() === ''
}).map((control) => control.outerHTML)`

const require = createRequire(import.meta.url)
/** Runs before the scripts of a page, once: it takes longer to load than to ask. */
export const ENGINE = `${readFileSync(require.resolve('accessibility-checker-engine'), 'utf8')}\nwindow.ace = ace`

/** Rules that find nothing wrong but ask somebody to look, and where that is looked at. */
const LOOKED_AT: readonly string[] = [
  // Below: focus is seen at every stop of the keyboard, and 4.5 to 1 holds in both themes. Numbers have signs beside colours.
  'style_focus_visible',
  'style_color_misuse',
  'style_highcontrast_visible',
  'style_viewport_resizable',
  // What a canvas shows is said in words beside it.
  'canvas_content_described',
  // It knows no groups of terms in lists of definitions, which HTML has.
  'list_structure_proper',
  // Groups where there is one: of two fields in a row there is none.
  'input_fields_grouped',
  'input_checkboxes_grouped',
  'select_options_grouped',
  // A number above another is no place on the page.
  'text_sensory_misuse',
  // Behind a dialog nothing has the focus, what is focused is scrolled into sight, and handles are seen once they are.
  'element_tabbable_unobscured',
  'element_tabbable_visible',
  'target_spacing_sufficient',
]

/** What is wrong with the page by WCAG 2.2 (A and AA), and what may be. */
const VIOLATIONS = `(async () => {
  const { results } = await new ace.Checker().check(document, ['WCAG_2_2'])
  return results
    .filter(({ value, ruleId }) => value[1] === 'FAIL' || (value[1] !== 'PASS' && !${JSON.stringify(LOOKED_AT)}.includes(ruleId)))
    .map(({ ruleId, message, snippet }) => [ruleId, message, snippet].join(' | '))
})()`

const LANDMARKS = `['header', 'main', 'footer', 'h1', '[role=status][aria-live=polite]'].filter((one) => document.querySelectorAll(one).length !== 1)`

/** Themes differ in colours alone, which `faintIn` looks at in both: the rules of WCAG are held to each in one of the sizes. */
export async function expectForEveryone(page: Page, whole: boolean): Promise<void> {
  expect(await page.evaluate(NAMELESS)).toEqual([])
  expect(await page.evaluate(faintIn('body'))).toEqual([])
  expect(await page.evaluate(LANDMARKS)).toEqual([])
  if (whole) expect(await page.evaluate(VIOLATIONS)).toEqual([])
}
