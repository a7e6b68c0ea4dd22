/** The release script, in a scratch repository: what it refuses, all at once, and what it would do. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dated } from '../../release/changelog.ts'
import { files, root } from '../tidy/sourceTree.ts'

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const NEXT = '99.0.0'
const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'

let scratch: string
const at = (file: string) => path.join(scratch, file)
const git = (...args: string[]) => execFileSync('git', args, { cwd: scratch, encoding: 'utf8' })

function commit(): void {
  git('add', '--all')
  git('-c', 'user.name=test', '-c', 'user.email=test@localhost', 'commit', '--quiet', '--message', 'a change')
}

function replaceIn(file: string, from: string | RegExp, to: string): void {
  writeFileSync(at(file), readFileSync(at(file), 'utf8').replaceAll(from, to))
}

function release(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'release/release.ts', ...args],
    { cwd: scratch, encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'margin-core-release-test-'))
  const needed = /^(src|release|examples|docs|test\/(api|tidy|[^/]+$)|[^/]+$|\.gitignore)/
  for (const file of files.filter((file) => needed.test(file)))
    cpSync(path.join(root, file), at(file), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), at('node_modules'))
  replaceIn('.gitignore', 'node_modules/', 'node_modules')
  git('init', '--quiet')
  replaceIn('package.json', `"version": "${version}"`, `"version": "${NEXT}"`)
  commit()
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const examples = files.filter((file) => /^examples\/[^/]+\/package\.json$/.test(file))

test('everything that is missing is said at once', () => {
  writeFileSync(at('left.txt'), 'not committed')
  replaceIn('src/version.ts', 'export const VERSION', 'export const COUNT = 1\nexport const VERSION')
  replaceIn('src/index.ts', "{ VERSION } from './version.ts'", "{ COUNT, VERSION } from './version.ts'")
  git('tag', `v${NEXT}`)
  const { status, stderr } = release('--publish')
  git('tag', '--delete', `v${NEXT}`)
  expect(status).toBe(1)
  expect(stderr.match(/^✗ .*$/gm)).toEqual([
    '✗ not everything is committed:',
    `✗ package.json says ${NEXT}, package-lock.json ${version}`,
    `✗ package.json says ${NEXT}, src/version.ts ${version}`,
    ...examples.map((file) => `✗ package.json says ${NEXT}, ${file} ${version}`),
    ...(/## \[Unreleased\]\n\n#/.test(readFileSync(at('CHANGELOG.md'), 'utf8'))
      ? ['✗ CHANGELOG.md has something under Unreleased']
      : []),
    `✗ CHANGELOG.md says nothing under [${NEXT}]`,
    `✗ CHANGELOG.md has no heading [${NEXT}] with its date`,
    `✗ no golden logs of ${NEXT}: npx tsx test/golden/write.ts`,
    `✗ v${NEXT} is a tag already`,
    '✗ the public surface is another than docs/api has:',
  ])
  git('checkout', '--quiet', '.')
  rmSync(at('left.txt'))
})

test('on the day of a release what was unreleased gets its heading, once', () => {
  const before = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## [0.1.0] - 2026-01-01\n\n- B.\n'
  const after = dated(before, '0.2.0', '2026-02-03')
  expect(after).toBe(before.replace('[Unreleased]\n', '[Unreleased]\n\n## [0.2.0] - 2026-02-03\n'))
  expect(() => dated(after, '0.2.0', '2026-02-04')).toThrow('nothing under Unreleased')
  expect(() =>
    dated(after.replace('[Unreleased]\n', '[Unreleased]\n\n- C.\n'), '0.2.0', '2026-02-04'),
  ).toThrow('has [0.2.0] already')
  expect(dated('## [Unreleased]\n\n- A.\n', '0.1.0', '2026-02-03')).toBe(
    '## [Unreleased]\n\n## [0.1.0] - 2026-02-03\n\n- A.\n',
  )
})

// Packing builds, which test/package does as well.
test.runIf(NIGHTLY)('a version that is ready is packed, and nothing else happens', () => {
  replaceIn('src/version.ts', `'${version}'`, `'${NEXT}'`)
  replaceIn('docs/api/margin-core.md', `VERSION = "${version}"`, `VERSION = "${NEXT}"`)
  replaceIn(
    'package-lock.json',
    new RegExp(`^(  |      )"version": "${version}"`, 'gm'),
    `$1"version": "${NEXT}"`,
  )
  for (const file of examples) replaceIn(file, `^${version}`, `^${NEXT}`)
  replaceIn('CHANGELOG.md', '## [Unreleased]\n', '## [Unreleased]\n\nNew.\n')
  expect(release('--prepare')).toMatchObject({ status: 0, stderr: '' })
  mkdirSync(at(`test/golden/${NEXT}`), { recursive: true })
  writeFileSync(at(`test/golden/${NEXT}/a.log`), '')
  commit()
  const { status, stdout, stderr } = release()
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`✓ margin-core ${NEXT} can be released; margin-core-${NEXT}.tgz is packed`)
  expect(stdout).toMatch(/^would run: git tag --annotate v99\.0\.0 .*$/m)
  expect(stdout).toMatch(
    /^would run: npm publish \S+margin-core-99\.0\.0\.tgz --provenance --access public$/m,
  )
  expect(git('tag', '--list')).toBe('')
  expect(git('status', '--porcelain')).toBe('')
})
