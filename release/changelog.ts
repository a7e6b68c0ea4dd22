// The changelog at the moment of a release.

/**
 * With what stands under "Unreleased" under the heading of a version and its date, below an empty "Unreleased".
 *
 * @throws Error where nothing stands there, or the version has its heading already.
 */
export function dated(changelog: string, version: string, date: string): string {
  const [before = '', rest = ''] = changelog.split('## [Unreleased]\n')
  if ((rest.split(/^## /m)[0] as string).trim() === '')
    throw new Error('CHANGELOG.md has nothing under Unreleased')
  if (rest.includes(`\n## [${version}]`)) throw new Error(`CHANGELOG.md has [${version}] already`)
  return `${before}## [Unreleased]\n\n## [${version}] - ${date}\n${rest}`
}
