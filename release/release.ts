// A release of the version in package.json: what has to hold, said all at once; the package as it would be published; then,
// with --publish, the tag and the publication. Without it nothing is changed anywhere but by --prepare, which gives what stands
// under "Unreleased" in the changelog the heading of the version, with today's date.
//
//   npm run release [-- --prepare | --publish]

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { surfaceChanges, todaysPages } from '../test/api/pages.ts'
import { dated } from './changelog.ts'

const root = path.resolve(import.meta.dirname, '..')
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const json = (file: string) => JSON.parse(textOf(file))
const { name, version }: { name: string; version: string } = json('package.json')
const tag = `v${version}`
const isPublished = process.argv.includes('--publish')

if (process.argv.includes('--prepare')) {
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(path.join(root, 'CHANGELOG.md'), dated(textOf('CHANGELOG.md'), version, today))
  console.log(`CHANGELOG.md: what was unreleased is [${version}] - ${today}; commit it`)
  process.exit()
}

const problems = [
  ...uncommitted(),
  ...otherVersions(),
  ...changelogProblems(),
  ...(existsSync(path.join(root, 'test/golden', version))
    ? []
    : [`no golden logs of ${version}: npx tsx test/golden/write.ts`]),
  ...(output('git', 'tag', '--list', tag) === '' ? [] : [`${tag} is a tag already`]),
  ...surfaceProblems(),
]
for (const problem of problems) console.error(`✗ ${problem}`)
if (problems.length > 0) process.exitCode = 1
else release()

function release(): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-release-'))
  try {
    run('npm', 'pack', '--silent', '--pack-destination', folder)
    const tarball = path.join(folder, readdirSync(folder)[0] as string)
    console.log(`✓ ${name} ${version} can be released; ${path.basename(tarball)} is packed`)
    const commands = [
      ['git', 'tag', '--annotate', tag, '--message', `${name} ${version}`],
      ['npm', 'publish', tarball, '--provenance', '--access', 'public'],
      ['git', 'push', 'origin', tag],
    ] as const
    for (const [command, ...args] of commands) {
      console.log(`${isPublished ? '' : 'would run: '}${command} ${args.join(' ')}`)
      if (isPublished) run(command, ...args)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function uncommitted(): string[] {
  const changes = output('git', 'status', '--porcelain')
  return changes === '' ? [] : [`not everything is committed:\n${changes}`]
}

/** Everything else that names the version. */
function otherVersions(): string[] {
  const examples = readdirSync(path.join(root, 'examples'))
    .map((project) => `examples/${project}/package.json`)
    .filter((file) => existsSync(path.join(root, file)))
  const named: [file: string, version: string][] = [
    ['package-lock.json', json('package-lock.json').version],
    ['src/version.ts', /VERSION = '([^']+)'/.exec(textOf('src/version.ts'))?.[1] ?? ''],
    ...examples.map((file): [string, string] => [file, json(file).dependencies[name].replace('^', '')]),
  ]
  return named.flatMap(([file, other]) =>
    other === version ? [] : [`package.json says ${version}, ${file} ${other}`],
  )
}

function changelogProblems(): string[] {
  const sections = textOf('CHANGELOG.md').split(/^## /m)
  const textUnder = (heading: string) =>
    sections
      .find((section) => section.startsWith(heading))
      ?.replace(/^.*\n/, '')
      .trim() ?? ''
  const dated = sections.some((section) => section.startsWith(`[${version}] - 20`))
  return [
    ...(textUnder('[Unreleased]') === '' ? [] : ['CHANGELOG.md has something under Unreleased']),
    ...(textUnder(`[${version}]`) === '' ? [`CHANGELOG.md says nothing under [${version}]`] : []),
    ...(dated ? [] : [`CHANGELOG.md has no heading [${version}] with its date`]),
  ]
}

/** What differs between the public surface and what docs/api promises. */
function surfaceProblems(): string[] {
  const changes = surfaceChanges(todaysPages())
  return changes.length === 0
    ? []
    : [`the public surface is another than docs/api has:\n${changes.join('\n')}`]
}

function output(command: string, ...args: string[]): string {
  return execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}
