/** What a browser loads of the console. */
import { pageFiles } from '../pages/pageFiles.ts'

/** By the name below `/console`, with the type it is sent as. */
export const CONSOLE_FILES = {
  'console.js': 'text/javascript; charset=utf-8',
  'charts.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'licences.txt': 'text/plain; charset=utf-8',
} as const

export type ConsoleFileName = keyof typeof CONSOLE_FILES

/** A file, read or made once. */
export const consoleFile = pageFiles<ConsoleFileName>(import.meta.url, async (sources) =>
  (await import('./bundle.ts')).bundleConsole(sources),
)
